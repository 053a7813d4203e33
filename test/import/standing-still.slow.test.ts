import { describe, expect, it } from 'vitest';
import type { ApiClient } from '../../src/api/client.ts';
import { correctAndReport } from '../../src/import/correction/correct-job.ts';
import { StoreFullError } from '../../src/ledger/sqlite/database.ts';
import { openSqliteLedger } from '../../src/ledger/sqlite/sqlite-ledger.ts';
import { stateAtEnd } from '../../src/import/write/write-end.ts';
import { csv, toyNames, toys } from '../support/csv.ts';
import { openImport } from '../support/open-import.ts';
import { overriding } from '../support/overriding.ts';

describe.concurrent('limit_reached', () => {
  it('parks creates at once, and a resume continues when there is room', async () => {
    await using it = await openImport({ planLimit: 7 });
    const file = await it.file('toys.csv', toys(20));
    const parked = await it.import({ file });
    expect(parked).toMatchObject({
      exitCode: 4,
      summary: { state: 'parked_limit', rows: { read: 20, created: 7, pending: 13, refused: 0 } },
    });
    const again = await it.import({ file });
    expect(again).toMatchObject({ exitCode: 4, summary: { job: parked.summary.job } });
    const still = await it.resume('last');
    expect(still.exitCode).toBe(4);
    // One real create was the probe.
    expect(still.summary.rows).toMatchObject({ created: 7, pending: 13 });
    it.sandbox.control.setPlanLimit(null);
    expect(await it.resume('last')).toMatchObject({ exitCode: 0, summary: { state: 'done' } });
    expect(it.names()).toEqual(toyNames(20));
  });

  it('at the first create parks the job after a single request, without a refused row', async () => {
    await using it = await openImport({ planLimit: 0 });
    const file = await it.file('toys.csv', toys(9));
    const { summary, exitCode } = await it.import({ file });
    expect(exitCode).toBe(4);
    expect(summary.rows).toMatchObject({ created: 0, refused: 0, pending: 9 });
    expect(it.sandbox.control.counts().byOperation.createItem).toEqual({ '403': 1 });
  });

  it('does not stop the updates of the same job', async () => {
    await using it = await openImport({ planLimit: 3 });
    const skus = ['a', 'b', 'c'];
    it.sandbox.control.insertItems(skus.map((sku) => ({ name: sku, custom_fields: { sku } })));
    const rows = ['new', ...skus].map((sku) => [sku, `name of ${sku}`, 'sold']);
    const file = await it.file('u.csv', csv(['sku', 'name', 'status'], rows));
    const match = ['custom_fields.sku'];
    const map = { 'custom_fields.sku': 'sku' };
    const { summary, exitCode } = await it.import({ file, mode: 'upsert', match, map });
    expect(exitCode).toBe(4);
    expect(summary.rows).toMatchObject({ updated: 3, created: 0, pending: 1 });
  });
});

