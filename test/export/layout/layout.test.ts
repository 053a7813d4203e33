import { readFile } from 'node:fs/promises';
import { Big } from 'big.js';
import { parse } from 'csv-parse/sync';
import ExcelJS from 'exceljs';
import { describe, expect, test } from 'vitest';
import type { Item } from '../../../src/api/schemas.ts';
import { type ExportItemsOptions, exportItems } from '../../../src/export/export.ts';
import { parseLayout } from '../../../src/export/layout/load-layout.ts';
import { Manifest } from '../../../src/export/verify/manifest.ts';
import { verifyExport } from '../../../src/export/verify/verify.ts';
import { openSqliteLedger } from '../../../src/ledger/sqlite/sqlite-ledger.ts';
import { openTables } from '../../../src/sheets/open-table.ts';
import { type Setup, setUp } from '../support.ts';

async function toys(): Promise<Setup> {
  const setup = await setUp();
  const attic = setup.sandbox.control.addCollection('Attic: left/right');
  setup.sandbox.control.insertItems([
    {
      name: 'Falcon',
      brand: 'Kenner',
      release_year: 1979,
      estimated_value: 12.345,
      currency: 'usd',
      status: 'sell',
      created_at: '2026-03-01T00:30:15+02:00',
    },
    {
      name: '=1+1',
      estimated_value: 1234.5,
      currency: 'jpy',
      collection_id: attic.id,
      custom_fields: { paid: '10.50' },
    },
    {
      name: 'Camel',
      brand: 'Acme',
      estimated_value: 1.0005,
      currency: 'kwd',
      collection_id: attic.id,
      custom_fields: { paid: 4 },
    },
    { name: 'Token', estimated_value: 0.123456, currency: 'xyz' },
    { name: 'Unvalued', currency: 'usd', status: 'sold' },
  ]);
  return setup;
}

async function csv(
  setup: Setup,
  layout: string,
  more: Partial<ExportItemsOptions> = {},
): Promise<Record<string, string>[]> {
  const file = setup.path('a.csv');
  await exportItems({
    client: setup.client,
    out: file,
    template: parseLayout(layout, 'layout.yaml'),
    ...more,
  });
  const delimiter = more.delimiter ?? ',';
  return parse(await readFile(file), { columns: true, bom: true, delimiter });
}

