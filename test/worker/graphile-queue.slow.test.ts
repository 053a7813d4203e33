import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { openQueue } from '../../src/worker/queue/open-queue.ts';
import {
  lanesOf,
  profileQueue,
  type Queue,
  type QueueLease,
  type Service,
} from '../../src/worker/queue/queue.ts';
import { Runs } from '../../src/worker/queue/runs.ts';
import { StoreQueue } from '../../src/worker/queue/store-queue.ts';
import { manualRun } from '../../src/worker/schedule/schedules.ts';
import { PASSWORD, POSTGRES, usePostgres } from '../support/postgres.ts';
import { toys } from '../support/csv.ts';
import { DAY, DROP, EXPORT, TUESDAY } from './example-config.ts';
import { openWorker } from './open-worker.ts';

const SERVICE: Service = {
  ...lanesOf('host', new Map([['main', 'lane']])),
  parallel: 1,
  now: Date.now,
  isDue: () => true,
  left: new Set<string>(),
  once: false,
};

async function leaseOf(queue: Queue): Promise<QueueLease> {
  for (;;) {
    const lease = await queue.take(SERVICE);
    if (lease !== undefined) return lease;
    await systemClock.sleep(100);
  }
}

/** Takes a run and ends it. */
async function nextOf(queue: Queue): Promise<string> {
  const lease = await leaseOf(queue);
  await lease.finish();
  return lease.runId;
}