describe.concurrent('a key', () => {
  it('that is revoked halfway parks the job (exit code 5), and another key of the team continues it', async () => {
    await using it = await openImport({ latencyMs: 5 });
    const file = await it.file('toys.csv', toys(200));
    const { secret } = it.sandbox.control.addKey();
    let revoked = false;
    const { summary, exitCode } = await it.import(
      { file },
      {
        client: {
          key: secret,
          onRequest: ({ operation }) => {
            if (operation === 'createItem' && !revoked) revoked = it.sandbox.control.revokeKey(secret);
          },
        },
      },
    );
    expect(exitCode).toBe(5);
    expect(summary).toMatchObject({ state: 'parked_unauthorised', error: { code: 'unauthorized' } });
    expect(summary.rows.created).toBeLessThan(200);
    expect(await it.resume('last')).toMatchObject({ exitCode: 0, summary: { rows: { created: 200 } } });
    expect(it.names()).toEqual(toyNames(200));
  });

  it('of another team cannot resume a job: nothing is looked up or sent', async () => {
    await using it = await openImport();
    const file = await it.file('toys.csv', toys(5));
    await it.import({ file, run: { first: 2 } });
    const other = it.sandbox.control.addTeam();
    const { secret } = it.sandbox.control.addKey(undefined, other.id);
    it.sandbox.control.resetCounts();
    const { summary, exitCode } = await it.resume('last', {}, { client: { key: secret } });
    expect(exitCode).toBe(5);
    expect(summary).toMatchObject({ state: 'parked_unauthorised', rows: { created: 2, pending: 3 } });
    // One item tells a removed collection from another team's key.
    expect(Object.keys(it.sandbox.control.counts().byOperation)).toEqual(['listCollections', 'getItem']);
    expect((await it.resume('last')).exitCode).toBe(0);
  });

  it('of another team cannot resume an update, although an update names no collection', async () => {
    await using it = await openImport();
    const ids = it.sandbox.control.insertItems([{ name: 'a' }, { name: 'b' }]);
    const rows = ids.map((id) => [id, 'sold']);
    const file = await it.file('u.csv', csv(['id', 'status'], rows));
    await it.import({ file, mode: 'update', run: { first: 1 } });
    const other = it.sandbox.control.addTeam();
    const { secret } = it.sandbox.control.addKey(undefined, other.id);
    const { exitCode, summary } = await it.resume('last', {}, { client: { key: secret } });
    expect(exitCode).toBe(5);
    expect(summary.rows).toMatchObject({ updated: 1, pending: 1, refused: 0 });
    expect((await it.resume('last')).summary.rows).toMatchObject({ updated: 2 });
  });

  it.each([
    ['another row names a remaining collection', 'Main'],
    ['an item of the job still exists', 'Cars'],
  ])('is not reported as wrong if only a collection was removed: %s', async (_, other) => {
    await using it = await openImport();
    const cars = it.sandbox.control.addCollection('Cars').id;
    const rows = [
      ['Falcon', other],
      ['Rover', 'Cars'],
    ];
    const file = await it.file('toys.csv', csv(['name', 'collection'], rows));
    const { summary } = await it.import({ file, run: { first: 1 } });
    const withoutCars = {
      wrap: (client: ApiClient) =>
        overriding(client, {
          collections: async function* (options) {
            for await (const each of client.collections(options)) if (each.id !== cars) yield each;
          },
        }),
    };
    const stopped = await it.resume(summary.job, {}, withoutCars);
    expect([stopped.exitCode, stopped.summary.error?.code]).toEqual([2, 'unknown_collection']);
    expect(stopped.summary.error?.message).toContain(`The collection Cars (${cars}) of job`);
    expect((await it.ledger.jobs.find(summary.job)).state).toBe('paused');
    const changes = [{ type: 'cell', row: 3, column: 'collection', text: 'Main' }] as const;
    await it.run((deps) => correctAndReport(summary.job, { changes }, deps), withoutCars);
    const mended = await it.resume(summary.job, {}, withoutCars);
    expect(mended.summary.rows).toMatchObject({ created: 2 });
  });

  it('is identified by the remaining collections if a collection that no unsent row uses is gone', async () => {
    await using it = await openImport();
    const cars = it.sandbox.control.addCollection('Cars').id;
    const file = await it.file(
      'toys.csv',
      csv(
        ['name', 'collection'],
        [
          ['Falcon', 'Cars'],
          ['Rover', 'Main'],
          ['Lander', 'Cars'],
        ],
      ),
    );
    await it.import({ file, run: { first: 1 } });
    // As if somebody had removed it outside the API, which has no request for that.
    const withoutCars = {
      wrap: (client: ApiClient) =>
        overriding(client, {
          collections: async function* (options) {
            for await (const each of client.collections(options)) if (each.id !== cars) yield each;
          },
        }),
    };
    const needed = await it.resume('last', {}, withoutCars);
    expect([needed.exitCode, needed.summary.rows]).toMatchObject([2, { created: 1, pending: 2 }]);
    expect((await it.resume('last')).summary.rows).toMatchObject({ created: 3, pending: 0 });
    const { job } = await it.import({ file, force: true, run: { first: 1 } }).then(({ summary }) => summary);
    await it.ledger.rows.move(job, [{ ordinal: 3, from: 'planned', to: 'skipped' }]);
    const rest = await it.resume(job, {}, withoutCars);
    expect([rest.exitCode, rest.summary.rows]).toMatchObject([0, { created: 2, skipped: 1, pending: 0 }]);
  });

  it('without collections:read can use the id of a collection', async () => {
    await using it = await openImport();
    const { secret: key } = it.sandbox.control.addKey(['items:read', 'items:write']);
    const file = await it.file('toys.csv', toys(3));
    const collection = it.sandbox.teams[0]?.collections[0]?.id ?? '';
    expect(await it.import({ file, collection }, { client: { key } })).toMatchObject({ exitCode: 0 });
    await expect(it.import({ file, collection: 'Main' }, { client: { key } })).rejects.toMatchObject({
      code: 'unknown_collection',
      exitCode: 2,
    });
  });

  it('without items:read may create only with --no-settle, and then lost answers are held', async () => {
    await using it = await openImport();
    const { secret: key } = it.sandbox.control.addKey(['items:write', 'collections:read']);
    const file = await it.file('toys.csv', toys(4));
    const refused = await it.import({ file }, { client: { key } });
    expect(refused).toMatchObject({
      exitCode: 5,
      summary: { state: 'parked_unauthorised', error: { code: 'missing_scope' }, rows: { pending: 4 } },
    });
    expect(it.sandbox.control.counts().byOperation.createItem).toBeUndefined();
    it.sandbox.control.failNext('dropAfterCommit', 'createItem');
    const sent = await it.import({ file, noSettle: true }, { client: { key } });
    expect(sent).toMatchObject({ exitCode: 3, summary: { rows: { created: 3, held: 1 } } });
    expect(it.items()).toHaveLength(4);
  });

  it('without items:write parks before any row is refused', async () => {
    await using it = await openImport();
    const { secret: key } = it.sandbox.control.addKey(['items:read', 'collections:read']);
    const file = await it.file('toys.csv', toys(4));
    const { exitCode, summary } = await it.import({ file }, { client: { key } });
    expect(exitCode).toBe(5);
    expect(summary.rows).toMatchObject({ pending: 4, refused: 0 });
  });
});

