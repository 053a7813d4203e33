/** An upsert with a quantity column: the items of a key and the copies of its row are matched as a set. */
import { nextText } from '../../src/cli/show/output.ts';
import { describe, expect, it } from 'vitest';
import type { ApiClient } from '../../src/api/client.ts';
import { correctAndReport } from '../../src/import/correction/correct-job.ts';
import { resolveRow } from '../../src/import/jobs/resolve-row.ts';
import { showJob } from '../../src/import/results/outcome.ts';
import { undoJob } from '../../src/import/run.ts';
import { csv, parseCsv } from '../support/csv.ts';
import * as fc from '../support/fast-check.ts';
import { type OpenImport, openImport, type RunSetting } from '../support/open-import.ts';
import { overriding } from '../support/overriding.ts';

const SKU = 'custom_fields.sku';
const REQUEST = { mode: 'upsert' as const, match: [SKU], map: { quantity: 'qty' } };

const item = (sku: string, over: object = {}) => ({
  name: `Toy ${sku}`,
  status: 'keep' as const,
  custom_fields: { sku },
  ...over,
});

interface Row {
  sku: string;
  qty: number;
}

async function fileOf(open: OpenImport, rows: readonly Row[]): Promise<string> {
  return open.file(
    'toys.csv',
    csv(
      ['name', SKU, 'status', 'qty'],
      rows.map(({ sku, qty }) => [`Toy ${sku}`, sku, 'sell', String(qty)]),
    ),
  );
}

async function upsert(open: OpenImport, rows: readonly Row[], more: object = {}, setting: RunSetting = {}) {
  return open.import({ file: await fileOf(open, rows), ...REQUEST, ...more }, setting);
}

const countOf = (open: OpenImport, sku: string) =>
  open.items().filter(({ custom_fields: custom }) => custom?.['sku'] === sku).length;

it('an upsert creates missing copies, changes existing ones, and holds a row that has more items than its quantity', async () => {
  await using open = await openImport();
  open.sandbox.control.insertItems([
    item('two'),
    item('two'),
    item('one'),
    item('many'),
    item('many'),
    item('many'),
  ]);
  const rows = [
    { sku: 'none', qty: 2 },
    { sku: 'one', qty: 3 },
    { sku: 'two', qty: 2 },
    { sku: 'many', qty: 2 },
  ];
  const planned = await upsert(open, rows, { dryRun: true });
  expect(planned.summary.plan).toEqual({
    create: 4,
    update: 3,
    unchanged: 0,
    skipped: 0,
    invalid: 0,
    held: 2,
  });
  const warnings: string[] = [];
  const { summary, exitCode } = await upsert(
    open,
    rows,
    {},
    { onEvent: (event) => void (event.type === 'warning' && warnings.push(event.message)) },
  );
  expect(exitCode).toBe(3);
  expect(summary.rows).toMatchObject({ read: 9, created: 4, updated: 3, held: 2 });
  expect(rows.map(({ sku }) => countOf(open, sku))).toEqual([2, 3, 2, 3]);
  expect(warnings).toContain(
    `1 row is held, because more items have the same custom_fields.sku than the quantity says.`,
  );
  const { undecided } = (await open.run((deps) => showJob(summary.job, deps))).summary;
  expect(undecided?.rows).toMatchObject([{ row: 5, state: 'held', code: 'surplus_items' }]);
  expect(undecided?.rows[0]?.candidates).toHaveLength(3);
  // Given again, it changes nothing.
  const again = await upsert(open, rows);
  expect(again.summary.rows).toMatchObject({ created: 0, updated: 0, unchanged: 7, held: 2 });
});

it('a quantity of 1 means one item: with two items the row is held, and without a quantity column it is invalid', async () => {
  await using open = await openImport();
  open.sandbox.control.insertItems([item('A'), item('A')]);
  expect((await upsert(open, [{ sku: 'A', qty: 1 }])).summary.rows).toMatchObject({ held: 1, invalid: 0 });
  const { summary } = await open.import({
    file: await open.file('b.csv', csv(['name', SKU], [['Toy A', 'A']])),
    mode: 'upsert',
    match: [SKU],
  });
  expect(summary.rows).toMatchObject({ held: 0, invalid: 1 });
});

