/** Our own export comes back after its items have changed: what the file does not know of is never put back unsaid. */
import { describe, expect, it } from 'vitest';
import type { Item } from '../../src/api/schemas.ts';
import { resolveRow } from '../../src/import/jobs/resolve-row.ts';
import { showJob } from '../../src/import/results/outcome.ts';
import { applyJob, setItems, undoJob } from '../../src/import/run.ts';
import { csv } from '../support/csv.ts';
import { type OpenImport, openImport } from '../support/open-import.ts';

const HEADERS = ['id', 'name', 'brand', 'status', 'collection_id', 'estimated_value', 'updated_at'] as const;

/** The items as an export has them, oldest first, with the person's edits by name. */
function exported(
  items: readonly Item[],
  edits: Record<string, Partial<Item>> = {},
  headers: readonly (typeof HEADERS)[number][] = HEADERS,
): string {
  return csv(
    [...headers],
    items.toReversed().map((item) => {
      const row = { ...item, ...edits[item.name] };
      return headers.map((header) => String(row[header] ?? ''));
    }),
  );
}

async function twoItems(): Promise<OpenImport> {
  const it = await openImport();
  it.sandbox.control.insertItems([
    { name: 'A', brand: 'Old', estimated_value: 20 },
    { name: 'B', brand: 'Old', estimated_value: 20 },
  ]);
  // A later change has a later `updated_at`, to the millisecond.
  await new Promise((resolve) => setTimeout(resolve, 5));
  return it;
}

const setB = (it: OpenImport, text: string) =>
  it.run((deps) =>
    setItems({ changes: [text], where: 'name=B', outDir: it.folder, run: { yes: true } }, deps),
  );

const shown = (it: OpenImport) =>
  it
    .items()
    .toReversed()
    .map(({ name, brand, estimated_value: value }) => `${name} ${brand} ${value}`);