describe.concurrent('an API that', () => {
  it('is not reachable parks the job (exit code 6), and resume continues it', async () => {
    await using it = await openImport();
    const file = await it.file('toys.csv', toys(3));
    await it.import({ file, run: { first: 1 } });
    await it.sandbox.close();
    const { exitCode, summary } = await it.resume('last', { waitMs: 200 });
    expect(exitCode).toBe(6);
    expect(summary).toMatchObject({
      state: 'parked_unreachable',
      error: { code: 'unreachable' },
      rows: { created: 1, pending: 2 },
    });
  });

  it('never answers parks the job after one timeout period, not after five', async () => {
    await using it = await openImport({ faults: { stall: 1 } });
    const file = await it.file('toys.csv', toys(3));
    const client = { timeoutMs: 300 };
    const { exitCode, summary } = await it.import({ file, run: { waitMs: 400 } }, { client });
    expect(exitCode).toBe(6);
    expect(summary.error?.code).toBe('timeout');
    expect(it.sandbox.control.counts().requests).toBeLessThanOrEqual(3);
  });

  it('is not the Collection Inventory API is reported as a wrong address, with exit code 2 and no job', async () => {
    await using it = await openImport();
    const file = await it.file('toys.csv', toys(3));
    const client = { apiUrl: `${it.sandbox.url}/nowhere` };
    await expect(it.import({ file }, { client })).rejects.toMatchObject({ code: 'not_found', exitCode: 2 });
    expect(await it.ledger.jobs.list()).toEqual([]);
  });

  it('refuses one row after another does not receive all rows', async () => {
    await using it = await openImport();
    const { secret: key } = it.sandbox.control.addKey(['items:read', 'items:write']);
    const collection = it.sandbox.control.addTeam().collections[0]?.id ?? '';
    const file = await it.file('toys.csv', toys(60));
    const { exitCode, summary } = await it.import(
      { file, collection, run: { maxRefused: 5 } },
      { client: { key, maxConcurrency: 1 } },
    );
    expect(exitCode).toBe(3);
    expect(summary).toMatchObject({ state: 'parked_refused', rows: { refused: 5, pending: 55 } });
  });
});

