/** A row that a person leaves out stays out of the next file; one that may have been applied is not forgotten. */
import { expect, test } from 'vitest';
import type { Correction } from '../../src/mapping/template/change.ts';
import { correctAndReport } from '../../src/import/correction/correct-job.ts';
import { resolveRow } from '../../src/import/jobs/resolve-row.ts';
import type { JobOutcome } from '../../src/import/results/summary.ts';
import { setItems, undoJob } from '../../src/import/run.ts';
import { csv, toys } from '../support/csv.ts';
import { type OpenImport, openImport, QUIET_MS } from '../support/open-import.ts';

const RUN = { quietPeriodMs: QUIET_MS, yes: true };
const undo = (at: OpenImport, job: string) => at.run((deps) => undoJob(job, deps, { run: RUN }));
const live = (at: OpenImport) => at.items().filter(({ status }) => status !== 'archived').length;
const UPSERT = { mode: 'upsert' as const, match: ['custom_fields.sku'] };

/** A person leaves the held row. */
async function leaveHeld(at: OpenImport, { summary: { job } }: JobOutcome): Promise<void> {
  const [held] = await at.ledger.rows.list(job, { states: ['held'], limit: 1 });
  await at.run((deps) => resolveRow(job, held?.sheetRow ?? 0, { as: 'skip' }, deps));
  await at.resume(job);
}

/** Three creates, of which one was stored and its answer lost, and which a person leaves. */
async function leaveLost(at: OpenImport): Promise<string> {
  at.sandbox.control.failNext('dropAfterCommit', 'createItem');
  const outcome = await at.import({ file: await at.file('toys.csv', toys(3)), noSettle: true });
  await leaveHeld(at, outcome);
  return outcome.summary.job;
}

/** Three rows, of which a person omits one, or two of the three copies of one. */
async function leaveOut(at: OpenImport, what: 'omit' | 'quantity'): Promise<{ base: string; job: string }> {
  const base = 'Name,Qty\nToy 0,1\nToy 1,3\nToy 2,1\n';
  const file = await at.file('a.csv', base);
  const { summary } = await at.import({ file, map: { quantity: 'Qty' }, dryRun: true });
  const change: Correction =
    what === 'omit' ? { type: 'omit', row: 3 } : { type: 'cell', row: 3, column: 'Qty', text: '1' };
  await at.run((deps) => correctAndReport(summary.job, { changes: [change], run: RUN }, deps));
  await at.apply(summary.job);
  return { base, job: summary.job };
}
const again = async (at: OpenImport, name: string, text: string, run: object) =>
  at.import({ file: await at.file(name, text), map: { quantity: 'Qty' }, run });

test('the next import recognises a row whose answer was lost and that a person left out', async () => {
  await using at = await openImport();
  await leaveLost(at);
  const { exitCode, summary } = await at.import({
    file: await at.file('more.csv', toys(4)),
    run: { onlyNew: true },
  });
  expect([at.items().length, exitCode, summary.rows.created]).toEqual([4, 0, 1]);
  // And to the one after that, beside a second row that is equal.
  const double = `${toys(5)}${toys(1).trim().split('\n')[1] ?? ''}\n`;
  await at.import({ file: await at.file('last.csv', double), run: { onlyNew: true } });
  expect(at.items()).toHaveLength(6);
});

test('an undo reports that a row whose answer was lost, and which a person left out, may be on the server', async () => {
  await using at = await openImport();
  const job = await leaveLost(at);
  const { exitCode, summary } = await undo(at, job);
  expect([exitCode, summary.notTakenBack]).toEqual([3, 1]);
  expect((await at.resume(summary.job)).exitCode).toBe(3);
  // Whether it is there nobody knows: the file of the undone job is made again but for this row.
  const file = await at.file('toys.csv', toys(3));
  const next = await at.import({ file, run: { yes: true } });
  expect([next.exitCode, next.summary.rows.created, next.summary.rows.held, live(at)]).toEqual([3, 2, 1, 3]);
});

