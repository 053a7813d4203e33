/** A job that goes on in two stores: a backup is restored and resumed, or a copy is. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ImportRequest } from '../../src/import/job/options.ts';
import { resolveRow } from '../../src/import/jobs/resolve-row.ts';
import { undoJob } from '../../src/import/run.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { copyStore } from '../../src/ledger/upkeep/copy-store.ts';
import { csv } from '../support/csv.ts';
import { type OpenImport, openImport, QUIET_MS } from '../support/open-import.ts';
import { POSTGRES, usePostgres } from '../support/postgres.ts';

const names = Array.from({ length: 12 }, (_, index) => `Toy ${index}`);

function toys(it: OpenImport): Promise<string> {
  return it.file(
    'toys.csv',
    csv(
      ['name', 'brand'],
      names.map((name) => [name, 'Acme']),
    ),
  );
}

/** Of twelve rows, the store has sent five; the other seven are sent with another store, a copy of it. */
async function halfSent(
  it: OpenImport,
  ledger: Ledger,
  location: string,
  copy: string,
  request: Omit<ImportRequest, 'file'> = {},
): Promise<string> {
  const { summary } = await it.import({ file: await toys(it), ...request, run: { first: 5 } }, { ledger });
  expect(summary).toMatchObject({ state: 'paused', rows: { created: 5, pending: 7 } });
  await copyStore(location, copy, { whileRunning: true });
  await using other = await openLedger(copy);
  const rest = await it.resume(summary.job, {}, { ledger: other });
  expect([rest.exitCode, rest.summary.rows.created]).toEqual([0, 12]);
  return summary.job;
}

async function holdsTheRest(it: OpenImport, ledger: Ledger, location: string, copy: string): Promise<void> {
  const job = await halfSent(it, ledger, location, copy);
  const { exitCode, summary } = await it.resume(job, {}, { ledger });
  expect([exitCode, summary.state, summary.error?.code]).toEqual([3, 'parked_refused', 'store_behind']);
  expect(summary.rows).toMatchObject({ created: 5, held: 7, pending: 0 });
  expect(it.names()).toEqual([...names].sort());
}

