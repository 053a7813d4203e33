/** What kills and dead hosts leave behind, and what a worker makes of it. */
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import { systemClock } from '../../src/base/clock.ts';
import { ShelfliftError } from '../../src/base/errors.ts';
import { openSqliteLedger } from '../../src/ledger/sqlite/sqlite-ledger.ts';
import type { WorkerEvent } from '../../src/worker/events.ts';
import { hostQueue, lanesOf, profileQueue, type Service } from '../../src/worker/queue/queue.ts';
import type { Run } from '../../src/worker/queue/run.ts';
import { Runs } from '../../src/worker/queue/runs.ts';
import { Spool } from '../../src/worker/queue/spool.ts';
import { StoreQueue } from '../../src/worker/queue/store-queue.ts';
import { runOfFire } from '../../src/worker/schedule/schedules.ts';
import { overriding } from '../support/overriding.ts';
import { claimedRun } from './claimed-run.ts';
import { DAY, DROP, EXPORT, TUESDAY } from './example-config.ts';
import { openWorker } from './open-worker.ts';
import { asWritten } from '../support/as-written.ts';

const ID = '261116-0000aaaa';

function submitted(id: string, file: string): Run {
  return {
    ...claimedRun('', id),
    queue: profileQueue('main'),
    work: {
      kind: 'import',
      source: { spool: true, name: 'toys.csv', from: file },
      request: { collection: 'Main' },
    },
  };
}

test('a submission that was killed before it was queued is queued by the next worker', async () => {
  await using place = await openWorker('');
  place.dropper('.')('toys.csv', 'name\nRobot\n');
  const spool = new Spool(join(place.folder, 'spool'));
  await spool.put(ID, join(place.folder, 'toys.csv'));
  await new Runs(place.ledger).add(submitted(ID, join(place.folder, 'toys.csv')));
  const { exitCode, runs } = await place.once();
  expect([exitCode, runs[0]?.state]).toEqual([0, 'done']);
  expect(place.sandbox.control.items().map(({ name }) => name)).toEqual(['Robot']);
  // In the words of the person who submitted it.
  const [job] = await place.ledger.jobs.list();
  expect(job?.source.file).toBe(join(place.folder, 'toys.csv'));
});

test('a submission that was killed before its run was recorded leaves its file for a day', async () => {
  await using place = await openWorker('');
  const old = join(place.folder, 'spool', ID);
  mkdirSync(old, { recursive: true });
  writeFileSync(join(old, 'toys.csv'), 'name\n');
  const stores = new Spool(join(place.folder, 'spool'), place.ledger.values);
  place.dropper('.')('toys.csv', 'name\nRobot\n');
  await stores.put('261116-0000bbbb', join(place.folder, 'toys.csv'));
  await stores.put('accounting@2026-06-17T04:00:00.000Z', join(place.folder, 'toys.csv'));
  await place.once();
  expect(existsSync(old)).toBe(true);
  const before = new Date(Date.now() - 2 * DAY);
  utimesSync(old, before, before);
  await place.once();
  expect(existsSync(old)).toBe(false);
  const runs = new Runs(place.ledger);
  await runs.add({
    ...submitted('accounting@2026-06-17T04:00:00.000Z', join(place.folder, 'toys.csv')),
    state: 'delivering',
  });
  await stores.prune(runs, Date.now() - DAY);
  expect(await place.ledger.values.spaces('spool:')).toHaveLength(2);
  await stores.prune(runs, Date.now() + 1);
  expect(await place.ledger.values.spaces('spool:')).toEqual([
    'spool:accounting@2026-06-17T04:00:00.000Z:toys.csv',
  ]);
});

test('upkeep removes entries of ended jobs and lost hosts, and keeps entries of an unreachable host', async () => {
  await using place = await openWorker('');
  const runs = new Runs(place.ledger);
  await using queue = new StoreQueue(place.ledger);
  const dead = hostQueue('a-container-of-yesterday', 'main');
  const run = (id: string, state: Run['state']): Run => ({
    ...claimedRun(place.folder, id),
    queue: dead,
    state,
  });
  for (const each of [run('ended', 'done'), run('waits', 'queued')]) await runs.add(each);
  for (const id of ['ended', 'waits', 'unknown'])
    await queue.add({ id, queue: dead, priority: 'write', notBefore: 0 });
  await place.once();
  const left = await place.ledger.values.list(`queue:${dead}`, { limit: 9 });
  expect(left.map(({ key }) => key.split(' ').at(-1))).toEqual(['waits']);
});

