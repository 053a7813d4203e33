import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { toyNames, toys } from '../support/csv.ts';
import { ended, newPlace } from './run-shelflift.ts';

/** Locks it once it is told to. */
const HOLD_20_S = `const { DatabaseSync } = await import('node:sqlite');
  const { once } = await import('node:events');
  console.log('ready');
  await once(process.stdin, 'data');
  const other = new DatabaseSync('l.db', { timeout: 10_000 });
  other.exec('BEGIN IMMEDIATE');
  console.log('locked');
  setTimeout(() => {
    other.exec('COMMIT');
    process.exit();
  }, 20_000);`;

test('an import goes on after another process has held the lock of its store for 20 s', async () => {
  await using api = await startSandbox({ latencyMs: 20 });
  const place = newPlace({ SHELFLIFT_API_URL: api.url, SHELFLIFT_API_KEY: api.key, SHELFLIFT_STORE: 'l.db' });
  place.file('toys.csv', toys(80));
  const holder = spawn(process.execPath, ['--input-type=module', '--eval', HOLD_20_S], {
    cwd: place.folder,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(holder.stdout, 'data');
  const run = ended(place.start(['import', 'toys.csv', '--collection', 'Main', '--json']));
  while (api.control.items().length < 6) await sleep(10);
  // No more rows until the lock is there, however long that takes.
  api.control.setLatency(1_000);
  const locked = once(holder.stdout, 'data');
  holder.stdin.write('now\n');
  await locked;
  api.control.setLatency(20);
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
