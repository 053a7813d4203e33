/** CI counts only what ran. */
import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/open-import.ts';

const root = resolve(import.meta.dirname, '../..');
const bash = (...argv: string[]) => spawnSync('bash', argv, { cwd: root, encoding: 'utf8' });

test('a step that cannot run counts as neither passed nor failed, and the summary names it', () => {
  const steps = (...each: string[]) =>
    bash('-c', ['set -u', '. .ci/steps', ...each.map((step) => `step ${step}`), 'finish'].join('\n'));
  const mixed = steps('good true', '"no mounts" sh -c "exit 77"', 'bad false');
  expect(mixed.stdout).toMatch(/\nNOT RUN: no mounts\n1 passed, 1 failed\n$/);
  expect(mixed.status).toBe(1);
  expect(steps('good true', '"no mounts" sh -c "exit 77"').status).toBe(0);
});

test('the summary ends with what each failed test said', async () => {
  const folder = await temporaryFolder();
  const failed = { status: 'failed', fullName: 'adds up', failureMessages: ['12 is not 13'] };
  const report = {
    numPassedTests: 1,
    numFailedTests: 1,
    numPendingTests: 0,
    numTodoTests: 0,
    testResults: [
      { name: 'a.test.ts', message: '', assertionResults: [failed, { ...failed, status: 'passed' }] },
      { name: 'b.test.ts', message: 'cannot be loaded', assertionResults: [] },
    ],
  };
  writeFileSync(join(folder, 'slow.json'), JSON.stringify(report));
  const run = `set -u; reports=${folder}; . .ci/steps; tests "slow tests" slow.json false; step good true; finish`;
  const { stdout } = bash('-c', run);
  expect(stdout.slice(stdout.indexOf('good took'))).toBe(
    'good took 0 s\n\nFAILED: a.test.ts: adds up\n12 is not 13\nFAILED: b.test.ts\ncannot be loaded\n2 passed, 1 failed\n',
  );
});

test('the worker image counts as not run if mounts are not permitted', async () => {
  const folder = await temporaryFolder();
  const unshare = join(folder, 'unshare');
  writeFileSync(unshare, '#!/bin/sh\necho "unshare failed: Operation not permitted" >&2\nexit 1\n');
  chmodSync(unshare, 0o755);
  const { status, stdout } = bash('-c', `PATH=${folder}:$PATH .ci/image container`);
  expect([status, stdout]).toEqual([77, expect.stringContaining('NOT RUN: ')]);
});