describe.concurrent('a signal', () => {
  it('while the file is read leaves no job, and is not reported as a bug', async () => {
    await using it = await openImport();
    const file = await it.file('toys.csv', toys(5000));
    const stop = new AbortController();
    const onEvent = ({ type }: { type: string }) => {
      if (type === 'staging') stop.abort(new Error('stopped'));
    };
    const error: unknown = await it
      .import({ file }, { signal: stop.signal, onEvent })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'interrupted', exitCode: 130 });
    await expect(it.ledger.jobs.find('last')).rejects.toMatchObject({ code: 'no_such_job' });
  });

  it('while shelflift waits for the API keeps the job', async () => {
    await using it = await openImport();
    const file = await it.file('toys.csv', toys(3));
    await it.sandbox.close();
    const stop = new AbortController();
    const onEvent = ({ type }: { type: string }) => {
      if (type === 'unreachable') stop.abort(new Error('stopped'));
    };
    const { exitCode, summary } = await it.import({ file }, { signal: stop.signal, onEvent });
    expect(exitCode).toBe(130);
    expect(summary).toMatchObject({ state: 'interrupted', rows: { pending: 3 } });
  });

  it('during sending lets the requests in flight finish, and no row is unknown', async () => {
    await using it = await openImport({ latencyMs: 10 });
    const file = await it.file('toys.csv', toys(80));
    const stop = new AbortController();
    let created = 0;
    const onRequest = ({ operation }: { operation: string }) => {
      if (operation === 'createItem') created += 1;
      if (created === 12) stop.abort(new Error('stopped'));
    };
    const { exitCode, summary } = await it.import({ file }, { signal: stop.signal, client: { onRequest } });
    expect(exitCode).toBe(130);
    expect(summary.state).toBe('interrupted');
    expect(summary.rows.created).toBe(it.items().length);
    expect(await it.ledger.rows.counts(summary.job)).toMatchObject({ unknown: 0, sending: 0 });
    expect(await it.resume('last')).toMatchObject({ exitCode: 0, summary: { rows: { created: 80 } } });
    expect(it.names()).toEqual(toyNames(80));
  });

  it('while another job has the lane of the key keeps the job', async () => {
    await using it = await openImport();
    const file = await it.file('toys.csv', toys(3));
    let laneId = '';
    const stop = new AbortController();
    const wrap = (client: { laneId: string }) => {
      laneId = client.laneId;
      return client as never;
    };
    await it.import({ file, dryRun: true }, { wrap });
    const lease = await it.ledger.lanes.acquire(laneId, 'another');
    const onEvent = ({ type }: { type: string }) => {
      if (type === 'waiting_for_lane') stop.abort(new Error('stopped'));
    };
    const { exitCode, summary } = await it.import({ file }, { signal: stop.signal, onEvent });
    expect(exitCode).toBe(130);
    expect(summary).toMatchObject({ state: 'interrupted', rows: { pending: 3 } });
    if ('release' in lease) await lease.release();
    expect(await it.resume('last')).toMatchObject({ exitCode: 0 });
  });
});