test('an item that a person assigns to a row after an undo is reported as not undone, until another undo undoes it', async () => {
  await using at = await openImport();
  at.sandbox.control.failNext('dropAfterCommit', 'createItem');
  const { summary } = await at.import({ file: await at.file('toys.csv', toys(3)), noSettle: true });
  const { job } = summary;
  const first = await undo(at, job);
  const [held] = await at.ledger.rows.list(job, { states: ['held'], limit: 1 });
  const itemId = at.items().find(({ status }) => status !== 'archived')?.id ?? '';
  const named = await at.run((deps) => resolveRow(job, held?.sheetRow ?? 0, { as: 'created', itemId }, deps));
  expect(named.actions).toMatchObject([{ do: 'undo', job }]);
  const shown = await at.resume(first.summary.job);
  expect([shown.exitCode, shown.summary.notTakenBack, live(at)]).toEqual([3, 1, 1]);
  expect(shown.actions).toMatchObject([{ do: 'undo', job }]);
  // A plan takes nothing back.
  await at.run((deps) => undoJob(job, deps, { run: RUN, dryRun: true }));
  expect((await at.resume(first.summary.job)).exitCode).toBe(3);
  const second = await undo(at, job);
  expect([second.exitCode, live(at)]).toEqual([0, 0]);
  expect((await at.resume(first.summary.job)).exitCode).toBe(0);
});

test('an undo does not count rows that were sent when its job was applied again', async () => {
  await using at = await openImport();
  const { summary } = await at.import({ file: await at.file('toys.csv', toys(3)), run: { first: 1 } });
  const first = await undo(at, summary.job);
  expect((await at.apply(summary.job, RUN)).summary.rows.created).toBe(3);
  expect([(await at.resume(first.summary.job)).exitCode, live(at)]).toEqual([0, 2]);
});

test('an undo that had nothing to change does not count rows that were sent when its job was applied again', async () => {
  await using at = await openImport();
  const { job } = (await at.import({ file: await at.file('toys.csv', toys(2)), run: { first: 1 } })).summary;
  await undo(at, job);
  const second = await undo(at, job);
  expect(second.summary.rows).toMatchObject({ unchanged: 1, updated: 0 });
  expect((await at.apply(job, RUN)).summary.rows.created).toBe(2);
  const shown = await at.resume(second.summary.job);
  expect([shown.exitCode, shown.summary.notTakenBack, live(at)]).toEqual([0, undefined, 1]);
});

test('an undo that had nothing to change counts an item that a person assigns to a row after it', async () => {
  await using at = await openImport();
  at.sandbox.control.failNext('dropAfterCommit', 'createItem');
  const file = await at.file('toys.csv', toys(2));
  const { job } = (await at.import({ file, noSettle: true, run: { first: 1 } })).summary;
  const undone = await undo(at, job);
  const [held] = await at.ledger.rows.list(job, { states: ['held'], limit: 1 });
  const itemId = at.items()[0]?.id ?? '';
  await at.run((deps) => resolveRow(job, held?.sheetRow ?? 0, { as: 'created', itemId }, deps));
  await at.apply(job, RUN);
  const shown = await at.resume(undone.summary.job);
  expect([shown.exitCode, shown.summary.notTakenBack, live(at)]).toEqual([3, 1, 2]);
});

test('an undo that also took back a held change counts an item that a person assigns to a row after it', async () => {
  await using at = await openImport({ customFields: 'merge' });
  at.sandbox.control.insertItems([{ name: 'Rover', custom_fields: { sku: 'S1', old: 'x' } }]);
  const header = ['sku', 'name', 'status', 'old'];
  const rows = [
    ['S1', 'Rover', 'sold', '<clear>'],
    ['S2', 'Toy', 'keep', ''],
  ];
  const file = await at.file('a.csv', csv(header, rows));
  at.sandbox.control.failNext('dropAfterCommit', 'createItem');
  const map = { 'custom_fields.sku': 'sku', 'custom_fields.old': 'old' };
  const { summary } = await at.import({ ...UPSERT, file, map, noSettle: true });
  expect(summary.rows).toMatchObject({ held: 2 });
  const { job } = summary;
  const undone = await undo(at, job);
  expect([undone.summary.rows.updated, undone.summary.notTakenBack]).toEqual([1, 1]);
  const itemId = at.items().find(({ name }) => name === 'Toy')?.id ?? '';
  await at.run((deps) => resolveRow(job, 3, { as: 'created', itemId }, deps));
  const shown = await at.resume(undone.summary.job);
  expect([shown.exitCode, shown.summary.notTakenBack]).toEqual([3, 1]);
});

test('a row of an unrelated file is held if it equals a row whose answer was lost and that a person left out', async () => {
  await using at = await openImport();
  await leaveLost(at);
  const names = at.names();
  const others = `${toys(3)}${toys(9, 'Other').split('\n').slice(1).join('\n')}`;
  const { summary } = await at.import({ file: await at.file('others.csv', others), run: { yes: true } });
  expect([summary.rows.created, summary.rows.held]).toEqual([9, 3]);
  expect(at.names().filter((name) => name.startsWith('Toy'))).toEqual(names);
});

