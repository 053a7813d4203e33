/** What goes wrong around a worker: stores that fail, folders that go away, strangers in folders, other workers. */
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { ShelfliftError } from '../../src/base/errors.ts';
import { deliveryQueue, lanesOf, type Service } from '../../src/worker/queue/queue.ts';
import { Runs } from '../../src/worker/queue/runs.ts';
import { StoreQueue } from '../../src/worker/queue/store-queue.ts';
import { Spool } from '../../src/worker/queue/spool.ts';
import { overriding } from '../support/overriding.ts';
import { claimedRun } from './claimed-run.ts';
import { DAY, DROP, EXPORT, TUESDAY } from './example-config.ts';
import { openWorker } from './open-worker.ts';
import { asWritten } from '../support/as-written.ts';

const CLAIMED = '261116-0000aaaa';

function service(host = hostname()): Service {
  const lanes = lanesOf(host, new Map([['main', 'lane']]));
  return {
    ...lanes,
    parallel: 1,
    now: Date.now,
    isDue: (_, notBefore) => notBefore <= Date.now(),
    left: new Set(),
    once: false,
  };
}

test('if the store fails while a run is claimed, neither the lane nor its lease is kept', async () => {
  await using place = await openWorker('');
  const failures = [new Error('gone'), new Error('gone once more')];
  const failing = (name: 'acquire' | 'list') => () => {
    const error = failures.shift();
    if (error !== undefined) throw error;
    return name;
  };
  const acquire = failing('acquire');
  const listed = failing('list');
  let leased = false;
  const ledger = overriding(place.ledger, {
    lanes: overriding(place.ledger.lanes, {
      acquire: async (lane, job) => {
        acquire();
        leased = true;
        return place.ledger.lanes.acquire(lane, job);
      },
    }),
    values: overriding(place.ledger.values, {
      list: async (space, page) => {
        if (leased) listed();
        return place.ledger.values.list(space, page);
      },
    }),
  });
  await using queue = new StoreQueue(ledger);
  await queue.add({ id: 'one', queue: 'profile:main', priority: 'read', notBefore: 0 });
  await expect(queue.take(service())).rejects.toThrow('gone');
  await expect(queue.take(service())).rejects.toThrow('gone once more');
  expect(await place.ledger.lanes.holders()).toEqual([]);
  const turn = await queue.take(service());
  expect(turn?.runId).toBe('one');
  await turn?.finish();
});

test('a claimed file that waits for its next try is neither tried early nor queued twice by the folder watch', async () => {
  await using place = await openWorker(DROP);
  const run = claimedRun(place.folder, CLAIMED, Date.now() + 3_600_000);
  mkdirSync(join(place.folder, 'drop/processing', CLAIMED), { recursive: true });
  writeFileSync(join(place.folder, 'drop/processing', CLAIMED, 'toys.csv'), 'name\nRobot\n');
  await new Runs(place.ledger).add(run);
  await using queue = new StoreQueue(place.ledger);
  await queue.add(run);
  const stop = new AbortController();
  let looks = 0;
  await place.once({
    once: false,
    signal: stop.signal,
    emit: ({ type }) => {
      if (type === 'looked') looks += 1;
      if (looks === 2) stop.abort();
    },
  });
  expect(await place.ledger.values.list(`queue:${run.queue}`, { limit: 9 })).toHaveLength(1);
  expect(place.sandbox.control.items()).toEqual([]);
});

test('a watched folder that disappears is reported, and does not stop other work', async () => {
  await using place = await openWorker(`${DROP}  - { path: ./share, profile: main }\n`);
  const stop = new AbortController();
  const warnings: string[] = [];
  let gone = false;
  const worker = place.once({
    once: false,
    signal: stop.signal,
    emit: (event) => {
      if (event.type === 'warning') warnings.push(event.message);
      if (event.type !== 'looked' || gone) return;
      gone = true;
      rmSync(join(place.folder, 'share'), { recursive: true });
      writeFileSync(join(place.folder, 'share'), '');
      place.dropper('drop')('toys.csv', 'name\nRobot\n');
      place.dropper('drop')('toys.csv.ready', '');
    },
  });
  while (place.sandbox.control.items().length === 0) await systemClock.sleep(20);
  stop.abort();
  await worker;
  expect(warnings).toEqual([expect.stringContaining('is a file, not a folder')]);
});

test('a link in processing/ is not followed, because its target would be shown in the results', async () => {
  await using place = await openWorker(DROP);
  writeFileSync(join(place.folder, 'private.csv'), 'name\nSecret\n');
  mkdirSync(join(place.folder, 'drop/processing', CLAIMED), { recursive: true });
  symlinkSync(join(place.folder, 'private.csv'), join(place.folder, 'drop/processing', CLAIMED, 'toys.csv'));
  symlinkSync(join(place.folder, 'private.csv'), join(place.folder, 'drop/other.csv'));
  expect((await place.once()).runs).toEqual([]);
  expect(readdirSync(join(place.folder, 'drop/done'))).toEqual([]);
  expect(place.sandbox.control.items()).toEqual([]);
});