describe('a resume in an older copy of the store, made before the last rows were sent,', () => {
  it('holds the rows that are on the server', async () => {
    await using it = await openImport();
    await holdsTheRest(it, it.ledger, it.store, join(it.folder, 'copy.db'));
  });

  it('sends the remaining rows once a person has decided on the held rows', async () => {
    await using it = await openImport();
    const { summary: first } = await it.import({ file: await toys(it), run: { first: 5 } });
    // One of the rows was sent elsewhere.
    const [sent] = await it.ledger.rows.list(first.job, { states: ['planned'], limit: 1 });
    const name = names[(sent?.ordinal ?? 0) - 1] ?? '';
    it.sandbox.control.insertItems([{ name, brand: 'Acme' }]);
    const parked = await it.resume(first.job);
    expect([parked.exitCode, parked.summary.rows]).toMatchObject([3, { created: 5, held: 1, pending: 6 }]);
    await it.run((deps) => resolveRow(first.job, sent?.sheetRow ?? 0, { as: 'theirs' }, deps));
    const { exitCode, summary } = await it.resume(first.job);
    expect([exitCode, summary.rows]).toMatchObject([0, { created: 11, skipped: 1 }]);
    expect(it.names()).toEqual([...names].sort());
  });

  it.for([
    ['wait for a person', 3],
    ['were left to the items that are there', 0],
  ] as const)('sends no row again with a later file if the held rows %s', async ([, code]) => {
    await using it = await openImport();
    const job = await halfSent(it, it.ledger, it.store, join(it.folder, 'copy.db'));
    await it.resume(job);
    const held = await it.ledger.rows.list(job, { states: ['held'], limit: 20 });
    expect(held).toHaveLength(7);
    const rows = held.map(({ sheetRow }) => sheetRow);
    if (code === 0) await it.run((deps) => resolveRow(job, rows, { as: 'theirs' }, deps));
    const grown = await it.file('grown.csv', `${await it.read(await toys(it))}New,Acme\n`);
    const { exitCode, summary } = await it.import({ file: grown, run: { onlyNew: true } });
    expect([exitCode, summary.rows.created]).toEqual([code, 1]);
    expect(it.names()).toEqual([...names, 'New'].sort());
  });

  it('sends no row of a restored plan again after its rows were left to the items that are there', async () => {
    await using it = await openImport();
    const { summary: plan } = await it.import({ file: await toys(it), dryRun: true });
    const copy = join(it.folder, 'copy.db');
    await copyStore(it.store, copy, { whileRunning: true });
    await using other = await openLedger(copy);
    await it.apply(plan.job, {}, { ledger: other });
    expect((await it.apply(plan.job)).summary.rows.held).toBe(12);
    const rows = (await it.ledger.rows.list(plan.job, { limit: 20 })).map(({ sheetRow }) => sheetRow);
    await it.run((deps) => resolveRow(plan.job, rows, { as: 'theirs' }, deps));
    const grown = await it.file('grown.csv', `${await it.read(await toys(it))}New,Acme\n`);
    await it.import({ file: grown, run: { onlyNew: true } });
    expect(it.names()).toEqual([...names, 'New'].sort());
  });

  it.for(['skip', 'theirs'] as const)(
    'sends no row again after an undo if the held rows were left out: %s',
    async (as) => {
      await using it = await openImport();
      const job = await halfSent(it, it.ledger, it.store, join(it.folder, 'copy.db'));
      await it.resume(job);
      const held = await it.ledger.rows.list(job, { states: ['held'], limit: 20 });
      const rows = held.map(({ sheetRow }) => sheetRow);
      await it.run((deps) => resolveRow(job, rows, { as }, deps));
      const undone = await it.run((deps) => undoJob(job, deps, { run: { quietPeriodMs: QUIET_MS } }));
      expect([undone.exitCode, undone.summary.notTakenBack]).toEqual([3, 7]);
      const again = await it.import({ file: await toys(it), run: { onlyNew: true } });
      expect([again.exitCode, again.summary.rows]).toMatchObject([3, { created: 5, held: 7 }]);
    },
  );

  it('sends a row that a person wants to send anyway', async () => {
    await using it = await openImport();
    const { summary: first } = await it.import({ file: await toys(it), run: { first: 11 } });
    const [left] = await it.ledger.rows.list(first.job, { states: ['planned'], limit: 1 });
    it.sandbox.control.insertItems([{ name: names[(left?.ordinal ?? 0) - 1] ?? '', brand: 'Acme' }]);
    expect((await it.resume(first.job)).summary.error?.code).toBe('store_behind');
    await it.run((deps) => resolveRow(first.job, left?.sheetRow ?? 0, { as: 'retry' }, deps));
    const { exitCode, summary } = await it.resume(first.job);
    expect([exitCode, summary.rows.created]).toEqual([0, 12]);
  });
});

it('a plan that another store has sent meanwhile is held when it is applied', async () => {
  await using it = await openImport();
  const file = await toys(it);
  const { summary: plan } = await it.import({ file, dryRun: true });
  await using other = await openLedger(join(it.folder, 'other.db'));
  await it.import({ file }, { ledger: other });
  const { exitCode, summary } = await it.apply(plan.job);
  expect([exitCode, summary.error?.code, summary.rows.held]).toEqual([3, 'store_behind', 12]);
  expect(it.items()).toHaveLength(12);
});

it.for(['held', 'skip'] as const)(
  'the same file sends no row of a plan that another store has sent: %s',
  async (as) => {
    await using it = await openImport();
    const file = await toys(it);
    const { summary: plan } = await it.import({ file, dryRun: true });
    await using other = await openLedger(join(it.folder, 'other.db'));
    await it.import({ file }, { ledger: other });
    await it.apply(plan.job);
    if (as === 'skip') {
      const rows = (await it.ledger.rows.list(plan.job, { limit: 20 })).map(({ sheetRow }) => sheetRow);
      await it.run((deps) => resolveRow(plan.job, rows, { as }, deps));
    }
    await it.import({ file, run: { onlyNew: true } });
    expect(it.items()).toHaveLength(12);
  },
);

