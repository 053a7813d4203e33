import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import ExcelJS from 'exceljs';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Item } from '../../src/api/schemas.ts';
import { exportResource } from '../../src/export/export.ts';
import { headerOf } from '../../src/export/write/item-columns.ts';
import { compileMapping } from '../../src/mapping/compile.ts';
import { isUnchanged } from '../../src/import/engine/equality.ts';
import { textForm } from '../../src/mapping/text-form.ts';
import { cellText } from '../../src/sheets/cell.ts';
import { openTable } from '../../src/sheets/open-table.ts';
import {
  array,
  assert,
  asyncProperty,
  constantFrom,
  dictionary,
  double,
  integer,
  oneof,
  record,
} from '../support/fast-check.ts';
import { openImport } from '../support/open-import.ts';
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

const FORMS = [
  ['csv', {}],
  ['csv', { decimal: 'comma', delimiter: ';' }],
  ['xlsx', {}],
] as const;

describe.each(FORMS)('an export as %s with %o is imported again without a change', (format, form) => {
  let items: Map<string, Item<Record<string, unknown>>>;
  let file: string;

  async function exported() {
    const { sandbox, client, path } = await setUp();
    sandbox.control.insertItems(nastyItems());
    items = new Map(sandbox.control.items().map((item) => [item.id, item]));
    file = path(`items.${format}`);
    await exportResource({ resource: 'items', out: file, ...form }, { client });
    return openTable(file, {});
  }

  test('for any values of the items', async () => {
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

const custom = dictionary(
  constantFrom('price', 'count', 'note'),
  oneof(
    double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }),
    integer(),
    constantFrom(146.07, 1234.567, -0.5, '146,07', '146.07', '1,234', '-3', '0012', true),
  ),
  { noNullPrototype: true },
);

test('numbers of all kinds survive an export and import with any decimal mark', async () => {
  await using it = await openImport();
  await assert(
    asyncProperty(
      array(record({ custom_fields: custom, estimated_value: constantFrom(null, 0, 29.13, 1234.567) }), {
        minLength: 1,
        maxLength: 12,
      }),
      constantFrom('point' as const, 'comma' as const),
      async (contents, decimal) => {
        const series = `R${it.items().length}`;
        it.sandbox.control.insertItems(
          contents.map((each, n) => ({ name: `Toy ${n}`, series, ...each, currency: 'usd' })),
        );
        const out = join(it.folder, `${series}.csv`);
        await it.run(({ client }) =>
          exportResource(
            { resource: 'items', out, where: [`series=${series}`], decimal, delimiter: ';' },
            { client },
          ),
        );
        const { summary } = await it.import({ file: out, mode: 'update', match: ['id'] });
        expect(summary.rows).toMatchObject({ read: contents.length, unchanged: contents.length });
        // No number has the other mark.
        const table = await openTable(out, {});
        const rows = (await Array.fromAsync(table.batches)).flat();
        for (const { cells } of rows) {
          const found =
            contents[Number(/\d+/.exec(cellText(cells[table.headers.indexOf('name')] ?? ''))?.[0])];
          for (const [name, value] of Object.entries(found?.custom_fields ?? {})) {
            if (typeof value !== 'number' || Number.isInteger(value)) continue;
            const text = cellText(cells[table.headers.indexOf(`custom_fields.${name}`)] ?? '');
            expect([text, text.includes(decimal === 'comma' ? ',' : '.')]).toEqual([text, true]);
          }
        }
      },
    ),
    { numRuns: 40 },
  );
});

test('with a locale, numbers in custom fields are written in the form of that locale', async () => {
  const { sandbox, client, path } = await setUp();
  sandbox.control.insertItems([
    {
      name: 'A',
      custom_fields: { paid: 1234.5, count: -1200, sku: '0012', text: '1.5' },
      estimated_value: 29.13,
      currency: 'eur',
    },
  ]);
  const cellsOf = async (locale: string) => {
    const out = path(`${locale}.csv`);
    await exportResource({ resource: 'items', out, locale }, { client });
    const { headers, batches } = await openTable(out, {});
    const [row] = (await Array.fromAsync(batches)).flat();
    return ['paid', 'count', 'sku', 'text'].map(
      (name) => row?.cells[headers.indexOf(`custom_fields.${name}`)],
    );
  };
  expect(await cellsOf('de-DE')).toEqual(['1.234,5', '-1.200', '0012', '1.5']);
  expect(await cellsOf('en-GB')).toEqual(['1,234.5', '-1,200', '0012', '1.5']);
});

test('a name that would not survive as a header gets a column that imports skip', () => {
  expect(headerOf('custom_fields.a b')).toBe('custom_fields.a b');
  expect(headerOf('custom_fields.a  b')).toBe('_custom_fields.a  b');
  expect(headerOf('custom_fields.a ')).toBe('_custom_fields.a ');
  expect(headerOf('custom_fields.\ud800')).toBe('_custom_fields.\ud800');
});

test('text too long for an XLSX cell is left blank with a warning, so that no import truncates it', async () => {
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

/** An export of one item as CSV, edited as text, and imported. */
async function edited(
  item: Partial<Item>,
  options: Partial<Parameters<typeof exportResource>[0]>,
  edit: (text: string) => string,
) {
  const it = await openImport();
  onTestFinished(() => it[Symbol.asyncDispose]());
  it.sandbox.control.insertItems([
    { name: 'Other', estimated_value: 1500.5 },
    { name: 'Toy', ...item },
  ]);
  const out = join(it.folder, 'items.csv');
  await it.run(({ client }) => exportResource({ resource: 'items', out, ...options }, { client }));
  const file = await it.file('edited.csv', edit(await it.read(out)));
  const { exitCode } = await it.import({ file, mode: 'update', match: ['id'] });
  return { exitCode, item: it.items().find(({ name }) => name === 'Toy') };
}

test.each([
  ['comma', '1.250,50', 0, 1250.5],
  ['comma', '1250', 0, 1250],
  ['comma', '1.250', 3, 2000],
  ['point', '1250.5', 0, 1250.5],
  ['point', '1,250', 3, 2000],
] as const)(
  'an amount typed into an export with a decimal %s, %s, ends with exit code %i',
  async (decimal, to, exit, value) => {
    const { exitCode, item } = await edited({ estimated_value: 2000 }, { delimiter: ';', decimal }, (text) =>
      text.replace(';2000;', `;${to};`),
    );
    expect([exitCode, item?.estimated_value]).toEqual([exit, value]);
  },
);

test.each([
  ['"[""a;b"",""c""]"', '"[""a;b"",""c""]; boxed"', 0, { tags: ['a;b', 'c', 'boxed'], list: [1, '2'] }],
  ['"[""a;b"",""c""]"', '"[""a;b"",""c"', 3, { tags: ['a;b', 'c'], list: [1, '2'] }],
  ['"[1,""2""]"', '"[1,""2"""', 3, { tags: ['a;b', 'c'], list: [1, '2'] }],
])('JSON in a cell of an export: %s becomes %s', async (from, to, exit, { tags, list }) => {
  const { exitCode, item } = await edited(
    { tags: ['a;b', 'c'], custom_fields: { list: [1, '2'] } },
    {},
    (text) => text.replace(from, to),
  );
  expect([exitCode, item?.tags, item?.custom_fields?.['list']]).toEqual([exit, tags, list]);
});

test.each([
  ['007', '7'],
  ['0012345678905', '12345678905'],
  ['4006874010028', '4.00687E+12'],
  ['4006874010028', '4,00687E+12'],
  ['12345678901234567890', '12345678901234500000'],
  ['1E5', '1.00E+05'],
  ['TRUE', 'true'],
  ['TRUE', 'WAHR'],
  ['false', 'FAUX'],
  ['3-4', '4-Mar'],
  ['3-4', '03. Apr'],
  ['3-4', '2026-03-04'],
  ['MAR1', '1-Mar'],
  ['SEP2', '02. Sep'],
  ['1/2', '2-Jan'],
  ['3-2004', 'Mrz 04'],
  ['2005-03-04', '04.03.2005'],
  ['3/4/2005', '03/04/2005'],
  ['4 March 1992', '4-Mar-92'],
  ['12:30', '12:30:00'],
  ['1:43', '01:43:00 AM'],
  ['0:43', '12:43:00 AM'],
  ['01:43', '1:43'],
  ['25:00', '25:00:00'],
  ['(5)', '-5'],
  ['(5.50)', '-5,5'],
  ['5%', '5.00%'],
  ['7.5 %', '7,5%'],
  ['5%', '0.05'],
  ['1.000.000', '1000000'],
  ["1'234.50", '1234.5'],
  ['1\u00a0000', '1000'],
  ['$5.00', '5'],
  ['99.90 €', '99.9'],
])(
  'the text %s, which a spreadsheet program saves as %s, stays, and the edit beside it is sent',
  async (from, to) => {
    const { exitCode, item } = await edited({ brand: 'Siku', custom_fields: { code: from } }, {}, (text) =>
      text.replace(`,${from},`, `,"${to}",`).replace(',Siku,', ',Wiking,'),
    );
    expect([exitCode, item?.brand, item?.custom_fields]).toEqual([0, 'Wiking', { code: from }]);
  },
);

test.each([
  ['007', '008'],
  // The same number in JavaScript.
  ['12345678901234567', '12345678901234568'],
  ['7', '007'],
  ['TRUE', 'FALSCH'],
  ['TRUE', 'x'],
  ['3-4', '4-3'],
  ['3-4', '5-Mar'],
  ['3/4/2005', '4/3/2005'],
  ['4 March', '4 March 1992'],
  ['4 March 1905', '4 March 2005'],
  ['3/4', '3/4/1992'],
  ['1.000.000', '1000001'],
  ['$5.00', '6'],
  ['A$5', 'A$6'],
  ['Mark 2', 'Mark 3'],
  ['2024-01', '2024-01-05'],
  ['5/2024', '12/5/2024'],
  ['3/4', '3/4/2099'],
  ['MAR-5', 'MAR-105'],
  ['MAR-1', 'MAR-3001'],
  ['1:43', '1:43:30'],
  ['1:43', '01:43'],
  ['1:43', '13:43'],
  ['1:64', '01:64:00'],
  ['(5)', '5'],
  ['5%', '5'],
  ['5%', '0.5'],
])('the code %s in an export that a person corrects to %s is sent', async (from, to) => {
  const { item } = await edited({ custom_fields: { code: from } }, {}, (text) =>
    text.replace(`,${from},`, `,${to},`),
  );
  expect(item?.custom_fields).toEqual({ code: to });
});

test('a CSV export that a spreadsheet program saves as a workbook changes nothing', async () => {
  const it = await openImport();
  onTestFinished(() => it[Symbol.asyncDispose]());
  it.sandbox.control.insertItems([
    {
      name: '=1+1',
      brand: '-5',
      tags: ['a,b', '-x'],
      custom_fields: { phone: '+49 123', order: 123456789012345680, share: 0.1 + 0.2 },
    },
  ]);
  const out = join(it.folder, 'items.csv');
  await it.run(({ client }) => exportResource({ resource: 'items', out }, { client }));
  const book = new ExcelJS.Workbook();
  // It keeps 15 digits of a number, and takes all others for texts.
  const cells: string[][] = parse(await it.read(out), { bom: true });
  book
    .addWorksheet('items')
    .addRows(
      cells.map((row) =>
        row.map((cell) => (/^\d[\d.]+$/.test(cell) ? Number(Number(cell).toPrecision(15)) : cell)),
      ),
    );
  const file = join(it.folder, 'items.xlsx');
  await book.xlsx.writeFile(file);
  const before = it.items();
  const { exitCode, summary } = await it.import({ file, mode: 'update', match: ['id'] });
  expect([exitCode, summary.rows]).toMatchObject([0, { updated: 0, unchanged: 1 }]);
  expect(it.items()).toEqual(before);
});