it('rows with the same key count as one change if their quantities agree, and are invalid otherwise', async () => {
  await using open = await openImport();
  const same = await upsert(open, [
    { sku: 'A', qty: 2 },
    { sku: 'A', qty: 2 },
  ]);
  expect(same.summary.rows).toMatchObject({ created: 2, unchanged: 2 });
  const other = await upsert(open, [
    { sku: 'B', qty: 2 },
    { sku: 'B', qty: 3 },
  ]);
  expect(other.summary.rows).toMatchObject({ created: 0, invalid: 5 });
  expect([countOf(open, 'A'), countOf(open, 'B')]).toEqual([2, 0]);
});

it('an undo archives the copies that were created, and they no longer count', async () => {
  await using open = await openImport();
  open.sandbox.control.insertItems([item('A')]);
  const { summary } = await upsert(open, [{ sku: 'A', qty: 3 }]);
  const undone = await open.run((deps) => undoJob(summary.job, deps, { run: { yes: true } }));
  expect(undone.summary.rows).toMatchObject({ updated: 3 });
  expect(open.items().map(({ status }) => status)).toEqual(['archived', 'archived', 'keep']);
  const again = await upsert(open, [{ sku: 'A', qty: 2 }]);
  expect(again.summary.rows).toMatchObject({ created: 1, updated: 1, held: 0 });
});

describe('a held row', () => {
  async function held(open: OpenImport): Promise<{ job: string; ids: string[] }> {
    const ids = open.sandbox.control.insertItems([item('A'), item('A'), item('A')]);
    const { summary } = await upsert(open, [
      { sku: 'A', qty: 2 },
      { sku: 'B', qty: 1 },
    ]);
    expect(summary.rows).toMatchObject({ created: 1, held: 2 });
    return { job: summary.job, ids };
  }

  it('is looked up again on request, with all its copies', async () => {
    await using open = await openImport();
    const { job, ids } = await held(open);
    open.sandbox.control.removeItem(ids[0] ?? '');
    const outcome = await open.run((deps) => resolveRow(job, 2, { as: 'retry' }, deps));
    expect(nextText(outcome, {})).toContain('jobs resume');
    const { summary, exitCode } = await open.resume(job);
    expect([exitCode, summary.rows]).toMatchObject([0, { created: 1, updated: 2, held: 0 }]);
    expect(open.items()).toHaveLength(3);
  });

  it('is held again if there are still too many', async () => {
    await using open = await openImport();
    const { job } = await held(open);
    await open.run((deps) => resolveRow(job, 2, { as: 'retry' }, deps));
    const { summary, exitCode } = await open.resume(job);
    expect([exitCode, summary.rows]).toMatchObject([3, { created: 1, held: 2, pending: 0 }]);
  });

  it('is skipped with all its copies', async () => {
    await using open = await openImport();
    const { job } = await held(open);
    const { summary } = await open.run((deps) => resolveRow(job, 2, { as: 'skip' }, deps));
    expect(summary.rows).toMatchObject({ skipped: 2, held: 0 });
  });

  it('accepts a corrected quantity', async () => {
    await using open = await openImport();
    const { job } = await held(open);
    const changes = [{ type: 'cell', row: 2, column: 'qty', text: '4' } as const];
    const mended = await open.run((deps) => correctAndReport(job, { changes }, deps));
    expect(mended.summary.rows).toMatchObject({ created: 1, held: 0, pending: 4 });
    const { summary } = await open.resume(job);
    expect(summary.rows).toMatchObject({ created: 2, updated: 3 });
    expect(countOf(open, 'A')).toBe(4);
  });
});

