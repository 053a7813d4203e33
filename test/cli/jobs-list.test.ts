import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { profileQueue } from '../../src/worker/queue/queue.ts';
import { Runs } from '../../src/worker/queue/runs.ts';
import { runOfFire } from '../../src/worker/schedule/schedules.ts';
import { newPlace } from './run-shelflift.ts';

const DAY = 86_400_000;

test('jobs list filters runs by state and age, shows one page, and counts all runs', async () => {
  const place = newPlace();
  const store = join(place.folder, 'ledger.db');
  const now = Date.now();
  await using ledger = await openLedger(store);
  const runs = new Runs(ledger);
  for (let index = 0; index < 60; index += 1) {
    const at = now - index * DAY;
    const run = runOfFire({ schedule: 'daily', fire: at, previous: at - DAY }, profileQueue('main'), at);
    await runs.add(index < 3 ? run : { ...run, state: index % 2 === 0 ? 'done' : 'failed', endedAt: at });
  }
  const list = async (...more: string[]) => {
    const { stdout } = await place.call(['jobs', 'list', '--store', store, '--json', ...more]);
    return JSON.parse(stdout) as {
      runs: { run: string; state: string }[];
      run_counts: Record<string, number>;
    };
  };
  const all = await list();
  expect(all.runs).toHaveLength(50);
  expect(all.run_counts).toMatchObject({ queued: 3, done: 28, failed: 29, running: 0 });
  expect((await list('--limit', '2')).runs.map(({ run }) => run)).toEqual(
    all.runs.slice(0, 2).map(({ run }) => run),
  );
  expect((await list('--state', 'failed', '--since', '10d')).runs.map(({ state }) => state)).toEqual(
    Array.from({ length: 4 }, () => 'failed'),
  );
  const { stdout, code } = await place.call(['jobs', 'list', '--store', store, '--limit', '1']);
  expect(stdout).toContain('all runs: 3 queued, 28 done, 29 failed');
  expect(code).toBe(0);
});