describe.concurrent('the ledger', () => {
  it('on a full disk parks the job (exit code 6) before anything is sent that it cannot record', async () => {
    await using it = await openImport({ latencyMs: 2 });
    const file = await it.file('toys.csv', toys(40));
    let moves = 0;
    const refusing = () => {
      if (moves > 6) throw new StoreFullError('/store', undefined);
    };
    const full = overriding(it.ledger, {
      rows: overriding(it.ledger.rows, {
        move: async (...given) => {
          moves += 1;
          refusing();
          return it.ledger.rows.move(...given);
        },
      }),
      jobs: overriding(it.ledger.jobs, {
        update: async (...given) => {
          refusing();
          return it.ledger.jobs.update(...given);
        },
      }),
    });
    const { exitCode, summary } = await it.import({ file }, { ledger: full });
    expect(exitCode).toBe(6);
    expect(summary).toMatchObject({ state: 'parked_disk', error: { code: 'disk_full' } });
    const { created } = summary.rows;
    expect(created).toBeLessThan(40);
    // What was sent and could not be recorded is found again, not sent again.
    expect(await it.resume('last')).toMatchObject({ exitCode: 0, summary: { rows: { created: 40 } } });
    expect(it.names()).toEqual(toyNames(40));
  });

  it('lets only one of two imports of the same file send, whichever comes first', async () => {
    await using it = await openImport({ latencyMs: 3 });
    await using other = openSqliteLedger(it.store);
    const file = await it.file('toys.csv', toys(30));
    const { secret } = it.sandbox.control.addKey();
    // Two keys, so that not the lane but the claim decides.
    const ends = await Promise.all([
      it.import({ file, outDir: `${it.folder}/a` }),
      it.import({ file, outDir: `${it.folder}/b` }, { ledger: other, client: { key: secret } }),
    ]);
    expect(it.names()).toEqual(toyNames(30));
    const created = ends.filter((end) => end.summary.state === 'done');
    expect(created).toHaveLength(1);
    const [answered] = ends.filter((end) => end.summary.state !== 'done');
    expect([0, 3]).toContain(answered?.exitCode);
    expect(answered?.summary.job).toBe(created[0]?.summary.job);
    expect(await it.ledger.jobs.list()).toHaveLength(1);
  });

  it('makes two jobs of one key take turns', async () => {
    await using it = await openImport();
    await using other = openSqliteLedger(it.store);
    const ends = await Promise.all([
      it.import({ file: await it.file('a.csv', toys(20, 'A')) }),
      it.import({ file: await it.file('b.csv', toys(20, 'B')) }, { ledger: other }),
    ]);
    expect(ends.map((end) => end.exitCode)).toEqual([0, 0]);
    expect(it.names()).toEqual([...toyNames(20, 'A'), ...toyNames(20, 'B')]);
  });
});

it.each([
  ['planned', 'paused'],
  ['sending', 'interrupted'],
  ['unknown', 'interrupted'],
] as const)('a job with a row that is still %s is not reported as done', async (state, expected) => {
  await using it = await openImport();
  const file = await it.file('toys.csv', toys(2));
  const { summary } = await it.import({ file, run: { first: 1 } });
  const job = await it.ledger.jobs.find(summary.job);
  const [row] = await it.ledger.rows.list(job.id, { states: ['planned'], limit: 1 });
  const ordinal = row?.ordinal ?? 0;
  if (state !== 'planned') await it.ledger.rows.move(job.id, [{ ordinal, to: 'sending' }]);
  if (state === 'unknown') await it.ledger.rows.move(job.id, [{ ordinal, to: 'unknown' }]);
  const context = { job, ledger: it.ledger, signal: new AbortController().signal };
  expect(await stateAtEnd(context, { createsStopped: false }, undefined)).toEqual({ state: expected });
});
