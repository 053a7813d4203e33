import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { toyNames, toys } from '../support/csv.ts';
import { ended, newPlace } from './run-shelflift.ts';

/** Locks it once it is told to, until it is told to again, or for so many milliseconds. */
const HOLD = `const { DatabaseSync } = await import('node:sqlite');
  const { once } = await import('node:events');
  console.log('ready');
  await once(process.stdin, 'data');
  const other = new DatabaseSync('l.db', { timeout: 10_000 });
  other.exec('BEGIN IMMEDIATE');
  console.log('locked');
  const time = Number(process.argv[1]);
  const release = () => {
    other.exec('COMMIT');
    process.exit();
  };
  if (time > 0) setTimeout(release, time);
  process.stdin.once('data', release);`;

function startHolder(folder: string, ms = 0) {
  return spawn(process.execPath, ['--input-type=module', '--eval', HOLD, String(ms)], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}

test('an import continues after another process has locked its store for 20 s', async () => {
  await using api = await startSandbox({ latencyMs: 20 });
  const place = newPlace({ SHELFLIFT_API_URL: api.url, SHELFLIFT_API_KEY: api.key, SHELFLIFT_STORE: 'l.db' });
  place.file('toys.csv', toys(80));
  const holder = startHolder(place.folder, 20_000);
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

test.each(['in the middle of an import', 'while the store is opened'])(
  'Ctrl-C ends with 130 %s even if another process has locked the store, and a resume sends the rest',
  async (when) => {
    await using api = await startSandbox({ latencyMs: 20 });
    const place = newPlace({
      SHELFLIFT_API_URL: api.url,
      SHELFLIFT_API_KEY: api.key,
      SHELFLIFT_STORE: 'l.db',
    });
    place.file('toys.csv', toys(80));
    await place.call([
      'import',
      'toys.csv',
      '--collection',
      'Main',
      '--first',
      '2',
      '--quiet-period',
      '500ms',
    ]);
    const holder = startHolder(place.folder);
    await once(holder.stdout, 'data');
    const lock = async () => {
      const locked = once(holder.stdout, 'data');
      holder.stdin.write('now\n');
      await locked;
    };
    const isOpening = when.startsWith('while');
    if (isOpening) await lock();
    const child = place.start(['jobs', 'resume', 'last', '--json', '--verbose']);
    const run = ended(child);
    if (isOpening) await once(child.stderr ?? child, 'data');
    else {
      while (api.control.items().length < 8) await sleep(10);
      await lock();
    }
    child.kill('SIGINT');
    // The lock is released only once the process has ended.
    const { code, stdout, stderr } = await run;
    expect(code, stderr).toBe(130);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'interrupted' } });
    const released = once(holder, 'exit');
    holder.stdin.write('now\n');
    await released;
    const resumed = await place.call(['jobs', 'resume', 'last', '--json', '--quiet-period', '500ms']);
    expect(JSON.parse(resumed.stdout)).toMatchObject({ state: 'done', rows: { created: 80 } });
    expect(api.control.items()).toHaveLength(80);
  },
);