describe('a layout', () => {
  test('chooses, names, computes, filters and sorts columns, and rounds amounts by their currency', async () => {
    const rows = await csv(
      await toys(),
      `name: mine
columns:
  - { title: Toy, text: "{name}[ ({release_year})]" }
  - { title: Maker, field: brand, blank: unknown }
  - { title: Value, field: estimated_value, format: money, total: true }
  - { title: Paid, field: custom_fields.paid, format: number, decimals: 1 }
  - { title: Gain, formula: "estimated_value - custom_fields.paid", format: money }
  - { title: State, field: status, words: { keep: mine }, otherwise: other }
  - { title: Kind, constant: toy }
where: status!=sold
sort: [{ by: estimated_value, order: descending }]
totals: Total
`,
    );
    expect(rows).toEqual([
      {
        Toy: "'=1+1",
        Maker: 'unknown',
        Value: '1235',
        Paid: '10.5',
        Gain: '1224',
        State: 'mine',
        Kind: 'toy',
      },
      {
        Toy: 'Falcon (1979)',
        Maker: 'Kenner',
        Value: '12.35',
        Paid: '',
        Gain: '',
        State: 'other',
        Kind: 'toy',
      },
      {
        Toy: 'Camel',
        Maker: 'Acme',
        Value: '1.001',
        Paid: '4.0',
        Gain: '-3.000',
        State: 'mine',
        Kind: 'toy',
      },
      { Toy: 'Token', Maker: 'unknown', Value: '0.123456', Paid: '', Gain: '', State: 'mine', Kind: 'toy' },
      { Toy: 'Total JPY', Maker: '', Value: '1235', Paid: '', Gain: '', State: '', Kind: '' },
      { Toy: 'Total KWD', Maker: '', Value: '1.001', Paid: '', Gain: '', State: '', Kind: '' },
      { Toy: 'Total USD', Maker: '', Value: '12.35', Paid: '', Gain: '', State: '', Kind: '' },
      { Toy: 'Total XYZ', Maker: '', Value: '0.123456', Paid: '', Gain: '', State: '', Kind: '' },
    ]);
  });

  test('makes a sheet for each value, with totals and numeric cells on each sheet', async () => {
    const setup = await toys();
    const file = setup.path('a.xlsx');
    await exportItems({
      client: setup.client,
      out: file,
      template: parseLayout(
        `name: mine
columns:
  - name
  - { title: Value, field: estimated_value, format: money, total: true }
  - { title: Since, field: created_at, format: date }
sheets: collection_name
sort: [name]
totals: true
`,
        'layout.yaml',
      ),
    });
    const sheets: Record<string, unknown[][]> = {};
    for (const table of await openTables(file, { sheet: 'all' })) {
      sheets[table.sheet ?? ''] = (await Array.fromAsync(table.batches)).flat().map(({ cells }) => cells);
    }
    expect(Object.keys(sheets)).toEqual(['Attic  left right', 'Main']);
    expect(sheets['Attic  left right']?.map(([name, value]) => [name, value])).toEqual([
      ['=1+1', 1235],
      ['Camel', 1.001],
      ['Total JPY', 1235],
      ['Total KWD', 1.001],
    ]);
    expect(sheets['Main']?.[0]).toEqual(['Falcon', 12.35, { kind: 'date', date: '2026-02-28' }]);
    const manifest = Manifest.parse(JSON.parse(await readFile(`${file}.manifest.json`, 'utf8')));
    expect(manifest).toMatchObject({ rows: 5, totalsRows: 4, layout: { name: 'mine' } });
    expect((await verifyExport(file)).problems).toEqual([]);
  });

  test('has totals that equal the sum of their lines, outside the filter of a workbook and absent from NDJSON', async () => {
    const setup = await setUp();
    setup.sandbox.control.insertItems([
      ...[10.5, 20.03, 33.33, 7.77, 1234.57].map((value, at) => ({
        name: `Car ${at}`,
        estimated_value: Number((value * 1.075).toFixed(6)),
      })),
      { name: 'Lamp', estimated_value: 1.2345, currency: 'kwd' },
      { name: 'Lamp', estimated_value: 1.0005, currency: 'kwd' },
    ]);
    const layout = parseLayout(
      `name: mine
columns:
  - name
  - { title: Value, field: estimated_value, format: money, total: true }
  - { title: Half, formula: "estimated_value / 2", format: number, decimals: 1, total: true }
  - { title: Exact, field: estimated_value, total: true }
  - { title: Code, field: currency }
totals: Total
`,
      'layout.yaml',
    );
    for (const locale of [undefined, 'de-DE']) {
      const out = setup.path('a.csv');
      await exportItems({
        client: setup.client,
        out,
        template: layout,
        delimiter: ';',
        ...(locale === undefined ? {} : { locale }),
      });
      const rows: Record<string, string>[] = parse(await readFile(out), { columns: true, delimiter: ';' });
      for (const column of ['Value', 'Half', 'Exact'])
        for (const code of ['USD', 'KWD']) {
          const amount = (row: Record<string, string>) => new Big((row[column] ?? '').replace(',', '.'));
          const lines = rows.filter((row) => row['Code'] === code.toLowerCase()).map(amount);
          const total = rows.find((row) => row['name'] === `Total ${code}`);
          const sum = lines.reduce((so, line) => so.plus(line), new Big(0));
          expect([column, code, amount(total ?? {}).toFixed()]).toEqual([column, code, sum.toFixed()]);
        }
    }
    const book = setup.path('a.xlsx');
    await exportItems({ client: setup.client, out: book, template: layout });
    const workbook = new ExcelJS.Workbook();
    await workbook.xlsx.readFile(book);
    expect(workbook.worksheets[0]?.rowCount).toBe(10);
    expect(workbook.worksheets[0]?.autoFilter).toBe('A1:E8');
    expect(workbook.worksheets[0]?.getCell('B2').numFmt).toBe('#,##0.000');
    const lines = setup.path('a.ndjson');
    const { manifest } = await exportItems({ client: setup.client, out: lines, template: layout });
    expect((await readFile(lines, 'utf8')).trim().split('\n')).toHaveLength(7);
    expect(JSON.parse(await readFile(manifest ?? '', 'utf8'))).not.toHaveProperty('totalsRows');
    expect((await verifyExport(lines)).problems).toEqual([]);
  });

  test('sums amounts computed from values by currency, even if shown as numbers', async () => {
    const rows = await csv(
      await toys(),
      `name: mine
columns:
  - name
  - { title: Insured, formula: "estimated_value * 2", total: true }
  - { title: Paid, field: custom_fields.paid, format: number, total: true }
totals: Sum
`,
    );
    expect(rows.slice(5).map((row) => Object.values(row))).toEqual([
      ['Sum', '', '14.5'],
      ['Sum JPY', '2469', ''],
      ['Sum KWD', '2.001', ''],
      ['Sum USD', '24.69', ''],
      ['Sum XYZ', '0.246912', ''],
    ]);
  });

  test('warns of totals that lack rows, because their values are texts', async () => {
    const setup = await setUp();
    const paid = ['12.50', '12,50', '€ 5', 7, '', '1.234,50', 'x'.repeat(500)];
    setup.sandbox.control.insertItems(
      paid.map((each) => ({ name: 'A', estimated_value: 2, custom_fields: { paid: each } })),
    );
    const layout = parseLayout(
      `name: mine
columns:
  - name
  - { title: Paid, field: custom_fields.paid, format: money, total: true }
  - { title: Gross, formula: "custom_fields.paid * 1.2", format: money, total: true }
  - { title: Per paid, formula: "estimated_value / (custom_fields.paid - 7)", format: money, total: true }
totals: Total
`,
      'layout.yaml',
    );
    for (const out of ['a.csv', 'a.xlsx', 'a.ndjson'].map(setup.path)) {
      const { manifest, notInTotals } = await exportItems({ client: setup.client, out, template: layout });
      expect(notInTotals).toBe(12);
      const { warnings, amounts } = Manifest.parse(JSON.parse(await readFile(manifest ?? '', 'utf8')));
      expect(amounts?.[0]).toEqual({ title: 'Paid', totals: { usd: '19.50' } });
      const lacks = (column: string) =>
        `The total of ${column} lacks 4 rows whose value is not a number: "${'x'.repeat(40)}", "1.234,50", "€ 5" …. Only digits with a decimal point count as a number.`;
      expect(warnings).toEqual(['Paid', 'Gross', 'Per paid'].map(lacks));
    }
  });

  test.each(['date', 'datetime'])(
    'escapes text that is not a valid %s like any other text',
    async (format) => {
      const setup = await setUp();
      const bought = ['=HYPERLINK("http://x")', '+1', '-1', '@x', '\tx', "'x", 'soon', '2026-03-01'];
      setup.sandbox.control.insertItems(
        bought.map((each) => ({ name: 'A', custom_fields: { bought: each } })),
      );
      const rows = await csv(
        setup,
        `name: mine\ncolumns: [{ title: Bought, field: custom_fields.bought, format: ${format} }]\n`,
      );
      const dated = format === 'date' ? '2026-03-01' : '2026-03-01 00:00:00';
      expect(new Set(rows.map((row) => row['Bought']))).toEqual(
        new Set(['\'=HYPERLINK("http://x")', "'+1", "'-1", "'@x", "'\tx", "'x", 'soon', dated]),
      );
    },
  );

  test('shows very small numbers in plain digits, whatever the locale', async () => {
    const setup = await setUp();
    setup.sandbox.control.insertItems([{ name: 'A', custom_fields: { weight: 1e-120 } }]);
    const [row] = await csv(
      setup,
      'name: mine\ncolumns: [{ title: Weight, field: custom_fields.weight, format: number }]\n',
      { locale: 'de-DE' },
    );
    expect(row?.['Weight']).toBe(`0,${'0'.repeat(119)}1`);
  });

  test.each([{}, { locale: 'de-DE' }])(
    'with an amount in every row reports an item that was removed (%j)',
    async (more) => {
      const setup = await setUp();
      await using ledger = openSqliteLedger(':memory:');
      const layout = `name: mine
columns: [{ title: Fee, constant: 5, format: money, total: true }, id]
totals: Total
`;
      const options = { values: ledger.values, changedSinceLast: 'weekly', ...more };
      const [id = ''] = setup.sandbox.control.insertItems([{ name: 'A', currency: 'usd' }]);
      await csv(setup, layout, options);
      setup.sandbox.control.removeItem(id);
      expect(await csv(setup, layout, options)).toEqual([{ Fee: '5', id, _change: 'left' }]);
    },
  );

  test('writes dates and money for a locale, with a decimal comma and semicolons, like an export without a layout', async () => {
    const setup = await toys();
    const rows = await csv(
      setup,
      'name: mine\ncolumns: [name, estimated_value, created_at]\nsort: [name]\n',
      {
        locale: 'de-DE',
        delimiter: ';',
        decimal: 'comma',
        bom: true,
      },
    );
    const plain = (text: string | undefined) => text?.replaceAll(/\s/gu, ' ');
    expect(rows.map((row) => plain(row['estimated_value']))).toEqual([
      '1235',
      '1,001',
      '12,35',
      '0,123456',
      '',
    ]);
    expect(rows.find(({ name }) => name === 'Falcon')?.['created_at']).toMatch(/^28\.02\.2026, 22:30:15$/);
    await exportItems({
      client: setup.client,
      out: setup.path('b.csv'),
      locale: 'en-GB',
      columns: ['name', 'estimated_value'],
    });
    expect(await readFile(setup.path('b.csv'), 'utf8')).toContain('Falcon,12.35');
  });

  test('that does not match the export is refused before anything is read', async () => {
    const { client, path, sandbox } = await toys();
    const refused = async (options: Partial<ExportItemsOptions>, code: string) =>
      expect(exportItems({ client, out: path('a.csv'), ...options })).rejects.toMatchObject({ code });
    await refused({ template: 'nothing' }, 'no_such_layout');
    await refused({ template: 'insurance' }, 'needs_xlsx');
    await refused({ template: 'plain', columns: ['id'] }, 'layout_and_columns');
    await refused({ locale: 'no_NO!' }, 'bad_locale');
    await refused({ resource: 'collections', template: 'plain' }, 'not_for_resource');
    expect(sandbox.control.counts().requests).toBe(0);
  });

  test('is refused with the line and column of every mistake', () => {
    const text = `name: mine
columns:
  - nmae
  - { title: A, field: name, text: "{brand}" }
  - { title: B, formula: "estimated_value *" }
  - { title: C, text: "{brnd}" }
  - { title: D, field: name, total: true }
  - { title: D, field: brand }
sort: [yaer]
where: colour=red
locale: x
totals: true
colums: []
`;
    const problems = () => parseLayout(text, 'my.yaml');
    expect(problems).toThrow(/my\.yaml:13:1: colums: is unknown/);
    const rest = () => parseLayout(text.replace('colums: []\n', ''), 'my.yaml');
    for (const problem of [
      'my.yaml:3:5: columns.0: expected a field',
      'my.yaml:4:5: columns.1: expected one of field, text, formula, constant',
      'my.yaml:5:17: columns.2.formula: an operand is missing at the end',
      'my.yaml:6:17: columns.3.text: expected a field',
      'my.yaml:7:30: columns.4.total: only for numbers and money',
      'my.yaml:8:5: columns.5: another column is already called D',
      'my.yaml:9:8: sort.0: expected a field',
      'my.yaml:10:1: where: The expression "colour=red" cannot be read at character 1: an item has no field "colour"; The fields are',
      'my.yaml:11:1: locale: expected a language tag',
    ]) {
      expect(rest).toThrow(problem);
    }
    const nameless = `name: mine\ncolumns:\n  - { field: estimated_value, total: true }\ntotals: true\n`;
    expect(() => parseLayout(nameless, 'my.yaml')).toThrow(/my\.yaml:4:1: totals: every column has total/);
  });
});

