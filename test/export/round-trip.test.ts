import { describe, expect, test } from 'vitest';
import type { Item } from '../../src/api/schemas.ts';
import { exportResource } from '../../src/export/export.ts';
import { headerOf } from '../../src/export/write/item-columns.ts';
import { compileMapping } from '../../src/mapping/compile.ts';
import { isUnchanged, textForm } from '../../src/mapping/text-form.ts';
import { openTable } from '../../src/sheets/open-table.ts';
import { setUp } from './support.ts';

const NASTY: unknown[] = [
  5,
  '5',
  -5,
  '-5',
  0,
  '0',
  true,
  'true',
  false,
  'false',
  'TRUE',
  {},
  '{}',
  [],
  '[]',
  [1],
  '[1]',
  { a: { b: [null, 'x'] } },
  null,
  'null',
  '',
  ' ',
  ' x ',
  '=1+1',
  "'quoted",
  "'",
  "''",
  "'=1",
  '+',
  '@x',
  '\tx',
  '007',
  '1.23E+12',
  0.1 + 0.2,
  '0.30000000000000004',
  1e21,
  '1e21',
  1e-7,
  Number.MAX_SAFE_INTEGER,
  1.5,
  '1,5',
  '1.234',
  'a;b',
  'a|b',
  'line\nfeed',
  'line\r\nfeed',
  'a,"b"',
  '<clear>',
  'n/a',
  '?',
  '2026-01-02',
  '01.02.2026',
  'Ünïcode ☃ 🧸 漢字',
  'e\u0301',
  '\u00a0edge\u00a0',
  '_x000D_',
  '#N/A',
  'x'.repeat(5000),
  '<b>&amp;</b>',
  'sep=;',
  'Total',
  'half a character \uD83D',
];

const NAMES = [
  'plain',
  'a.b',
  'a,b',
  'with space',
  'ends with space ',
  ' begins',
  'two  spaces',
  'line\nbreak',
  'name',
  'status',
  'id',
  'custom_fields',
  'custom_fields.x',
  'Größe',
  '=formula',
  '"quoted"',
  "it's",
  '_row',
  'constructor',
  '',
  'A',
  'a',
  '1',
  'quantity',
  '\u200bzero',
];

function nastyItems(): Partial<Item>[] {
  const values = NASTY.map((value, index): Partial<Item> => {
    const text = typeof value === 'string' && value !== '' ? value : `Toy ${index}`;
    return {
      name: text,
      brand: typeof value === 'string' ? value : null,
      series: text,
      release_year: index % 3 === 0 ? null : 1980 + index,
      condition: [null, 'mint_on_card', 'C7', 'loose'][index % 4] ?? null,
      packaging: [null, 'opened', 'shrink wrap'][index % 3] ?? null,
      status: (['keep', 'sell', 'trade', 'sold', 'archived'] as const)[index % 5] ?? 'keep',
      tags:
        [[], ['a', 'b c'], ['a;b'], ['a|b', 'c'], [' x '], [''], ['=x'], ['[1]'], [text]][index % 9] ?? [],
      estimated_value: [null, 0, 12.5, 0.1 + 0.2, 1e21, 1e-7, 1234.567][index % 7] ?? null,
      custom_fields: { value, [NAMES[index % NAMES.length] ?? 'x']: value },
    };
  });
  const named = NAMES.map((name, index) => ({
    name: `Named ${index}`,
    custom_fields: { [name]: `v${index}`, other: index },
  }));
  return [...values, ...named, { name: 'Total', tags: [], custom_fields: {} }, { name: 'Bare' }];
}

describe.each(['csv', 'xlsx'] as const)('an export as %s comes back without a change', (format) => {
  let items: Map<string, Item>;
  let file: string;

  async function exported() {
    const { sandbox, client, path } = await setUp();
    sandbox.control.insertItems(nastyItems());
    items = new Map(sandbox.control.items().map((item) => [item.id, item]));
    file = path(`items.${format}`);
    await exportResource({ resource: 'items', out: file }, { client });
    return openTable(file, {});
  }

  test('whatever the items hold', async () => {
    const table = await exported();
    const mapping = compileMapping({
      headers: table.headers,
      letters: table.letters,
      format,
      map: {},
      defaults: {},
      mode: 'update',
      match: ['id'],
    });
    expect(mapping.ownExport).toBe(true);
    let rows = 0;
    for await (const batch of table.batches) {
      for (const { cells } of batch) {
        const row = mapping.mapRow(cells);
        const item = items.get(row.id ?? '');
        expect(item).toBeDefined();
        expect(row.issues).toEqual([]);
        expect(row.collection).toBe(item?.collection_id);
        for (const [field, mapped] of Object.entries(row.fields)) {
          expect([item?.name, field, mapped.text, isUnchanged(field, item?.[field], mapped)]).toEqual([
            item?.name,
            field,
            mapped.text,
            true,
          ]);
        }
        for (const [name, mapped] of Object.entries(row.customFields)) {
          const field = `custom_fields.${name}`;
          const current = item?.custom_fields?.[name];
          expect([item?.name, field, mapped.text, isUnchanged(field, current, mapped)]).toEqual([
            item?.name,
            field,
            mapped.text,
            true,
          ]);
        }
        // And nothing was lost: what the item holds, and a cell can show, is there.
        for (const [name, value] of Object.entries(item?.custom_fields ?? {})) {
          const field = `custom_fields.${name}`;
          const text = textForm(field, value);
          if (headerOf(field) !== field || text.trim() === '') continue;
          if (format === 'csv' && !text.isWellFormed()) continue;
          expect([field, Object.hasOwn(row.customFields, name)]).toEqual([field, true]);
        }
        rows += 1;
      }
    }
    expect(rows).toBe(items.size);
  });
});

test('a name that would not survive as a header gets a column that imports skip', () => {
  expect(headerOf('custom_fields.a b')).toBe('custom_fields.a b');
  expect(headerOf('custom_fields.a  b')).toBe('_custom_fields.a  b');
  expect(headerOf('custom_fields.a ')).toBe('_custom_fields.a ');
  expect(headerOf('custom_fields.\ud800')).toBe('_custom_fields.\ud800');
});

test('text too long for an XLSX cell is left blank with a warning, so that it cannot come back truncated', async () => {
  const { sandbox, client, path } = await setUp();
  const [id] = sandbox.control.insertItems([{ name: 'Long', brand: 'x'.repeat(32_768) }]);
  const warnings: string[] = [];
  await exportResource(
    { resource: 'items', out: path('a.xlsx') },
    { client, onEvent: (event) => event.type === 'warning' && warnings.push(event.message) },
  );
  expect(warnings).toEqual([`brand is too long for an XLSX cell and was left blank in ${id}.`]);
  const table = await openTable(path('a.xlsx'), {});
  const [row] = (await Array.fromAsync(table.batches)).flat();
  expect(row?.cells[table.headers.indexOf('brand')]).toBeNull();
});