test('a run that the store keeps refusing is not retried endlessly; --once gives up and gives the reason', async () => {
  await using place = await openWorker(EXPORT());
  await place.once({ now: TUESDAY });
  const records = overriding(place.ledger.runs, {
    replace: async () => {
      throw new ShelfliftError('store_failed', asWritten('the store is out of order'));
    },
  });
  const warnings: string[] = [];
  const worker = place.once({
    now: TUESDAY + DAY,
    ledger: overriding(place.ledger, { runs: records }),
    emit: (event) => event.type === 'warning' && warnings.push(event.message),
  });
  await expect(worker).rejects.toThrow('the store is out of order');
  expect(warnings.length).toBeLessThan(12);
});

test('a run of a worker that vanished on another host is taken over when its lease has ended, not before', async () => {
  await using place = await openWorker(EXPORT());
  await place.once({ now: TUESDAY });
  const now = TUESDAY + DAY;
  const file = join(place.folder, 'ledger.db');
  await using client = createClient({ apiUrl: place.sandbox.url, key: place.sandbox.key });
  const elsewhere = openSqliteLedger(file, {
    processes: { current: () => ({ host: 'elsewhere', pid: 1, started: 'then' }), mayStillRun: () => true },
  });
  const fire = now - 3_600_000;
  const run = runOfFire({ schedule: 'accounting', fire, previous: fire - DAY }, profileQueue('main'), now);
  await new Runs(elsewhere).add({ ...run, state: 'running' });
  const queue = new StoreQueue(elsewhere);
  await queue.add(run);
  const service: Service = {
    ...lanesOf('elsewhere', new Map([['main', client.laneId]])),
    parallel: 1,
    now: () => now,
    isDue: () => true,
    left: new Set(),
    once: false,
  };
  expect((await queue.take(service))?.runId).toBe(run.id);
  // No heartbeat any more, and nothing is let go.
  await elsewhere.close();

  const silentSince = Date.now();
  const later = (ms: number) =>
    openSqliteLedger(file, { clock: { ...systemClock, now: () => silentSince + ms } });
  const begun: boolean[] = [];
  const emit = (event: WorkerEvent) => event.type === 'begun' && begun.push(event.takenOver);
  await using soon = later(40_000);
  const stop = new AbortController();
  let looks = 0;
  await place.once({
    now,
    ledger: soon,
    once: false,
    signal: stop.signal,
    emit: (event) => {
      emit(event);
      if (event.type === 'looked' && ++looks === 2) stop.abort();
    },
  });
  expect(begun).toEqual([]);
  await using afterwards = later(51_000);
  const { runs } = await place.once({ now, ledger: afterwards, emit });
  expect(begun).toEqual([true]);
  expect(runs).toMatchObject([{ id: run.id, state: 'done', tries: 0 }]);
});

test('a scheduled report is created, delivered and checked like an export', async () => {
  const yaml = EXPORT()
    .replace('export: items', 'report: inventory')
    .replace('.csv", columns: "id,name"', '.html"');
  await using place = await openWorker(yaml, { seed: 7, seedItems: 12 });
  await place.once({ now: TUESDAY });
  const { exitCode, runs } = await place.once({ now: TUESDAY + DAY });
  expect([exitCode, runs]).toMatchObject([0, [{ state: 'done', deliveries: [{ done: true }] }]]);
  expect(readFileSync(runs[0]?.files?.[0] ?? '', 'utf8')).toContain('<!doctype html>');
  expect(runs[0]?.files?.[0]).toBe(join(place.folder, 'out/items-2026-06-17.html'));
});

test('--once reports that it was interrupted if it is asked to stop', async () => {
  await using place = await openWorker(DROP);
  place.dropper('drop')('toys.csv', 'name\nRobot\n');
  const stop = new AbortController();
  const { exitCode } = await place.once({
    signal: stop.signal,
    emit: ({ type }) => type === 'looked' && stop.abort(),
  });
  expect(exitCode).toBe(130);
});
