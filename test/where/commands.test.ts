/** Every command that takes --where chooses what a plain filter over the same items chooses. */
import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import type { Item } from '../../src/api/schemas.ts';
import { exportItems } from '../../src/export/export.ts';
import { verifyExport } from '../../src/export/verify/verify.ts';
import { setItems } from '../../src/import/run.ts';
import { findDuplicates } from '../../src/import/similar/find-duplicates.ts';
import { writeReportFile } from '../../src/reports/report.ts';
import { clientOf } from '../export/support.ts';
import { openImport } from '../support/open-import.ts';

const CASES: [string[], (item: Item) => boolean][] = [
  [['brand=alpha'], ({ brand }) => brand === 'Alpha'],
  [['brand!=alpha'], ({ brand }) => brand !== 'Alpha'],
  [['name~5'], ({ name }) => name.includes('5')],
  [['estimated_value>=50'], ({ estimated_value: value }) => (value ?? -1) >= 50],
  [
    ['estimated_value<50', 'brand blank'],
    ({ estimated_value: value, brand }) => (value ?? 99) < 50 && brand === null,
  ],
  [
    ['tags has Fair or custom_fields.shelf=a3'],
    (item) => item.tags?.includes('fair') === true || item.custom_fields?.['shelf'] === 'A3',
  ],
  [['collection_name=Attic'], ({ name }) => name.startsWith('Attic')],
  [
    ['(brand=Beta or release_year>2005)', 'status=keep'],
    (item) => item.status === 'keep' && (item.brand === 'Beta' || (item.release_year ?? 0) > 2005),
  ],
];

async function collection() {
  const open = await openImport();
  const attic = open.sandbox.control.addCollection('Attic').id;
  open.sandbox.control.insertItems(
    Array.from({ length: 120 }, (_, index) => ({
      name: `${index % 7 === 0 ? 'Attic' : 'Shelf'} ${index % 60}`,
      brand: ['Alpha', 'Beta', null][index % 3] ?? null,
      status: index % 4 === 0 ? ('sold' as const) : ('keep' as const),
      estimated_value: index % 5 === 0 ? null : index,
      release_year: 1980 + (index % 40),
      tags: index % 6 === 0 ? ['fair', 'boxed'] : [],
      custom_fields: index % 8 === 0 ? { shelf: 'A3' } : {},
      ...(index % 7 === 0 ? { collection_id: attic } : {}),
    })),
  );
  return { open, client: clientOf(open.sandbox, open.sandbox.key) };
}

const ids = (items: readonly Item[]) => items.map(({ id }) => id).sort();

test('export, report, set and dupes accept --where', async () => {
  const { open, client } = await collection();
  await using it = open;
  for (const [where, plain] of CASES) {
    const wanted = ids(it.items().filter(plain));
    expect(wanted.length).toBeGreaterThan(3);
    const out = `${it.folder}/items.csv`;
    const { manifest } = await exportItems({ client, out, where });
    const rows: { id: string }[] = parse(readFileSync(out), { columns: true, bom: true });
    expect([where, rows.map(({ id }) => id).sort()]).toEqual([where, wanted]);
    expect(JSON.parse(readFileSync(manifest ?? '', 'utf8'))).toMatchObject({ filters: { where } });
    expect((await verifyExport(out)).problems).toEqual([]);

    const report = await writeReportFile(
      { report: 'inventory', out: `${it.folder}/inventory.csv`, where },
      { client },
    );
    expect([where, report.rows]).toEqual([where, wanted.length]);

    const request = { changes: ['series=Chosen'], where, dryRun: true, outDir: it.folder };
    const { summary } = await it.run((deps) => setItems(request, deps));
    expect([where, summary.plan?.update]).toEqual([where, wanted.length]);

    const all = await findDuplicates({ client });
    const chosen = new Set(wanted);
    const among = all.groups
      .map(({ items }) => ids(items.filter(({ id }) => chosen.has(id))))
      .filter((group) => group.length > 1);
    const found = await findDuplicates({ client, where });
    expect([where, found.groups.map(({ items }) => ids(items).join()).sort()]).toEqual([
      where,
      among.map((group) => group.join()).sort(),
    ]);
  }
});

test('a file with rows that do not match the expression fails verification', async () => {
  const { open, client } = await collection();
  await using it = open;
  const out = `${it.folder}/items.csv`;
  const { manifest } = await exportItems({ client, out, where: 'brand=Alpha' });
  const written = JSON.parse(readFileSync(manifest ?? '', 'utf8')) as { filters: object };
  await it.file(
    'items.csv.manifest.json',
    JSON.stringify({ ...written, filters: { where: ['brand=Beta'] } }),
  );
  expect((await verifyExport(out)).problems).toEqual([
    '40 rows do not match the selection of the export: brand=Beta.',
  ]);
});

test('a mistake in an expression is reported before anything is read', async () => {
  const { open, client } = await collection();
  await using it = open;
  it.sandbox.control.resetCounts();
  const refused = { code: 'bad_where' };
  await expect(exportItems({ client, out: `${it.folder}/a.csv`, where: 'brnad=x' })).rejects.toMatchObject(
    refused,
  );
  await expect(findDuplicates({ client, where: 'brnad=x' })).rejects.toMatchObject(refused);
  await expect(
    it.run((deps) => setItems({ changes: ['status=sold'], where: 'brnad=x' }, deps)),
  ).rejects.toMatchObject(refused);
  expect(it.sandbox.control.counts().byOperation).toEqual({});
});
