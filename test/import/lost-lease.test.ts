import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ApiClient } from '../../src/api/client.ts';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { ShelfliftError } from '../../src/base/errors.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { LEASE_BEAT_MS } from '../../src/ledger/lease-freshness.ts';
import { systemProcesses } from '../../src/ledger/process-identity.ts';
import { openSqliteLedger } from '../../src/ledger/sqlite/sqlite-ledger.ts';
import { asWritten } from '../support/as-written.ts';
import { toyName, toyNames, toys } from '../support/csv.ts';
import { openImport } from '../support/open-import.ts';
import { overriding } from '../support/overriding.ts';
import { patientClock } from '../export/support.ts';

/** A clock that can be set forward, as time goes on for everybody while a process is stopped. */
function sharedClock(): Clock & { pass(ms: number): void } {
  let passed = 0;
  return {
    ...systemClock,
    now: () => systemClock.now() + passed,
    monotonic: () => systemClock.monotonic() + passed,
    // Whoever is stopped has no heartbeat; all other timers are shorter.
    after: (ms, callback) => (ms >= LEASE_BEAT_MS ? () => undefined : systemClock.after(ms, callback)),
    pass: (ms) => {
      passed += ms;
    },
  };
}

/** Stops before a create of this name reaches the client, until `goOn`. */
function stoppedAt(name: string) {
  const reached = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const wrap = (client: ApiClient): ApiClient =>
    overriding(client, {
      createItem: async (...[body, options]: Parameters<ApiClient['createItem']>) => {
        if (body.name === name) {
          reached.resolve();
          await goOn.promise;
        }
        return client.createItem(body, options);
      },
    });
  return { reached: reached.promise, goOn: goOn.resolve, wrap };
}

describe('a process that pauses between its intent and the request, and whose job another host takes over,', () => {
  it('sends nothing when it wakes up, and leaves the state of the job to the other host', async () => {
    await using it = await openImport();
    const file = await it.file('toys.csv', toys(6));
    const clock = sharedClock();
    await using first = openSqliteLedger(it.store, {
      clock,
      processes: { ...systemProcesses, current: () => ({ host: 'one', pid: 1, started: '1' }) },
    });
    await using second = openSqliteLedger(it.store, {
      clock,
      processes: { ...systemProcesses, current: () => ({ host: 'two', pid: 2, started: '2' }) },
    });
    const stop = stoppedAt(toyName(3));
    // One in flight: whatever else this process does would show that it is there.
    const client = { clock, maxConcurrency: 1 };
    const setting = { ledger: first, clock, wrap: stop.wrap, client };
    const stopped = it.import({ file }, setting);
    await stop.reached;

    const early = await it.resume('last', {}, { ledger: second, clock });
    expect(early.summary.error?.message).toContain('on one (pid 1) since');

    clock.pass(61_000);
    const taken = await it.resume('last', {}, { ledger: second, clock });
    expect(taken).toMatchObject({ exitCode: 0, summary: { state: 'done', rows: { created: 6 } } });

    stop.goOn();
    const woken = await stopped;
    expect(woken).toMatchObject({ exitCode: 130, summary: { state: 'interrupted' } });
    expect(it.names()).toEqual(toyNames(6));
    expect((await it.ledger.jobs.find('last')).state).toBe('done');
  });

  it('leaves the state of the job to that host even if the process is stopped by Ctrl-C', async () => {
    await using it = await openImport();
    const file = await it.file('toys.csv', toys(6));
    const clock = sharedClock();
    const processes = (host: string) => ({
      ...systemProcesses,
      current: () => ({ host, pid: 1, started: '1' }),
    });
    await using first = openSqliteLedger(it.store, { clock, processes: processes('one') });
    await using second = openSqliteLedger(it.store, { clock, processes: processes('two') });
    const stop = stoppedAt(toyName(3));
    const controller = new AbortController();
    const client = { clock, maxConcurrency: 1 };
    const { signal } = controller;
    const stopped = it.import({ file }, { ledger: first, clock, wrap: stop.wrap, client, signal });
    await stop.reached;
    clock.pass(61_000);
    const taken = await it.resume('last', {}, { ledger: second, clock });
    expect(taken).toMatchObject({ exitCode: 0, summary: { state: 'done', rows: { created: 6 } } });
    controller.abort();
    stop.goOn();
    expect(await stopped).toMatchObject({ exitCode: 130, summary: { state: 'interrupted' } });
    expect((await it.ledger.jobs.find('last')).state).toBe('done');
  });

  it('a process that pauses between its intent and the request continues if no other host has taken over its job', async () => {
    await using it = await openImport();
    const file = await it.file('toys.csv', toys(6));
    const clock = sharedClock();
    await using ledger = openSqliteLedger(it.store, { clock });
    const stop = stoppedAt(toyName(3));
    const stopped = it.import({ file }, { ledger, clock, wrap: stop.wrap, client: { clock } });
    await stop.reached;
    clock.pass(3_600_000);
    stop.goOn();
    expect(await stopped).toMatchObject({ exitCode: 0, summary: { state: 'done', rows: { created: 6 } } });
    expect(it.names()).toEqual(toyNames(6));
  });
});