describe('the shipped layouts', () => {
  test('include plain, which writes the same file as an export without a layout', async () => {
    const { client, path } = await setUp({ seed: 7, seedItems: 230 });
    await exportItems({ client, out: path('a.csv') });
    await exportItems({ client, out: path('b.csv'), template: 'plain' });
    expect(await readFile(path('b.csv'), 'utf8')).toBe(await readFile(path('a.csv'), 'utf8'));
  });

  test.each(['insurance', 'marketplace', 'accounting', 'price-guide', 'everything', 'plain'])(
    '%s writes a workbook that verifies',
    async (name) => {
      const { client, path } = await setUp({ seed: 7, seedItems: 230 });
      const summary = await exportItems({ client, out: path('a.xlsx'), template: name });
      expect(summary.rows).toBeGreaterThan(5);
      expect((await verifyExport(path('a.xlsx'))).problems).toEqual([]);
    },
  );
});

/** As the files named in the heads of the two layouts have them. */
const TCGPLAYER =
  'TCGplayer Id,Product Line,Set Name,Product Name,Title,Number,Rarity,Condition,TCG Market Price,TCG Direct Low,TCG Low Price With Shipping,TCG Low Price,Total Quantity,Add to Quantity,TCG Marketplace Price,Photo URL';
const CARDMARKET =
  'idProduct;groupCount;price;idLanguage;condition;isFoil;isSigned;isAltered;isPlayset;isReverseHolo;isFirstEd;isFullArt;isUberRare;isWithDie';