describe.skipIf(POSTGRES.length === 0)('the queue on PostgreSQL', () => {
  const server = usePostgres(POSTGRES.at(-1));

  it('ends even if nobody took the run that it offered, and keeps no lease of that run', async () => {
    const store = await server.newDatabase();
    await using ledger = await openLedger(store);
    const service: Service = {
      ...lanesOf('host', new Map([['main', 'lane']])),
      parallel: 2,
      now: Date.now,
      isDue: (_, notBefore) => notBefore <= Date.now(),
      left: new Set<string>(),
      once: false,
    };
    const queue = await openQueue(ledger);
    const woken = Promise.withResolvers<void>();
    await queue.start(service, woken.resolve);
    await queue.add({ id: 'one', queue: profileQueue('main'), priority: 'read', notBefore: Date.now() });
    await woken.promise;
    await queue[Symbol.asyncDispose]();
    expect(await ledger.lanes.holders()).toEqual([]);
    // Still to be done, by the next worker.
    await using next = await openQueue(ledger);
    const again = Promise.withResolvers<void>();
    await next.start(service, again.resolve);
    await again.promise;
    const lease = await next.take(service);
    expect(lease?.runId).toBe('one');
    await lease?.finish();
  });

  it('takes over the entries of the store’s queue, and records a run and its entry together or not at all', async () => {
    const store = await server.newDatabase();
    await using ledger = await openLedger(store);
    const before = new StoreQueue(ledger);
    const soon = Date.now() + 3_600_000;
    await before.add({ id: 'due', queue: profileQueue('main'), priority: 'write', notBefore: 1 });
    await before.add({ id: 'later', queue: profileQueue('main'), priority: 'read', notBefore: soon });
    await using queue = await openQueue(ledger);
    expect(await ledger.values.spaces('queue:')).toEqual([]);
    const entries = async () =>
      (
        await server.run(
          `SELECT key, priority, run_at <= now() AS due FROM shelflift_queue.jobs ORDER BY key`,
          store,
        )
      ).rows;
    expect(await entries()).toEqual([
      { key: 'due', priority: 1, due: true },
      { key: 'later', priority: 0, due: false },
    ]);

    const runs = new Runs(ledger);
    const run = manualRun('one', { cron: '0 6 * * *', timeZone: 'UTC', profile: 'main' }, Date.now());
    expect([await queue.enqueue(run, runs), await queue.enqueue({ ...run }, runs)]).toEqual([true, false]);
    expect(await entries()).toHaveLength(3);
    await server.run('ALTER FUNCTION shelflift_queue.add_job RENAME TO away', store);
    await expect(queue.enqueue({ ...run, id: 'two' }, runs)).rejects.toMatchObject({ code: 'store_failed' });
    expect(await runs.get('two')).toBeUndefined();
  });

  it('unlocks the entries of a silent worker', async () => {
    const store = await server.newDatabase();
    await using ledger = await openLedger(store);
    await using queue = await openQueue(ledger);
    for (const id of ['one', 'two'])
      await queue.add({ id, queue: profileQueue('main'), priority: 'read', notBefore: Date.now() });
    const locked = `locked_at = now() - interval '55 s', locked_by = 'pool-of-the-dead'`;
    await server.run(`UPDATE shelflift_queue._private_jobs SET attempts = 9, ${locked}`, store);
    await server.run(`UPDATE shelflift_queue._private_job_queues SET ${locked}`, store);
    await server.run(
      `INSERT INTO shelflift.lanes VALUES ('worker:pool-of-the-dead', 'x', 'x', 'far', 'far', 1, 'x', 1, 1)`,
      store,
    );
    await queue.start(SERVICE, () => undefined);
    const taken = [await nextOf(queue), await nextOf(queue)];
    expect(taken.sort()).toEqual(['one', 'two']);
  });

  it('runs an import that has waited too long before any reads', async () => {
    const store = await server.newDatabase();
    await using ledger = await openLedger(store);
    await using queue = await openQueue(ledger);
    await queue.start(SERVICE, () => undefined);
    await queue.add({ id: 'first', queue: profileQueue('main'), priority: 'read', notBefore: Date.now() });
    const first = await leaseOf(queue);
    // Both wait while the key is busy, until the import is known to have waited too long.
    const waited = Date.now() - 40_000;
    await queue.add({ id: 'read', queue: profileQueue('main'), priority: 'read', notBefore: waited });
    await queue.add({ id: 'write', queue: profileQueue('main'), priority: 'write', notBefore: waited });
    const isFirst = async () =>
      (await server.run(`SELECT key FROM shelflift_queue.jobs WHERE key = 'write' AND priority < 0`, store))
        .rows.length === 1;
    while (!(await isFirst())) {
      expect(await queue.take(SERVICE)).toBeUndefined();
      await systemClock.sleep(100);
    }
    await first.finish();
    expect([await nextOf(queue), await nextOf(queue)]).toEqual(['write', 'read']);
  });

  it('leaves runs with keys that are in use, or that it lacks, to other workers without losing their order', async () => {
    const store = await server.newDatabase();
    await using ledger = await openLedger(store);
    const open = async (keys: string[]) => {
      const service: Service = {
        ...lanesOf('host', new Map(keys.map((key) => [key, `lane-${key}`]))),
        parallel: 4,
        now: Date.now,
        isDue: (_, notBefore) => notBefore <= Date.now(),
        left: new Set<string>(),
        once: false,
      };
      const queue = await openQueue(ledger);
      let woken = Promise.withResolvers<void>();
      await queue.start(service, () => woken.resolve());
      /** The next run, or undefined if nothing was handed out while `until` was not met. */
      const next = async (until: () => Promise<boolean> | boolean = () => false) => {
        for (;;) {
          const lease = await queue.take(service);
          if (lease !== undefined || (await until())) return lease;
          await Promise.race([woken.promise, systemClock.sleep(100)]);
          woken = Promise.withResolvers();
        }
      };
      return { queue, next, [Symbol.asyncDispose]: () => queue[Symbol.asyncDispose]() };
    };
    await using first = await open(['main']);
    // Far enough from each other: a time becomes the database's when the entry arrives there.
    const at = Date.now() - 60_000;
    const add = (id: string, key: string, order: number) =>
      first.queue.add({ id, queue: profileQueue(key), priority: 'read', notBefore: at + order * 10_000 });
    await add('one', 'main', 1);
    const one = await first.next();
    expect(one?.runId).toBe('one');
    for (const [index, id] of ['two', 'three', 'four'].entries()) await add(id, 'main', 2 + index);
    await add('of-another', 'second', 5);
    // One that is given back is a new entry.
    const waiting = async () =>
      (await server.run(`SELECT id FROM shelflift_queue.jobs WHERE key <> 'one' ORDER BY id LIMIT 3`, store))
        .rows;
    const before = await waiting();

    await using second = await open(['main', 'second']);
    // Handed out although three runs of a key that is busy elsewhere come before it.
    const other = await second.next();
    expect(other?.runId).toBe('of-another');
    await other?.finish();
    const looks = performance.now() + 3_000;
    expect(await second.next(() => performance.now() > looks)).toBeUndefined();
    expect(await waiting()).toEqual(before);
    await second.queue[Symbol.asyncDispose]();
    await one?.finish();
    const order: string[] = [];
    while (order.length < 3) {
      const lease = await first.next();
      order.push(lease?.runId ?? '');
      await lease?.finish();
    }
    expect(order).toEqual(['two', 'three', 'four']);
  });

  it('uses a schema that its owner has created if the role may not create one', async () => {
    const url = await server.newDatabase();
    await server.run(`CREATE ROLE lift LOGIN PASSWORD '${PASSWORD}'`);
    await server.run(`REVOKE CREATE ON DATABASE ${new URL(url).pathname.slice(1)} FROM PUBLIC`);
    await server.run('CREATE SCHEMA shelflift AUTHORIZATION lift', url);
    await using ledger = await openLedger(Object.assign(new URL(url), { username: 'lift' }).href);
    const warnings: string[] = [];
    expect(await openQueue(ledger, (message) => warnings.push(message))).toBeInstanceOf(StoreQueue);
    expect(warnings).toEqual([expect.stringContaining('CREATE SCHEMA shelflift_queue AUTHORIZATION lift')]);
    await server.run('CREATE SCHEMA shelflift_queue AUTHORIZATION lift', url);
    await using queue = await openQueue(ledger, (message) => warnings.push(message));
    await queue.add({ id: 'one', queue: profileQueue('main'), priority: 'read', notBefore: 1 });
    expect((await server.run('SELECT key FROM shelflift_queue.jobs', url)).rows).toEqual([{ key: 'one' }]);
    expect(warnings).toHaveLength(1);
  });

  it('serves a role that owns only its schema, by polling the entries', async () => {
    const url = await server.newDatabase();
    const { pathname } = new URL(url);
    await server.run(`CREATE ROLE shelf LOGIN PASSWORD '${PASSWORD}'`);
    await server.run(`REVOKE CREATE, TEMPORARY ON DATABASE ${pathname.slice(1)} FROM PUBLIC`);
    await server.run('CREATE SCHEMA shelflift AUTHORIZATION shelf', url);
    const store = Object.assign(new URL(url), { username: 'shelf' }).href;
    await using place = await openWorker(EXPORT() + DROP, {}, store);
    await place.once({ now: TUESDAY });
    const once = await place.once({ now: TUESDAY + DAY });
    expect(once.runs).toMatchObject([{ state: 'done', tries: 0 }]);
    expect(existsSync(join(place.folder, 'out/items-2026-06-17.csv'))).toBe(true);

    const stop = new AbortController();
    const daemon = place.once({
      now: TUESDAY + DAY,
      once: false,
      signal: stop.signal,
      emit: (event) => {
        if (event.type === 'ended') stop.abort();
      },
    });
    place.dropper('drop')('toys.csv', toys(2));
    place.dropper('drop')('toys.csv.ready', '');
    await daemon;
    expect(place.sandbox.control.items()).toHaveLength(2);
  });

  it('survives an outage of the store that is longer than the statement timeout, with runs in progress', async () => {
    const store = `${await server.newDatabase()}?reconnect=1`;
    await using place = await openWorker(DROP, { rateLimit: '20/1s' }, store);
    const stop = new AbortController();
    const warnings: string[] = [];
    const daemon = place.once({
      once: false,
      signal: stop.signal,
      emit: (event) => {
        if (event.type === 'warning') warnings.push(event.message);
        if (event.type === 'ended' && event.run.state === 'done') stop.abort();
      },
    });
    place.dropper('drop')('toys.csv', toys(60));
    place.dropper('drop')('toys.csv.ready', '');
    while (place.sandbox.control.items().length < 10) await systemClock.sleep(20);
    await server.stop();
    while (!warnings.some((text) => text.includes('the store failed'))) await systemClock.sleep(20);
    await systemClock.sleep(1_500);
    await server.start();
    const end = await daemon;
    expect(end.runs).toMatchObject([{ state: 'done', tries: 0, rows: 60 }]);
    expect(new Set(place.sandbox.control.items().map(({ name }) => name)).size).toBe(60);
    expect(place.sandbox.control.items()).toHaveLength(60);
    expect(warnings.at(-1)).toMatch(/the store works again, after \d+ s/);
  });

  it('ends --once with exit code 6 if the store stays unreachable', async () => {
    const store = `${await server.newDatabase()}?reconnect=0`;
    await using place = await openWorker(DROP, {}, store);
    // Half a minute of waiting passes in a second.
    const clock: Clock = {
      ...systemClock,
      monotonic: () => systemClock.monotonic() * 30,
      after: (ms, then) => systemClock.after(ms / 30, then),
    };
    await server.stop();
    try {
      await expect(place.once({ clock })).rejects.toMatchObject({ code: 'store_unreachable', exitCode: 6 });
    } finally {
      await server.start();
    }
  });

  it('passes a run to the worker that knows it if the older of two configurations does not', async () => {
    const store = await server.newDatabase();
    await using place = await openWorker(EXPORT(), {}, store);
    const stop = new AbortController();
    const warned = Promise.withResolvers<string>();
    const older = place.once({
      once: false,
      signal: stop.signal,
      emit: (event) => event.type === 'warning' && warned.resolve(event.message),
    });
    const yaml = readFileSync(join(place.folder, 'shelflift.yaml'), 'utf8');
    writeFileSync(join(place.folder, 'shelflift.yaml'), yaml.replace('accounting:', 'newer:'));
    const run = manualRun('newer', { cron: '0 6 * * *', timeZone: 'UTC', profile: 'main' }, Date.now());
    await using queue = await openQueue(place.ledger);
    await queue.enqueue(run, new Runs(place.ledger));
    expect(await warned.promise).toContain(run.id);
    expect(await place.once()).toMatchObject({
      exitCode: 0,
      runs: [{ id: run.id, state: 'done', tries: 0 }],
    });
    stop.abort();
    expect((await older).runs).toEqual([]);
    expect(await place.ledger.values.spaces('queue:')).toEqual([]);
  });
});