it('an import that another store has sent since it was queued is held', async () => {
  await using it = await openImport();
  const file = await toys(it);
  const queuedAt = Date.now() - 1000;
  await using other = await openLedger(join(it.folder, 'other.db'));
  await it.import({ file }, { ledger: other });
  const { exitCode, summary } = await it.import({ file, queuedAt });
  expect([exitCode, summary.error?.code, summary.rows.held]).toEqual([3, 'store_behind', 12]);
  const again = await it.import({ file, queuedAt: Date.now(), run: { onlyNew: true } });
  expect([again.exitCode, again.summary.rows.held]).toEqual([3, 12]);
  expect(it.items()).toHaveLength(12);
});

it('a resume holds no rows because of identical items that existed before the job', async () => {
  await using it = await openImport();
  it.sandbox.control.insertItems(names.map((name) => ({ name, brand: 'Acme' })));
  const { summary } = await it.import({ file: await toys(it), run: { first: 5 } });
  const { exitCode } = await it.resume(summary.job);
  expect(exitCode).toBe(0);
  expect(it.items()).toHaveLength(24);
});

describe('an undo in an older copy of the store, made before the last rows were sent,', () => {
  const RUN = { quietPeriodMs: QUIET_MS };
  const undo = (it: OpenImport, job: string) => it.run((deps) => undoJob(job, deps, { run: RUN }));
  const live = (it: OpenImport) => it.items().filter(({ status }) => status !== 'archived').length;

  it.each([{ mode: 'create' as const }, { mode: 'upsert' as const, match: ['name'] }])(
    'reports the rows that it cannot take back, and takes them back once a person has named the items: %j',
    async (request) => {
      await using it = await openImport();
      const job = await halfSent(it, it.ledger, it.store, join(it.folder, 'copy.db'), request);
      const undone = await undo(it, job);
      expect([undone.exitCode, undone.summary.notTakenBack, live(it)]).toEqual([3, 7, 7]);
      const again = await it.resume(undone.summary.job);
      expect([again.exitCode, again.summary.notTakenBack, live(it)]).toEqual([3, 7, 7]);
      for (const row of await it.ledger.rows.list(job, { states: ['held'], limit: 9 })) {
        const itemId = row.issues[0]?.itemId ?? '';
        await it.run((deps) => resolveRow(job, row.sheetRow, { as: 'created', itemId }, deps));
      }
      const named = await it.resume(undone.summary.job);
      expect([named.exitCode, named.summary.notTakenBack]).toEqual([3, 7]);
      expect(named.actions).toMatchObject([{ do: 'undo', job }]);
      const rest = await undo(it, job);
      expect([rest.exitCode, rest.summary.notTakenBack, live(it)]).toEqual([0, undefined, 0]);
    },
  );

  it('holds no row if no other store has sent any', async () => {
    await using it = await openImport();
    it.sandbox.control.insertItems(names.map((name) => ({ name, brand: 'Acme' })));
    const { summary } = await it.import({ file: await toys(it), run: { first: 5 } });
    // Another job of this store is none.
    const more = await it.file('more.csv', csv(['name', 'brand'], [['Toy 11', 'Acme']]));
    await it.import({ file: more, run: { allRows: true } });
    const undone = await undo(it, summary.job);
    expect([undone.exitCode, undone.summary.rows.updated, live(it)]).toEqual([0, 5, 13]);
  });
});

describe.runIf(POSTGRES.length > 0)('on PostgreSQL', () => {
  const server = usePostgres(POSTGRES.at(-1));

  it('a resume in an older copy of the store, made before the last rows were sent, holds the rows that are on the server', async () => {
    await using it = await openImport();
    const location = await server.newDatabase();
    await using ledger = await openLedger(location);
    await holdsTheRest(it, ledger, location, await server.newDatabase());
  });
});