describe('uploads to card markets', () => {
  async function cards(currency: string): Promise<Setup> {
    const setup = await setUp();
    const sell = { brand: 'Magic', series: 'Ashen Vale', status: 'sell', condition: 'loose_good' } as const;
    const ids = { tcgplayer_id: '4780852', cardmarket_id: '241866', card_number: '27', rarity: 'R' };
    setup.sandbox.control.insertItems([
      {
        ...sell,
        name: 'Rise // Fall Back',
        estimated_value: 14.5,
        currency,
        tags: ['foil'],
        custom_fields: { ...ids, condition: 'Lightly Played Foil', language: 'German' },
      },
      { ...sell, name: 'Without an id', estimated_value: 1, currency: 'eur' },
      { ...sell, name: 'Kept', status: 'keep', estimated_value: 1, currency: 'eur', custom_fields: ids },
      { ...sell, name: 'No value', currency: 'eur', custom_fields: ids },
    ]);
    return setup;
  }

  test.each([
    [
      'tcgplayer',
      'usd',
      TCGPLAYER,
      '4780852,Magic,Ashen Vale,Rise // Fall Back,,27,R,Lightly Played Foil,,,,,,1,14.50,',
    ],
    ['cardmarket', 'eur', CARDMARKET, '241866;1;14.50;3;4;1;;;;;;;;'],
  ])(
    '%s has the columns of the market, and only cards that can be sold there',
    async (name, currency, header, row) => {
      const setup = await cards(currency);
      await exportItems({ client: setup.client, out: setup.path('a.csv'), template: name });
      const text = await readFile(setup.path('a.csv'), 'utf8');
      expect(text.trim().split(/\r?\n/)).toEqual([header, row]);
      expect((await verifyExport(setup.path('a.csv'))).problems).toEqual([]);
    },
  );

  test('leave out cards with a value that the market does not accept, and name and count these cards', async () => {
    const { client, path, sandbox } = await setUp();
    const card = (name: string, fields: Partial<Item>, language?: string) => ({
      status: 'sell' as const,
      condition: 'loose_good' as const,
      estimated_value: 20,
      currency: 'eur',
      name,
      ...fields,
      custom_fields: {
        cardmarket_id: name,
        tcgplayer_id: name,
        ...(language === undefined ? {} : { language }),
      },
    });
    sandbox.control.insertItems([
      card('1', { tags: ['boxed', 'FOIL'] }, 'german'),
      card('2', { tags: ['Etched'] }),
      card('3', {}, 'Deutsch'),
      card('4', {}, 'ja-JP'),
      card('5', {}, 'Klingon'),
      card('6', { currency: 'usd' }, 'English'),
      card('7', { condition: 'chewed' }, 'English'),
    ]);
    const warnings: string[] = [];
    const summary = await exportItems({
      client,
      out: path('stock.csv'),
      template: 'cardmarket',
      onEvent: (event) => {
        if (event.type === 'warning') warnings.push(event.message);
      },
    });
    expect(summary).toMatchObject({ rows: 2, leftOut: 5 });
    const rows: Record<string, string>[] = parse(await readFile(path('stock.csv')), {
      columns: true,
      delimiter: ';',
    });
    expect(rows.map(({ idProduct, idLanguage, isFoil }) => [idProduct, idLanguage, isFoil])).toEqual([
      ['1', '3', '1'],
      ['2', '1', '1'],
    ]);
    for (const named of [
      'idLanguage "Deutsch"',
      '"ja-JP"',
      '"Klingon"',
      'EUR, not in USD',
      'condition "chewed"',
    ])
      expect(warnings.join('\n')).toContain(named);
    const verification = await verifyExport(path('stock.csv'));
    expect(verification.problems).toEqual([]);
    expect(verification.expected).toMatchObject({ rows: 2, leftOut: 5, statuses: { sell: 2 } });
    const upload = await exportItems({ client, out: path('upload.csv'), template: 'tcgplayer' });
    expect(upload).toMatchObject({ rows: 1, leftOut: 6 });
    expect(await readFile(path('upload.csv'), 'utf8')).toMatch(/^6,/m);
  });
});