test.each(['dropAfterCommit', 'dropBefore'] as const)(
  'after a person left out the create of a key, an upsert that does not find the key holds the row: %s',
  async (fault) => {
    await using at = await openImport({ storing: { cutCustomFields: true } });
    const file = await at.file('a.csv', 'sku,name\nKEY-OF-THE-TOY,Toy\n');
    const upsert = { ...UPSERT, file, map: { 'custom_fields.sku': 'sku' } };
    at.sandbox.control.failNext(fault, 'createItem');
    await leaveHeld(at, await at.import({ ...upsert, noSettle: true }));
    const before = at.items().length;
    const { exitCode, summary } = await at.import(upsert);
    expect([exitCode, summary.rows.held, at.items().length]).toEqual([3, 1, before]);
    // A person who has looked decides.
    await at.run((deps) => resolveRow(summary.job, 2, { as: 'retry' }, deps));
    await at.resume(summary.job);
    expect(at.items()).toHaveLength(before + 1);
  },
);

test.each([
  ['estimated_value=20', 20],
  ['estimated_value+=10', 20],
])('an undo reverts a change whose answer was lost and that a person left out: %s', async (change, after) => {
  await using at = await openImport();
  at.sandbox.control.insertItems([{ name: 'A', estimated_value: 10 }]);
  at.sandbox.control.failNext('dropAfterCommit', 'updateItem');
  const stop = new AbortController();
  const request = { changes: [change], status: ['keep' as const], outDir: at.folder, run: RUN };
  const { summary } = await at.run((deps) => setItems(request, deps), {
    signal: stop.signal,
    onEvent: (event) => {
      if (event.type === 'settling') stop.abort();
    },
  });
  expect(await at.ledger.rows.counts(summary.job)).toMatchObject({ unknown: 1 });
  await at.run((deps) => resolveRow(summary.job, 1, { as: 'skip' }, deps));
  await at.resume(summary.job);
  expect(at.items()[0]?.estimated_value).toBe(after);
  // A raise is not made twice unasked.
  if (change.includes('+'))
    await expect(
      at.run((deps) => setItems({ ...request, run: { quietPeriodMs: QUIET_MS } }, deps)),
    ).rejects.toMatchObject({ code: 'repeated_change' });
  const { exitCode } = await undo(at, summary.job);
  expect([exitCode, at.items()[0]?.estimated_value]).toEqual([0, 10]);
});

test.each(['omit', 'quantity'] as const)(
  'a row that a person left out of a mended job is also left out of later files: %s',
  async (what) => {
    await using at = await openImport();
    const { base } = await leaveOut(at, what);
    const before = at.items().length;
    const { exitCode } = await again(at, 'b.csv', `${base}Toy 3,1\n`, { onlyNew: true });
    expect([exitCode, at.items().length]).toEqual([0, before + 1]);
    // A longer file of the same name, and one with the row once more than the first had it.
    await again(at, 'a.csv', `${base}Toy 3,1\nToy 4,1\n`, { yes: true });
    expect(at.items()).toHaveLength(before + 2);
    await again(at, 'a.csv', `${base}Toy 3,1\nToy 4,1\nToy 1,1\n`, { yes: true });
    expect(at.items()).toHaveLength(before + 3);
  },
);

test('a row that a person left out is new again once the job is undone, and left out again once that undo is undone', async () => {
  await using at = await openImport();
  const { base, job } = await leaveOut(at, 'omit');
  const undone = await undo(at, job);
  await undo(at, undone.summary.job);
  expect(live(at)).toBe(2);
  await again(at, 'b.csv', `${base}Toy 3,1\n`, { onlyNew: true });
  expect(live(at)).toBe(3);
  await undo(at, job);
  await again(at, 'c.csv', `${base}Toy 3,1\n`, { onlyNew: true });
  expect(live(at)).toBe(6);
});

test('a row that a person left out is held when another file contains it, and sent with --all-rows', async () => {
  await using at = await openImport();
  await leaveOut(at, 'omit');
  const own = await again(at, 'own.csv', 'Name,Qty\nToy 1,1\n', {});
  expect([own.exitCode, own.summary.rows.held, at.items().length]).toEqual([3, 1, 2]);
  await again(at, 'all.csv', 'Name,Qty\nToy 1,1\nNew,1\n', { allRows: true });
  expect(at.items()).toHaveLength(4);
});