test('a paused worker does not deliver a run again that another worker has taken over and ended', async () => {
  await using place = await openWorker(EXPORT());
  await place.once({ now: TUESDAY });
  const warnings: string[] = [];
  let ended: Promise<void> | undefined;
  await place.once({
    now: TUESDAY + DAY,
    emit: (event) => {
      if (event.type === 'warning') warnings.push(event.message);
      if (event.type !== 'export' || ended !== undefined) return;
      ended = (async () => {
        const other = new Runs(place.ledger);
        const run = await other.get(event.run.id);
        if (run !== undefined)
          await other.save(Object.assign(run, { state: 'done', endedAt: TUESDAY + DAY }));
      })();
    },
  });
  await ended;
  expect(warnings).toEqual([expect.stringContaining('Another process has taken over this key')]);
  expect(existsSync(join(place.folder, 'out'))).toBe(false);
  expect((await new Runs(place.ledger).list()).map(({ state }) => state)).toEqual(['done']);
});

test('an idle worker leaves no timer behind when it is stopped', async () => {
  await using place = await openWorker('');
  const stop = new AbortController();
  const waiting = new Set<symbol>();
  const clock: Clock = {
    ...systemClock,
    after: (ms, callback) => {
      const timer = Symbol('timer');
      waiting.add(timer);
      const cancel = systemClock.after(ms, () => {
        waiting.delete(timer);
        callback();
      });
      return () => {
        waiting.delete(timer);
        cancel();
      };
    },
    sleep: (ms, signal) => {
      const timer = Symbol('sleep');
      waiting.add(timer);
      return systemClock.sleep(ms, signal).finally(() => waiting.delete(timer));
    },
  };
  await place.once({
    clock,
    once: false,
    signal: stop.signal,
    emit: ({ type }) => type === 'looked' && stop.abort(),
  });
  expect([...waiting]).toEqual([]);
});

test('a worker serves deliveries under any host name, because host names of containers change', () => {
  expect(service('a-container').laneOf(deliveryQueue('accounting@2026'))).toBeDefined();
});

test('a watched folder that cannot be created is reported; the others are served, and the exit code shows it', async () => {
  await using place = await openWorker(`${DROP}  - { path: ./blocker/share, profile: main }\n`);
  writeFileSync(join(place.folder, 'blocker'), '');
  place.dropper('drop')('toys.csv', 'name\nRobot\n');
  place.dropper('drop')('toys.csv.ready', '');
  const warnings: string[] = [];
  const { exitCode, runs } = await place.once({
    emit: (event) => event.type === 'warning' && warnings.push(event.message),
  });
  expect(exitCode).toBe(6);
  expect(runs.map(({ state }) => state)).toEqual(['done']);
  expect(warnings).toEqual([expect.stringContaining('blocker')]);
});

test('a store that another program has locked for a while does not end the worker', async () => {
  await using place = await openWorker(EXPORT());
  await place.once({ now: TUESDAY });
  let locked = false;
  const values = overriding(place.ledger.values, {
    get: async (space, key) => {
      if (!locked) {
        locked = true;
        throw new ShelfliftError('store_locked', asWritten('the store is locked by another program'));
      }
      return place.ledger.values.get(space, key);
    },
  });
  const { runs } = await place.once({ now: TUESDAY + DAY, ledger: overriding(place.ledger, { values }) });
  expect(runs.map(({ state }) => state)).toEqual(['done']);
});

test('a machine keeps no files of a run that another machine may continue', async () => {
  await using place = await openWorker(`${EXPORT()}\nretries: { backoff: 1h }\n`);
  const spool = (name: string) => new Spool(join(place.folder, name), place.ledger.values);
  const kept = (name: string) =>
    existsSync(join(place.folder, name)) ? readdirSync(join(place.folder, name)) : [];
  await place.once({ now: TUESDAY });
  writeFileSync(join(place.folder, 'out'), '');
  const stop = new AbortController();
  await place.once({
    now: TUESDAY + DAY,
    spool: spool('here'),
    once: false,
    signal: stop.signal,
    emit: ({ type }) => type === 'delivery_failed' && stop.abort(),
  });
  expect(kept('here')).toEqual([]);
  rmSync(join(place.folder, 'out'));
  await place.once({ now: TUESDAY + DAY, spool: spool('there') });
  expect(readdirSync(join(place.folder, 'out'))).toContain('items-2026-06-17.csv');
  expect(kept('there')).toEqual([]);
});