test('an expression in a layout accepts only existing statuses', () => {
  const layout = (where: string) => () =>
    parseLayout(`name: own\ncolumns: [name]\nwhere: ${where}\n`, 'my.yaml');
  expect(layout('[status=Sell or status=trade, brand~x]')).not.toThrow();
  for (const where of ['status=sel', 'status!=sel', '[brand~x, status=sel]']) {
    expect(layout(where)).toThrow('Did you mean sell? Expected keep, sell, trade, sold, archived.');
  }
});

test('a layout gives NDJSON objects keyed by title, and its titles in CSV are never formulas', async () => {
  const { client, path } = await toys();
  const template = {
    name: 'own',
    columns: [
      { title: '=Name', field: 'name' },
      { title: 'Value', field: 'estimated_value', format: 'money' as const },
      'tags',
      'created_at',
    ],
    where: 'brand=kenner',
  };
  await exportItems({ client, out: path('a.ndjson'), template });
  expect(JSON.parse(await readFile(path('a.ndjson'), 'utf8'))).toEqual({
    '=Name': 'Falcon',
    Value: 12.35,
    tags: null,
    created_at: expect.stringMatching(/^2026-0[23]-\d\dT/) as string,
  });
  await exportItems({ client, out: path('a.csv'), template });
  expect(await readFile(path('a.csv'), 'utf8')).toMatch(/^'=Name,Value,tags,created_at\r?\nFalcon,12.35,,/);
});