describe.concurrent('an export that is imported after its items have changed', () => {
  it('updates items that have not changed, and holds a row that would restore an older value', async () => {
    await using it = await twoItems();
    const before = it.items();
    await setB(it, 'estimated_value=99');
    const file = await it.file('items.csv', exported(before, { A: { brand: 'New' } }));
    const { summary, exitCode } = await it.import({ file });
    expect([exitCode, summary.rows]).toMatchObject([3, { updated: 1, held: 1 }]);
    expect(shown(it)).toEqual(['A New 20', 'B Old 99']);
    expect(await it.read(summary.files.results)).toContain('estimated_value is now 99; in the file it is 20');

    const { undecided } = (await it.run((deps) => showJob(summary.job, deps))).summary;
    const [row] = undecided?.rows ?? [];
    expect(row?.otherwise.map((each) => 'options' in each && each.options?.as)).toEqual(['mine', 'skip']);

    // What the person decides holds.
    await it.run((deps) => resolveRow(summary.job, 3, { as: 'mine' }, deps));
    expect(await it.resume(summary.job)).toMatchObject({ exitCode: 0 });
    expect(shown(it)).toEqual(['A New 20', 'B Old 20']);
  });

  it('does not change an item whose row is resolved as "theirs"', async () => {
    await using it = await twoItems();
    const before = it.items();
    await setB(it, 'estimated_value=99');
    const file = await it.file('items.csv', exported(before, { B: { brand: 'New' } }));
    const { summary } = await it.import({ file });
    await it.run((deps) => resolveRow(summary.job, 3, { as: 'theirs' }, deps));
    expect((await it.resume(summary.job)).summary.rows).toMatchObject({ skipped: 1, held: 0 });
    expect(shown(it)).toEqual(['A Old 20', 'B Old 99']);
  });

  it.each([
    ['overwrite', 'B New 20', { updated: 1 }],
    ['skip', 'B Old 99', { skipped: 1 }],
  ] as const)('follows --on-drift %s', async (onDrift, item, rows) => {
    await using it = await twoItems();
    const before = it.items();
    await setB(it, 'estimated_value=99');
    const file = await it.file('items.csv', exported(before, { B: { brand: 'New' } }));
    const { summary } = await it.import({ file, run: { onDrift } });
    expect(summary.rows).toMatchObject({ ...rows, held: 0 });
    expect(shown(it)).toEqual(['A Old 20', item]);
  });

  it('is held if it is another copy that would reverse the changes of the first copy', async () => {
    await using it = await twoItems();
    const before = it.items();
    const first = await it.file('first.csv', exported(before, { B: { brand: 'New' } }));
    expect(await it.import({ file: first })).toMatchObject({ exitCode: 0 });
    const second = await it.file('second.csv', exported(before, { B: { estimated_value: 5 } }));
    expect(await it.import({ file: second })).toMatchObject({ exitCode: 3, summary: { rows: { held: 1 } } });
    expect(shown(it)[1]).toBe('B New 20');
  });

  it('is held if an earlier import with --on-drift overwrite replaced a value that somebody has set again', async () => {
    await using it = await twoItems();
    const before = it.items();
    await setB(it, 'brand=Attic');
    const file = await it.file('items.csv', exported(before, { B: { brand: 'Shelf' } }));
    await it.import({ file, run: { onDrift: 'overwrite' } });
    expect(shown(it)[1]).toBe('B Shelf 20');
    await setB(it, 'brand=Attic');
    const copy = await it.file('copy.csv', exported(before, { B: { brand: 'Shelf', estimated_value: 5 } }));
    expect(await it.import({ file: copy })).toMatchObject({ exitCode: 3, summary: { rows: { held: 1 } } });
    expect(shown(it)[1]).toBe('B Attic 20');
  });

  it('is held if an apply with --on-drift overwrite replaced a value, and was undone', async () => {
    await using it = await twoItems();
    const before = it.items();
    const file = await it.file('items.csv', exported(before, { B: { estimated_value: 5 } }));
    const { summary } = await it.import({ file, dryRun: true });
    await setB(it, 'brand=Attic');
    const run = { yes: true, onDrift: 'overwrite', recheckMs: 0 } as const;
    await it.run((deps) => applyJob(summary.job, deps, run));
    expect(shown(it)[1]).toBe('B Old 5');
    await it.run((deps) => undoJob(summary.job, deps, { run: { yes: true } }));
    expect(shown(it)[1]).toBe('B Attic 20');
    const copy = await it.file('copy.csv', exported(before, { B: { estimated_value: 6 } }));
    expect(await it.import({ file: copy })).toMatchObject({ exitCode: 3, summary: { rows: { held: 1 } } });
    expect(shown(it)[1]).toBe('B Attic 20');
  });

  it('may be edited and imported again, even after an undo', async () => {
    await using it = await twoItems();
    const before = it.items();
    const first = await it.file('items.csv', exported(before, { B: { brand: 'New' } }));
    expect(await it.import({ file: first })).toMatchObject({
      exitCode: 0,
      summary: { rows: { updated: 1 } },
    });
    const second = await it.file(
      'items.csv',
      exported(before, { B: { brand: 'Newer', estimated_value: 5 } }),
    );
    const again = await it.import({ file: second });
    expect(again).toMatchObject({ exitCode: 0, summary: { rows: { updated: 1, held: 0 } } });
    expect(shown(it)[1]).toBe('B Newer 5');

    expect(await it.run((deps) => undoJob(again.summary.job, deps, { run: { yes: true } }))).toMatchObject({
      exitCode: 0,
    });
    expect(await it.import({ file: second })).toMatchObject({
      exitCode: 0,
      summary: { rows: { updated: 1 } },
    });
    expect(shown(it)[1]).toBe('B Newer 5');

    // Between two imports somebody has changed a value that the file has, too.
    await setB(it, 'estimated_value=99');
    const third = await it.file(
      'items.csv',
      exported(before, { B: { brand: 'Newest', estimated_value: 5 } }),
    );
    expect(await it.import({ file: third })).toMatchObject({ exitCode: 3, summary: { rows: { held: 1 } } });
    expect(shown(it)[1]).toBe('B Newer 99');
  });

  it('is compared with its items to the second if a spreadsheet drops fractions of a second', async () => {
    await using it = await twoItems();
    const cut = it.items().map((item) => ({ ...item, updated_at: item.updated_at.slice(0, 19) }));
    const file = await it.file('items.csv', exported(cut, { B: { brand: 'New' } }));
    expect(await it.import({ file })).toMatchObject({ exitCode: 0, summary: { rows: { updated: 1 } } });
  });

  it.each([
    ['has some of the columns', (time: string) => time],
    [
      'has some of the columns, and was saved from a workbook as CSV',
      (time: string) => time.slice(0, 19).replace('T', ' '),
    ],
  ])('is held if it %s', async (_, timeOf) => {
    await using it = await twoItems();
    const before = it.items().map((item) => ({ ...item, updated_at: timeOf(item.updated_at) }));
    // To the second, so that the change is later in any form.
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await setB(it, 'estimated_value=99');
    const columns = ['updated_at', 'estimated_value', 'brand', 'id'] as const;
    const file = await it.file('items.csv', exported(before, { A: { brand: 'New' } }, columns));
    const { summary, exitCode } = await it.import({ file, mode: 'update' });
    expect([exitCode, summary.rows]).toMatchObject([3, { updated: 1, held: 1 }]);
    expect(shown(it)).toEqual(['A New 20', 'B Old 99']);
  });
});

it('a file of a shop with numeric ids does not count as an export, however old its rows are', async () => {
  await using it = await openImport();
  it.sandbox.control.insertItems([{ name: 'A', estimated_value: 20, custom_fields: { sku: 'S1' } }]);
  const rows = [['17', 'A', 'S1', '25', '2020-01-01 10:00:00']];
  const file = await it.file(
    'shop.csv',
    csv(['id', 'name', 'custom_fields.sku', 'estimated_value', 'updated_at'], rows),
  );
  const { exitCode, summary } = await it.import({
    file,
    mode: 'upsert',
    match: ['custom_fields.sku'],
    map: { 'custom_fields.shop_id': 'id' },
  });
  expect([exitCode, summary.rows]).toMatchObject([0, { updated: 1, held: 0 }]);
});

it('a raise beside it does not put an older value back', async () => {
  await using it = await twoItems();
  const { id = '', updated_at: at = '' } = it.items().find(({ name }) => name === 'B') ?? {};
  await setB(it, 'brand=Later');
  const file = await it.file('raise.csv', csv(['id', 'Brand', 'Plus', 'updated_at'], [[id, 'Old', '1', at]]));
  const changes = ['brand=@Brand', 'estimated_value+=@Plus'];
  const raised = await it.run((deps) =>
    setItems({ changes, from: file, outDir: it.folder, run: { yes: true } }, deps),
  );
  expect([raised.exitCode, raised.summary.rows]).toMatchObject([3, { held: 1 }]);
  expect(shown(it)).toContain('B Later 20');
});
