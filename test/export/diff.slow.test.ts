/** `shelflift diff`: two exports compared row by row, against a plain comparison of the items. */
import { readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import type { Item } from '../../src/api/schemas.ts';
import { exportResource } from '../../src/export/export.ts';
import { diffExports, type DiffRow } from '../../src/index.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { openTable } from '../../src/sheets/open-table.ts';
import {
  array,
  assert,
  asyncProperty,
  boolean,
  constantFrom,
  dictionary,
  integer,
  oneof,
  record,
  string,
} from '../support/fast-check.ts';
import { temporaryFolder } from '../support/open-import.ts';

const text = oneof(
  constantFrom('A', '=1+1', "'x", ' a; "b"\nc ', '1,5', '-3', '0012', 'ü'),
  string({ maxLength: 6 }),
);
const content = {
  name: constantFrom('Robot', 'Car', '-5', '@x'),
  brand: oneof(constantFrom(null), text),
  release_year: constantFrom(null, 1980, 1999),
  status: constantFrom('keep', 'sell', 'sold'),
  tags: array(constantFrom('a', 'b; c', 'd'), { maxLength: 2 }),
  estimated_value: constantFrom(null, 0, 1.5, 29.13, 1234.5),
  custom_fields: dictionary(
    constantFrom('shelf', 'n', 'odd  name'),
    oneof(text, integer({ min: -5, max: 9 }), constantFrom(146.07, 0.1), boolean()),
    { noNullPrototype: true },
  ),
} as const;
const item = record(content);
/** What becomes of an item between the two exports. */
const fate = oneof(
  { weight: 3, arbitrary: constantFrom('stays', 'goes', 'touched') },
  { weight: 2, arbitrary: record(content, { requiredKeys: [] }) },
);
const forms = constantFrom(
  { ending: 'csv' },
  { ending: 'csv', decimal: 'comma' as const, delimiter: ';' },
  { ending: 'xlsx' },
  { ending: 'ndjson' },
);

/** Fields of an item as people compare them: blank is no value, and custom fields are fields. */
function flat({ custom_fields = {}, ...fields }: Item): Map<string, string> {
  const all = [
    ...Object.entries(fields),
    ...Object.entries(custom_fields).map(
      ([key, value]) => [`custom_fields.${key.trim().replaceAll('  ', ' ')}`, value] as const,
    ),
  ];
  return new Map(
    all
      .filter(
        ([field, value]) =>
          field !== 'updated_at' &&
          value !== null &&
          value !== undefined &&
          value !== '' &&
          JSON.stringify(value) !== '[]',
      )
      .map(([field, value]) => [field, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}

it('diff counts the same changes as a plain comparison of the items, in any two formats', async () => {
  const folder = await temporaryFolder();
  await using sandbox = await startSandbox();
  await using client = createClient({ apiUrl: sandbox.url, key: sandbox.key });
  let round = 0;
  const seen = { added: 0, gone: 0, changed: 0, unchanged: 0 };
  await assert(
    asyncProperty(
      array(record({ item, fate }), { minLength: 1, maxLength: 8 }),
      array(item, { maxLength: 3 }),
      forms,
      forms,
      boolean(),
      async (all, more, formA, formB, withManifest) => {
        round += 1;
        const brand = `R${round}`;
        const place = (items: readonly object[]) =>
          sandbox.control.insertItems(items.map((each) => ({ ...each, series: brand, currency: 'usd' })));
        const mine = () =>
          sandbox.control.items().filter(({ series }) => series === brand || series === `${brand} gone`);
        const ids = place(all.map((each) => each.item));
        const where = [`series=${brand}`];
        const write = async (
          name: string,
          { ending, ...options }: { ending: string; decimal?: 'comma'; delimiter?: string },
        ) => {
          const out = join(folder, `${brand}${name}.${ending}`);
          await exportResource({ resource: 'items', out, where, ...options }, { client });
          if (!withManifest) await rm(`${out}.manifest.json`);
          return out;
        };
        const a = await write('a', formA);
        const before = new Map(mine().map((each) => [each.id, each]));
        for (const [index, { fate: becomes }] of all.entries()) {
          const id = ids[index] ?? '';
          if (becomes === 'goes') await client.updateItem(id, { series: `${brand} gone` });
          else if (becomes === 'touched')
            await client.updateItem(id, { status: before.get(id)?.status ?? 'keep' });
          else if (typeof becomes === 'object' && Object.keys(becomes).length > 0)
            await client.updateItem(id, becomes);
        }
        place(more);
        const b = await write('b', formB);
        const after = new Map(
          mine()
            .filter(({ series }) => series === brand)
            .map((each) => [each.id, each]),
        );

        const rows: DiffRow[] = [];
        const found = await diffExports({ a, b, onRow: (row) => rows.push(row) });
        const expected = { added: 0, gone: 0, changed: 0, unchanged: 0 };
        const fields = new Set<string>();
        for (const [id, item] of after) {
          const was = before.get(id);
          if (was === undefined) expected.added += 1;
          else {
            const [x, y] = [flat(was), flat(item)];
            const differ = [...new Set([...x.keys(), ...y.keys()])].filter(
              (field) => x.get(field) !== y.get(field),
            );
            expected[differ.length === 0 ? 'unchanged' : 'changed'] += 1;
            for (const field of differ) fields.add(field);
            expect(
              rows
                .find(({ key }) => key === id)
                ?.changes.map(({ field }) => field)
                .sort() ?? [],
            ).toEqual(differ.sort());
          }
        }
        for (const id of before.keys()) if (!after.has(id)) expected.gone += 1;
        expect(found).toMatchObject({ ...expected, a: { rows: before.size }, b: { rows: after.size } });
        expect(found.fields.map(({ field }) => field).sort()).toEqual([...fields].sort());
        for (const what of ['added', 'gone', 'changed', 'unchanged'] as const) seen[what] += expected[what];
      },
    ),
    { numRuns: 80 },
  );
  expect(Object.values(seen).every((count) => count > 0)).toBe(true);
});

const HEAD = 'id,name,brand,estimated_value,custom_fields.sku';
const ID = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const row = (n: number, rest: string) => `${ID(n)},${rest}`;

async function files(
  a: string[],
  b: string[],
  head = HEAD,
): Promise<{ a: string; b: string; folder: string }> {
  const folder = await temporaryFolder();
  const write = async (name: string, lines: string[]) => {
    await writeFile(join(folder, name), `${[head, ...lines].join('\r\n')}\r\n`);
    return join(folder, name);
  };
  return { a: await write('a.csv', a), b: await write('b.csv', b), folder };
}

it('diff compares by another key, and reports rows without the key', async () => {
  const { a, b } = await files(
    [row(1, 'Car,Acme,5,AF-1'), row(2, 'Robot,Acme,5,AF-2'), row(3, 'Bear,Acme,5,')],
    [row(7, 'Car,Acme,5.00,af-1'), row(2, 'Robot,Acme,6,AF-2'), row(8, 'Doll,Bolt,5,AF-9')],
  );
  const found = await diffExports({ a, b, by: ['custom_fields.sku'] });
  expect(found).toMatchObject({
    added: 1,
    gone: 0,
    changed: 2,
    fields: [{ field: 'custom_fields.sku' }, { field: 'estimated_value' }, { field: 'id' }].map((each) => ({
      ...each,
      items: 1,
    })),
    a: { rows: 3, withoutKey: 1 },
    warnings: [`1 row of ${a} has no custom_fields.sku and is not compared.`],
  });
});

it('diff refuses a key that no row of a file has', async () => {
  const folder = await temporaryFolder();
  await using sandbox = await startSandbox();
  await using client = createClient({ apiUrl: sandbox.url, key: sandbox.key });
  sandbox.control.insertItems([{ name: 'Toy', custom_fields: { sku: 'A1' } }]);
  const [a, b] = [join(folder, 'a.csv'), join(folder, 'b.ndjson')];
  await exportResource({ resource: 'items', out: a }, { client });
  await exportResource({ resource: 'items', out: b }, { client });
  for (const by of [['custom_fields.SKU'], ['id', 'custom_fields.SKU']])
    await expect(diffExports({ a, b, by })).rejects.toMatchObject({
      code: 'not_comparable',
      exitCode: 2,
      actions: [{ do: 'setOption', option: 'by', value: 'custom_fields.sku' }],
    });
  expect(await diffExports({ a, b, by: ['custom_fields.sku'] })).toMatchObject({ unchanged: 1 });
});

it('diff refuses files that cannot be compared', async () => {
  const lines = [row(1, 'Car,Acme,5,AF-1'), row(2, 'Car,Acme,"29,13 €",AF-2')];
  const { a, b, folder } = await files(lines.slice(0, 1), lines.slice(0, 1));
  const broken = async (text: string) => {
    const file = join(folder, 'broken.csv');
    await writeFile(file, text);
    return file;
  };
  const code = async (request: Parameters<typeof diffExports>[0]) => {
    try {
      return await diffExports(request);
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  const twice = await broken(`${HEAD}\r\n${lines[0]}\r\n${lines[0]}\r\n`);
  expect(await code({ a: twice, b })).toBe('double_key');
  expect(await code({ a, b: twice })).toBe('double_key');
  expect(await code({ a, b, by: ['custom_fields.skuu'] })).toBe('not_comparable');
  expect(await code({ a, b, out: a })).toBe('unknown_format');
  const formatted = await broken(`${HEAD}\r\n${lines[1]}\r\n`);
  expect(await code({ a, b: formatted })).toBe('not_comparable');
  const wide = await broken(`${HEAD}\r\n${lines[0]},x\r\n`);
  expect(await code({ a, b: wide })).toBe('broken_csv');
  expect(await code({ a, b: join(folder, 'none.csv') })).toBe('no_such_file');
  const other = await files([], [row(1, 'Car,x')], 'id,name,shape');
  expect(await diffExports({ a, b: other.b })).toMatchObject({
    changed: 0,
    unchanged: 1,
    warnings: [
      'Not compared: 4 columns that only one of the files has (brand, estimated_value, custom_fields.sku, shape).',
    ],
  });
  expect(await diffExports({ a: other.a, b })).toMatchObject({ added: 1, gone: 0 });
});

it('diff detects a truncated file, and a locale, from the manifest', async () => {
  const folder = await temporaryFolder();
  await using sandbox = await startSandbox();
  await using client = createClient({ apiUrl: sandbox.url, key: sandbox.key });
  sandbox.control.insertItems(
    Array.from({ length: 9 }, (_, n) => ({ name: `Toy ${n}`, estimated_value: n, currency: 'usd' })),
  );
  const a = join(folder, 'a.csv');
  const german = join(folder, 'german.csv');
  await exportResource({ resource: 'items', out: a }, { client });
  await exportResource({ resource: 'items', out: german, locale: 'de-DE' }, { client });
  await expect(diffExports({ a, b: german })).rejects.toMatchObject({ code: 'not_comparable' });
  expect(await diffExports({ a: german, b: german })).toMatchObject({ unchanged: 9 });
  const other = join(folder, 'other.csv');
  await exportResource({ resource: 'items', out: other, status: ['keep'] }, { client });
  expect((await diffExports({ a, b: other })).warnings.join()).toContain('different filters');
  const whole = await readFile(a, 'utf8');
  await truncate(a, whole.split('\n').slice(0, 4).join('\n').length + 1);
  const cut = await diffExports({ a: other, b: a });
  expect(cut).toMatchObject({ a: { missing: 0 }, b: { rows: 3, missing: 6 }, gone: 6 });
  expect(cut.warnings.join()).toContain('has 3 of the 9 rows that were exported');
  await truncate(a, 500);
  await expect(diffExports({ a, b: other })).rejects.toMatchObject({ code: 'truncated' });
});

it('diff writes the differences for review in the same form as a plan', async () => {
  const { a, b, folder } = await files(
    [row(1, 'Car,Acme,5,'), row(2, '<b>Robot</b>,Acme,5,'), row(3, 'Bear,Acme,5,x')],
    [row(1, 'Car,Bolt,,'), row(2, '<b>Robot</b>,Acme,5,'), row(4, 'Doll,Acme,7,')],
  );
  const html = join(folder, 'diff.html');
  expect(await diffExports({ a, b, out: html })).toMatchObject({ out: html, added: 1, gone: 1, changed: 1 });
  const page = await readFile(html, 'utf8');
  expect(page).toContain('<td class="changed">Acme → Bolt</td>');
  expect(page).toContain('<td class="emptied">5 → (blank)</td>');
  expect(page).toContain('<th>unchanged</th><td>1</td>');
  expect(page).not.toContain('<b>');
  const xlsx = join(folder, 'diff.xlsx');
  await diffExports({ a, b, out: xlsx });
  const table = await openTable(xlsx, { sheet: 'Difference' });
  const rows = (await Array.fromAsync(table.batches)).flat();
  expect(table.headers.slice(0, 4)).toEqual(['row', 'what', 'item', 'name']);
  expect(rows.map(({ cells }) => cells.slice(1, 4))).toEqual([
    ['changed', ID(1), 'Car'],
    ['added', ID(4), 'Doll'],
    ['gone', ID(3), 'Bear'],
  ]);
});
