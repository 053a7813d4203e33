/** What a plan decided without a request is true when the job ends, or is named: other jobs may have written since. */
import { expect, it, test } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import type { OnDrift } from '../../src/ledger/job-parts.ts';
import { resolveRow } from '../../src/import/jobs/resolve-row.ts';
import { setItems, undoJob } from '../../src/import/run.ts';
import { csv, toys } from '../support/csv.ts';
import { type OpenImport, openImport, QUIET_MS } from '../support/open-import.ts';

const run = { quietPeriodMs: QUIET_MS };

function set(it: OpenImport, changes: string[], ids: readonly string[], dryRun = false) {
  return it.run(async (deps) => {
    const idsFrom = await it.file(`ids-${changes.join('')}.txt`, ids.join('\n'));
    return setItems({ changes, idsFrom, dryRun, run }, deps);
  });
}

function undo(it: OpenImport, job: string, request: object = {}) {
  return it.run((deps) => undoJob(job, deps, { run, ...request }));
}

const brands = (it: OpenImport) =>
  it
    .items()
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ brand }) => brand);

test('an undo holds an item that was already undone when the undo was planned, and restored before it was applied', async () => {
  await using it = await openImport();
  const first = await it.import({ file: await it.file('toys.csv', toys(3)) });
  const part = await undo(it, first.summary.job, { rows: [{ from: 3, to: 3 }] });
  const plan = await undo(it, first.summary.job, { dryRun: true });
  expect(plan.summary.plan).toMatchObject({ update: 2, unchanged: 1 });
  await undo(it, part.summary.job);

  const { summary, exitCode } = await it.apply(plan.summary.job);
  expect([exitCode, summary.rows]).toMatchObject([3, { updated: 2, held: 1, unchanged: 0 }]);
  const [row] = await it.ledger.rows.list(summary.job, { states: ['held'], limit: 1 });
  expect(row?.issues[0]).toMatchObject({ code: 'drifted', column: 'status' });
  expect(it.items().filter(({ status }) => status === 'archived')).toHaveLength(2);
});

test.each([
  ['hold', 3, { held: 1 }, 'Theirs'],
  ['skip', 3, { skipped: 1 }, 'Theirs'],
  ['overwrite', 0, { updated: 1 }, 'Ours'],
] as const)(
  '--on-drift %s applies to an item that already had its value, and got another value from another job',
  async (onDrift: OnDrift, code, rows, brand) => {
    await using it = await openImport();
    const ids = it.sandbox.control.insertItems(['a', 'b'].map((name) => ({ name, brand: 'Ours' })));
    const plan = await set(it, ['brand=Ours'], ids, true);
    expect(plan.summary.plan).toMatchObject({ update: 0, unchanged: 2 });
    await set(it, ['brand=Theirs'], ids.slice(0, 1));
    // Another field of it is not what the row is about.
    await set(it, ['series=S'], ids.slice(1));
    const { summary, exitCode } = await it.apply(plan.summary.job, { onDrift });
    expect([exitCode, summary.rows]).toMatchObject([code, { unchanged: 1, ...rows }]);
    expect(brands(it)).toEqual([brand, 'Ours']);
    // Nothing new has come since: it is not looked at again.
    expect((await it.resume(summary.job)).exitCode).toBe(code);
  },
);

test('a person’s decision on a row is sent even if another job has changed its item since the plan', async () => {
  await using it = await openImport();
  const ids = it.sandbox.control.insertItems([{ name: 'a', brand: 'Ours', custom_fields: { shelf: 'A' } }]);
  const plan = await set(it, ['brand=Ours', 'custom_fields.shelf=A'], ids, true);
  await set(it, ['brand=Theirs', 'custom_fields.shelf=B'], ids);
  await it.apply(plan.summary.job);
  await it.run((deps) => resolveRow(plan.summary.job, 1, { as: 'mine' }, deps));
  const { exitCode, summary } = await it.resume(plan.summary.job, { recheckMs: Number.POSITIVE_INFINITY });
  expect([exitCode, summary.rows]).toMatchObject([0, { updated: 1 }]);
  expect(it.items()[0]).toMatchObject({ brand: 'Ours', custom_fields: { shelf: 'A' } });
});

test('a field that already had its value is checked again when another field of the item is changed', async () => {
  await using it = await openImport();
  const [id = ''] = it.sandbox.control.insertItems([{ name: 'a', brand: 'Old', status: 'keep' }]);
  const file = await it.file('u.csv', csv(['id', 'brand', 'status'], [[id, 'New', 'keep']]));
  const plan = await it.import({ file, mode: 'update', dryRun: true });
  await using somebody = createClient({ apiUrl: it.sandbox.url, key: it.sandbox.key });
  await somebody.updateItem(id, { status: 'sold' });
  const { summary, exitCode } = await it.apply(plan.summary.job);
  expect([exitCode, summary.rows]).toMatchObject([3, { held: 1 }]);
  expect(it.items()[0]).toMatchObject({ brand: 'Old', status: 'sold' });
  const [row] = await it.ledger.rows.list(summary.job, { limit: 1 });
  expect(row?.issues[0]).toMatchObject({ column: 'status' });
  // What they have changed stays, and the rest is sent.
  await it.run((deps) => resolveRow(summary.job, 2, { as: 'theirs' }, deps));
  expect((await it.resume(summary.job)).summary.rows).toMatchObject({ updated: 1 });
  expect(it.items()[0]).toMatchObject({ brand: 'New', status: 'sold' });
});

test('an import reports the rows that it left to a job that was undone meanwhile', async () => {
  await using it = await openImport();
  const first = await it.import({ file: await it.file('toys.csv', toys(3)) });
  const plan = await it.import({
    file: await it.file('more.csv', toys(4)),
    run: { onlyNew: true },
    dryRun: true,
  });
  expect(plan.summary.plan).toMatchObject({ create: 1, skipped: 3 });
  await undo(it, first.summary.job);
  const { summary, exitCode } = await it.apply(plan.summary.job, { onlyNew: true });
  expect([exitCode, summary.rows]).toMatchObject([3, { created: 1, skipped: 3 }]);
  expect(summary.unsentElsewhere).toEqual({ rows: 3, jobs: [first.summary.job] });
});

it('an import does not change an item that an undo has archived since it was found by its key', async () => {
  await using it = await openImport();
  const rows = [['AF-1', 'Robot', 'Old']];
  const headers = ['custom_fields.sku', 'name', 'brand'];
  const first = await it.import({ file: await it.file('toys.csv', csv(headers, rows)) });
  const upsert = { mode: 'upsert' as const, match: ['custom_fields.sku'] };
  const newer = await it.file('newer.csv', csv(headers, [['AF-1', 'Robot', 'New']]));
  const plan = await it.import({ file: newer, ...upsert, dryRun: true });
  expect(plan.summary.plan).toMatchObject({ update: 1 });
  await undo(it, first.summary.job);
  const { summary, exitCode } = await it.apply(plan.summary.job);
  expect([exitCode, summary.rows]).toMatchObject([3, { held: 1 }]);
  expect(it.items()[0]).toMatchObject({ brand: 'Old', status: 'archived' });
});