it('a refused copy stays in the rejects file with the whole quantity, so that the other copies are found', async () => {
  await using open = await openImport();
  const elsewhere = '00000000-0000-4000-8000-000000000000';
  let creates = 0;
  // Only the server can refuse a collection that the key's team does not have.
  const wrap = (client: ApiClient) =>
    overriding(client, {
      createItem: (body, options) => {
        creates += 1;
        return client.createItem(creates === 2 ? { ...body, collection_id: elsewhere } : body, options);
      },
    });
  const { summary } = await upsert(open, [{ sku: 'A', qty: 3 }], {}, { wrap });
  expect(summary.rows).toMatchObject({ created: 2, refused: 1 });
  const rejects = summary.files.rejects ?? '';
  expect(parseCsv(await open.read(rejects))).toMatchObject([{ qty: '3' }]);
  const again = await open.import({ file: rejects, ...REQUEST });
  expect(again.summary.rows).toMatchObject({ created: 1, unchanged: 2 });
  expect(countOf(open, 'A')).toBe(3);
});

it('an item that existed before is never matched to a copy whose answer was lost', async () => {
  await using open = await openImport();
  open.sandbox.control.insertItems([item('A', { status: 'sell' })]);
  // The first page of the list does not show it.
  open.sandbox.control.insertItems(Array.from({ length: 120 }, (_, index) => item(`other ${index}`)));
  let creates = 0;
  const wrap = (client: ApiClient) =>
    overriding(client, {
      createItem: (body, options) => {
        creates += 1;
        if (creates === 2) open.sandbox.control.failNext('dropBefore', 'createItem');
        return client.createItem(body, options);
      },
    });
  const rows = [
    { sku: 'B', qty: 1 },
    { sku: 'A', qty: 2 },
  ];
  const { summary } = await upsert(open, rows, {}, { wrap });
  expect(summary.rows).toMatchObject({ created: 2, unchanged: 1 });
  expect(countOf(open, 'A')).toBe(2);
});

it('an upsert results in as many items as the quantity, or holds the row; a second import adds none', async () => {
  const key = fc.record({
    before: fc.nat(3),
    qty: fc.integer({ min: 1, max: 4 }),
    meanwhile: fc.oneof(fc.constant(0), fc.nat(3)),
  });
  const setting = fc.record({
    keys: fc.array(key, { minLength: 1, maxLength: 4 }),
    room: fc.option(fc.nat(4)),
    lost: fc.array(fc.constantFrom('dropAfterCommit', 'dropBefore'), { maxLength: 2 }),
  });
  await fc.assert(
    fc.asyncProperty(setting, async ({ keys, room, lost }) => {
      // A server of its own: requests that an earlier case was to lose, and did not make, would add to those of this one.
      await using open = await openImport();
      const { control } = open.sandbox;
      const rows = keys.map(({ qty }, index) => ({ sku: `sku-${index}`, qty }));
      const skuOf = (index: number) => rows[index]?.sku ?? '';
      const add = (of: (key: { before: number; meanwhile: number }) => number) =>
        control.insertItems(
          keys.flatMap((each, index) => Array.from({ length: of(each) }, () => item(skuOf(index)))),
        );
      add(({ before }) => before);
      const { summary } = await upsert(open, rows, { dryRun: true });
      add(({ meanwhile }) => meanwhile);
      for (const kind of lost) control.failNext(kind, 'createItem');
      if (room !== null) control.setPlanLimit(open.items().length + room);
      await open.apply(summary.job, { recheckMs: 0, onDrift: 'overwrite' });
      control.setPlanLimit(null);
      const { rows: ended } = (await open.resume(summary.job, { recheckMs: 0, onDrift: 'overwrite' }))
        .summary;
      const expected = keys.map(({ before, qty, meanwhile }) => Math.max(qty, before + meanwhile));
      expect(rows.map(({ sku }) => countOf(open, sku))).toEqual(expected);
      // With as many as wanted before, nothing is created, and nobody counts again.
      const tooMany = keys.some(
        ({ before, qty, meanwhile }) => before > qty || (before < qty && before + meanwhile > qty),
      );
      expect([ended.pending, ended.held > 0]).toEqual([0, tooMany]);
      const again = await upsert(open, rows);
      expect(again.summary.rows).toMatchObject({ created: 0, updated: 0, pending: 0 });
    }),
    { numRuns: 20 },
  );
});
