import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../src/clock.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { parsePostgresLocation } from '../../src/ledger/postgres/location.ts';
import { GraphileQueue } from '../../src/worker/queue/graphile-queue.ts';
import { lanesOf, profileQueue, type Service } from '../../src/worker/queue/queue.ts';
import { Runs } from '../../src/worker/queue/runs.ts';
import { manualRun } from '../../src/worker/schedule/schedules.ts';
import { PASSWORD, POSTGRES, usePostgres } from '../support/postgres.ts';
import { toys } from '../support/csv.ts';
import { DAY, DROP, EXPORT, TUESDAY } from './example-config.ts';
import { openWorker } from './open-worker.ts';

describe.skipIf(POSTGRES.length === 0)('the queue on PostgreSQL', () => {
  const server = usePostgres(POSTGRES.at(-1));

  it('ends although nobody took what it had handed over, and keeps no lease of it', async () => {
    const store = await server.newDatabase();
    await using ledger = await openLedger(store);
    const service: Service = {
      ...lanesOf('host', new Map([['main', 'lane']])),
      parallel: 2,
      now: Date.now,
      isDue: (_, notBefore) => notBefore <= Date.now(),
      isLeft: () => false,
    };
    const queue = new GraphileQueue(ledger, parsePostgresLocation(store), systemClock);
    const woken = Promise.withResolvers<void>();
    await queue.start(service, woken.resolve);
    await queue.add({ id: 'one', queue: profileQueue('main'), priority: 'read', notBefore: Date.now() });
    await woken.promise;
    await queue[Symbol.asyncDispose]();
    expect(await ledger.lanes.holders()).toEqual([]);
    // Still to be done, by the next worker.
    await using next = new GraphileQueue(ledger, parsePostgresLocation(store), systemClock);
    expect((await next.take(service))?.runId).toBe('one');
  });

  it('serves a role that owns its schema and nothing else, by looking at the entries', async () => {
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

  it('outlasts an outage of the store that is longer than a statement waits, with runs in flight', async () => {
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

  it('ends --once with 6 where the store stays away', async () => {
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

  it('hands a run that the older of two configurations does not know to the worker that knows it', async () => {
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
    await new Runs(place.ledger).add(run);
    await using queue = new GraphileQueue(place.ledger, parsePostgresLocation(store), systemClock);
    await queue.add(run);
    expect(await warned.promise).toContain(`jobs cancel ${run.id}`);
    expect(await place.once()).toMatchObject({
      exitCode: 0,
      runs: [{ id: run.id, state: 'done', tries: 0 }],
    });
    stop.abort();
    expect((await older).runs).toEqual([]);
    expect(await place.ledger.values.spaces('queue:')).toEqual([]);
  });
});
