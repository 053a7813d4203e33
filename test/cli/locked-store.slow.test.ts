import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { toyNames, toys } from '../support/csv.ts';
import { ended, newPlace } from './run-shelflift.ts';

const HOLD_20_S = `const { DatabaseSync } = await import('node:sqlite');
  const other = new DatabaseSync('l.db', { timeout: 10_000 });
  other.exec('BEGIN IMMEDIATE');
  console.log('locked');
  setTimeout(() => other.exec('COMMIT'), 20_000);`;

test('an import goes on after another process has held the lock of its store for 20 s', async () => {
  await using api = await startSandbox({ latencyMs: 20 });
  const place = newPlace({ SHELFLIFT_API_URL: api.url, SHELFLIFT_API_KEY: api.key, SHELFLIFT_STORE: 'l.db' });
  place.file('toys.csv', toys(80));
  const run = ended(place.start(['import', 'toys.csv', '--collection', 'Main', '--json']));
  while (api.control.items().length < 6) await sleep(10);
  const holder = spawn(process.execPath, ['--input-type=module', '--eval', HOLD_20_S], {
    cwd: place.folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(holder.stdout, 'data');
  const { code, stdout, stderr } = await run;
  expect(code, stderr).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ state: 'done', rows: { created: 80 } });
  expect(stderr).toMatch(/l\.db is locked by another program\. Waiting up to 600 s\./);
  expect(
    api.control
      .items()
      .map(({ name }) => name)
      .sort(),
  ).toEqual(toyNames(80));
});