/** A store in which another process sends the rest of the job as soon as this one has read the rows for its results. */
function overtaken(it: Awaited<ReturnType<typeof openImport>>, other: Ledger) {
  let isRead = false;
  const rows = overriding(it.ledger.rows, {
    list: async (...[job, query]: Parameters<Ledger['rows']['list']>) => {
      const found = await it.ledger.rows.list(job, query);
      const isResults = query.states === undefined && found.length === 6 && found[0]?.state === 'done';
      if (isResults && !isRead) {
        isRead = true;
        expect((await it.resume(job, {}, { ledger: other })).exitCode).toBe(0);
      }
      return found;
    },
  });
  return { rows, isRead: () => isRead };
}

it('a process that had read the rows rewrites the results file if another process has sent the rest meanwhile', async () => {
  await using it = await openImport();
  const file = await it.file('toys.csv', toys(6));
  await using other = openSqliteLedger(it.store);
  const { rows, isRead } = overtaken(it, other);
  const { summary } = await it.import(
    { file, run: { first: 2 } },
    { ledger: overriding(it.ledger, { rows }) },
  );
  expect(isRead()).toBe(true);
  const results = await it.read(join(it.folder, 'toys.results.csv'));
  expect(results.match(/,created,/g)).toHaveLength(6);
  expect(summary.files.results).toBe(join(it.folder, 'toys.results.csv'));
});

it('a process whose store is gone before it can compare leaves the results file of the process that sent the rest', async () => {
  await using it = await openImport();
  const file = await it.file('toys.csv', toys(6));
  await using other = openSqliteLedger(it.store);
  const { rows, isRead } = overtaken(it, other);
  const away = overriding(rows, {
    counts: async (job: string) => {
      if (isRead()) throw new ShelfliftError('store_locked', asWritten('the store is away'));
      return it.ledger.rows.counts(job);
    },
  });
  await it
    .import({ file, run: { first: 2 } }, { ledger: overriding(it.ledger, { rows: away }) })
    .catch(() => undefined);
  expect(isRead()).toBe(true);
  const results = await it.read(join(it.folder, 'toys.results.csv'));
  expect(results.match(/,created,/g)).toHaveLength(6);
});

it('jobs resume --take-over continues a job whose machine is gone, even if its clock was wrong', async () => {
  await using it = await openImport();
  const file = await it.file('toys.csv', toys(3));
  const { summary } = await it.import({ file, run: { first: 1 } });
  const ahead: Clock = { ...systemClock, now: () => Date.now() + 172_800_000, after: () => () => undefined };
  const elsewhere = openSqliteLedger(it.store, {
    clock: ahead,
    processes: { ...systemProcesses, current: () => ({ host: 'one', pid: 1, started: '1', machine: 'one' }) },
  });
  // The job's own lane, and its key's: the same job, or another one.
  await elsewhere.lanes.acquire(`job ${summary.job}`, summary.job);
  await it.run((deps) => elsewhere.lanes.acquire(deps.client.laneId, 'another'));
  await elsewhere.close();
  const clock = patientClock();
  await using ledger = openSqliteLedger(it.store, { clock });
  expect(await it.resume(summary.job, {}, { ledger, clock })).toMatchObject({
    exitCode: 2,
    summary: { error: { code: 'job_runs_elsewhere' } },
  });
  const { exitCode } = await it.resume(summary.job, { takeOver: true, quietPeriodMs: 0 }, { ledger, clock });
  expect(exitCode).toBe(0);
  expect(it.names()).toEqual(toyNames(3));
});
