/** Amounts in another currency than the items' are issues of their rows, never silent numbers. */
import { english } from '../../src/messages/message.ts';
import ExcelJS from 'exceljs';
import { expect, test } from 'vitest';
import { issuesOf } from '../../src/import/results/issues.ts';
import { correctionQuestions } from '../../src/import/correction/questions.ts';
import { changesOf } from '../../src/import/correction/correction-options.ts';
import { correctAndReport } from '../../src/import/correction/correct-job.ts';
import { checkChange, type Correction } from '../../src/mapping/template/change.ts';
import type { ImportEvent } from '../../src/import/job/events.ts';
import type { ImportRequest } from '../../src/import/job/options.ts';
import { setItems } from '../../src/import/run.ts';
import { resolveRow } from '../../src/import/jobs/resolve-row.ts';
import type { JobOutcome } from '../../src/import/results/summary.ts';
import { type OpenImport, openImport, QUIET_MS } from '../support/open-import.ts';

const RUN = { quietPeriodMs: QUIET_MS, skipInvalid: true };

// The sandbox's items are in usd.
const ROWS = 'name,Value\nFalcon,$5\nTie,€ 12.50\nBus,7\nScout,US$ 3\nSpeeder,20 CAD\n';

test('a currency sign or code that no item uses is an issue; $, or no sign, is not an issue', async () => {
  await using it = await openImport({ seed: 7, seedItems: 3 });
  const events: ImportEvent[] = [];
  const file = await it.file('toys.csv', ROWS);
  const { summary, exitCode } = await it.import(
    { file, collection: 'Trains', skipInvalid: true },
    { onEvent: (event) => void events.push(event) },
  );
  expect(exitCode).toBe(3);
  expect(summary.rows).toMatchObject({ read: 5, created: 3, invalid: 2 });
  const rejects = await it.read(summary.files.rejects);
  expect(rejects).toContain(
    'wrong_currency,Value,"estimated_value ""€ 12.50"" is in a different currency from the items: expected an amount in USD"',
  );
  expect(rejects).toContain('20 CAD');
  const reasons = events.flatMap((event) => (event.type === 'issues' ? event.reasons : []));
  expect(reasons).toMatchObject([{ code: 'wrong_currency', rows: 2, firstRows: [{ row: 3 }, { row: 6 }] }]);
});

test('a currency or a percentage that only the format of a cell shows counts like one in its text', async () => {
  await using it = await openImport({ seed: 7, seedItems: 3 });
  const workbook = new ExcelJS.Workbook();
  const sheet = workbook.addWorksheet('Toys');
  sheet.addRow(['name', 'Value', 'Paid', 'Rebate']);
  const formats: [name: string, value: number, format: string][] = [
    ['Falcon', 5, '"$"#,##0.00'],
    ['Tie', 1.125, '#,##0.00 [$€-407]'],
    ['Bus', 7, '#,##0.00'],
    ['Scout', 0.05, '0%'],
  ];
  for (const [name, value, format] of formats) {
    const row = sheet.addRow([name, value, 3.5, 0.05]);
    row.getCell(2).numFmt = format;
    row.getCell(3).numFmt = '0.00 "EUR"';
    row.getCell(4).numFmt = '0%';
  }
  const file = await it.file('toys.xlsx', '');
  await workbook.xlsx.writeFile(file);
  const notes: string[] = [];
  const { summary, exitCode } = await it.import(
    { file, collection: 'Trains' },
    { onEvent: (event) => void notes.push(...(event.type === 'note' ? [event.message] : [])) },
  );
  expect(exitCode).toBe(3);
  expect(summary.rows).toMatchObject({ read: 4, pending: 2, invalid: 2 });
  expect(notes.filter((note) => note.includes('format of the cells'))).toEqual([
    'column C: only the format of the cells shows a currency (EUR). The numbers are read without it.',
  ]);
  const rejects = await it.read(summary.files.rejects);
  expect(rejects).toContain(
    'wrong_currency,Value,"estimated_value ""1.125 €"" is in a different currency from the items: expected an amount in USD"',
  );
  expect(rejects).toContain('not_a_number,Value,"estimated_value ""5%""');
  // The rows are judged again without the file.
  const changes = [
    { type: 'option', field: 'estimated_value', option: 'rates', value: { EUR: '2' } },
    { type: 'cell', row: 5, column: 'Value', text: '9 EUR' },
  ] as const;
  await it.run((deps) => correctAndReport(summary.job, { changes }, deps));
  const sent = await it.apply(summary.job);
  expect(sent.summary.rows).toMatchObject({ created: 4 });
  const valueOf = (name: string) => it.items().find((item) => item.name === name)?.estimated_value;
  expect(['Falcon', 'Tie', 'Bus', 'Scout'].map(valueOf)).toEqual([5, 2.25, 7, 18]);
  expect(it.items().find(({ name }) => name === 'Tie')?.custom_fields).toEqual({ Paid: 3.5, Rebate: '5%' });
});

test('amounts in another currency are counted separately from other problems, and converted on request', async () => {
  await using it = await openImport({ seed: 7, seedItems: 3 });
  const rows = `${ROWS}Duck,€ 19.99\n,€ 1\n`;
  const file = await it.file('toys.csv', rows);
  const { summary } = await it.import({ file, collection: 'Trains' });
  // The row without a name is one of them.
  expect(summary.issues).toMatchObject([
    { code: 'wrong_currency', rows: 4, values: [{}, {}, {}, {}] },
    { code: 'required', rows: 1 },
  ]);
  const rates = { EUR: '1.1', CAD: '0.7' };
  const changes = [{ type: 'option', field: 'estimated_value', option: 'rates', value: rates }] as const;
  const mended = await it.run((deps) => correctAndReport(summary.job, { changes }, deps));
  expect(mended.summary.rows).toMatchObject({ invalid: 1, pending: 6 });
  await it.apply(summary.job, { skipInvalid: true });
  const valueOf = (name: string) => it.items().find((item) => item.name === name)?.estimated_value;
  expect(['Tie', 'Speeder', 'Duck', 'Falcon'].map(valueOf)).toEqual([13.75, 14, 21.99, 5]);
  const results = await it.read((await it.resume(summary.job)).summary.files.results);
  expect(results).toContain('estimated_value converted: EUR 19.99 × 1.1 = 21.99');
  const again = await it.file('again.csv', ROWS);
  const second = await it.import({ file: again, collection: 'Trains', rates, run: { allRows: true } });
  expect(second.summary.rows).toMatchObject({ created: 5 });
  await expect(it.import({ file: again, rates: { EUR: 'much' } })).rejects.toMatchObject({
    code: 'bad_pair',
  });
});

test('shelflift asks for the rate of each currency; the answers are combined, and a word is refused as a rate', async () => {
  await using it = await openImport({ seed: 7, seedItems: 3 });
  const file = await it.file('toys.csv', `${ROWS}Duck,€ 19.99\n`);
  const { summary } = await it.import({ file, collection: 'Trains' });
  const questions = correctionQuestions(await issuesOf(summary.job, it.ledger));
  expect(questions.map(({ text }) => english(text))).toEqual([
    '2 rows are in EUR, your items in USD: what is 1 EUR in USD?',
    '1 row is in CAD, your items in USD: what is 1 CAD in USD?',
  ]);
  expect(questions[0]?.choices.map(({ says }) => english(says))).toEqual([
    'Convert the amounts to USD at a rate that you give.',
    'Leave out 3 rows with this problem.',
    'Decide later.',
  ]);
  // By then, the first answer may have mended some of them.
  expect(questions[1]?.choices[1]?.says.code).toBe('leave_remaining_out');
  const [eur, cad] = questions.map(({ choices }) => choices[0]?.asks?.changes);
  expect(['much', '0', '-1', '1e3'].flatMap((text) => eur?.(text) ?? [])).toEqual([]);
  const leaveOut = questions[0]?.choices[1]?.changes ?? [];
  const without = await it.run((deps) => correctAndReport(summary.job, { changes: leaveOut }, deps));
  expect(without.summary.rows).toMatchObject({ pending: 3, skipped: 3, invalid: 0 });
  await it.run((deps) => correctAndReport(summary.job, { undo: 1 }, deps));
  for (const changes of [eur?.('1,1') ?? [], cad?.('0.7') ?? []])
    await it.run((deps) => correctAndReport(summary.job, { changes }, deps));
  const { summary: sent } = await it.apply(summary.job);
  expect(sent.mended?.map(({ changes }) => changes)).toEqual([
    ['estimated_value: rates EUR 1.1'],
    ['estimated_value: rates CAD 0.7'],
  ]);
  const valueOf = (name: string) => it.items().find((item) => item.name === name)?.estimated_value;
  expect(['Tie', 'Speeder', 'Duck', 'Falcon'].map(valueOf)).toEqual([13.75, 14, 21.99, 5]);
});

test('amounts without a sign are euros if the template says that the column is in euros', async () => {
  await using it = await openImport({ seed: 7, seedItems: 3 });
  const file = await it.file('toys.csv', 'name,Value\nFalcon,5\nTie,\nBus,7\n');
  const template = await it.file(
    't.yaml',
    'name: t\ncolumns:\n  estimated_value: { from: Value, currency: eur }\n',
  );
  const { summary } = await it.import({ file, template, collection: 'Trains', skipInvalid: true });
  expect(summary.rows).toMatchObject({ created: 1, invalid: 2 });
  expect(await it.read(summary.files.rejects)).toContain('its column says EUR');
  const right = await it.file(
    'u.yaml',
    'name: u\ncolumns:\n  estimated_value: { from: Value, currency: usd }\n',
  );
  const run = { allRows: true };
  const all = await it.import({ file, template: right, collection: 'Trains', run });
  expect(all.summary.rows.created).toBe(3);
});

test('if a pattern leaves out the currency sign, the number is used as it is', async () => {
  await using it = await openImport({ seed: 7, seedItems: 3 });
  const file = await it.file('toys.csv', ROWS);
  const template = await it.file(
    't.yaml',
    "name: t\ncolumns:\n  estimated_value: { from: Value, pattern: '[\\d.,]+' }\n",
  );
  expect((await it.import({ file, template, collection: 'Trains' })).summary.rows.created).toBe(5);
});

test('a note says that amounts cannot be compared if there are no items yet, or the key is not allowed to list items', async () => {
  await using it = await openImport({});
  const notes: string[] = [];
  const onEvent = (event: ImportEvent) => void (event.type === 'note' && notes.push(event.message));
  const file = await it.file('toys.csv', 'name,Value\nTie,€ 12.50\n');
  const { summary } = await it.import({ file, collection: 'Main', dryRun: true }, { onEvent });
  expect(summary.plan).toMatchObject({ create: 1, invalid: 0 });
  expect(notes).toContainEqual(
    expect.stringContaining('column B (Value) are in EUR. The collection has no items yet'),
  );
});

test('checking a file without currency signs costs no request', async () => {
  await using it = await openImport({ seed: 7, seedItems: 3 });
  const file = await it.file('toys.csv', 'name,Value\nTie,12.50\n');
  const { summary } = await it.import({ file, collection: 'Trains', dryRun: true });
  expect(summary.requests.sent).toBe(1);
});

test('a currency in its own column counts like a sign next to the amount', async () => {
  await using it = await openImport({ seed: 7, seedItems: 3 });
  const file = await it.file('games.csv', 'unit,name,worth\nGBP,Falcon,20\nUSD,Tie,5\nEUR,Bus,\n');
  const template = await it.file(
    't.yaml',
    "name: t\ncolumns:\n  estimated_value: { join: [worth, unit], pattern: '^\\d.*', noMatch: blank }\n",
  );
  const { summary } = await it.import({ file, template, collection: 'Trains', skipInvalid: true });
  expect(summary.rows).toMatchObject({ created: 2, invalid: 1 });
  expect(await it.read(summary.files.rejects)).toContain(
    '""20 GBP"" is in a different currency from the items',
  );
});

const COINS =
  'name,Price,Currency\nFalcon,4.25,USD\nTie,1.75,JPY\nBus,8,\nDuck,,EUR\nScout,n/a,EUR\nVan,5,€\n';

test('a column of currencies gives the currency of each amount', async () => {
  await using it = await openImport({ seed: 7, seedItems: 3 });
  const file = await it.file('toys.csv', COINS);
  const { summary } = await it.import({ file, collection: 'Trains', run: { yes: true }, skipInvalid: true });
  expect(summary.rows).toMatchObject({ created: 4, invalid: 2 });
  const rejects = await it.read(summary.files.rejects);
  expect(rejects).toContain('""1.75 JPY"" is in a different currency');
  expect(rejects).toContain('""5 €"" is in a different currency');
  const rates = { EUR: '1.1', JPY: '0.01' };
  const change = { type: 'option', field: 'estimated_value', option: 'rates', value: rates } as const;
  await it.run((deps) => correctAndReport(summary.job, { changes: [change] }, deps));
  await it.apply(summary.job);
  const valueOf = (name: string) => it.items().find((item) => item.name === name)?.estimated_value;
  expect(['Falcon', 'Tie', 'Bus', 'Van'].map(valueOf)).toEqual([4.25, 0.02, 8, 5.5]);
});

test.each([
  ['--map', { map: { name: 'name', estimated_value: 'Price' } }],
  ['a template', { template: 'name: t\ncolumns:\n  estimated_value: Price\n' }],
  [
    'a template that does not guess',
    { template: 'name: t\nguess: false\ncolumns: { name: name, estimated_value: Price }\n' },
  ],
])(
  'the column of currencies is also used with %s',
  async (_, { map, template }: { map?: Record<string, string>; template?: string }) => {
    await using it = await openImport({ seed: 7, seedItems: 3 });
    const file = await it.file('toys.csv', COINS);
    const path = template === undefined ? {} : { template: await it.file('t.yaml', template) };
    const request = {
      file,
      collection: 'Trains',
      dryRun: true,
      ...(map === undefined ? {} : { map }),
      ...path,
    };
    expect((await it.import(request)).summary.plan).toMatchObject({ create: 4, invalid: 2 });
  },
);

test('a column of amounts that is chosen later is read with the same column of currencies', async () => {
  await using it = await openImport({ seed: 7, seedItems: 3 });
  const file = await it.file('toys.csv', 'name,Price,Worth today,Currency\nTie,1,2,JPY\n');
  const map = { estimated_value: 'Price' };
  const { summary } = await it.import({ file, map, collection: 'Trains', dryRun: true });
  const change = { type: 'map', field: 'estimated_value', column: 'Worth today' } as const;
  const mended = await it.run((deps) => correctAndReport(summary.job, { changes: [change] }, deps));
  expect(mended.summary.issues).toMatchObject([{ code: 'wrong_currency', rows: 1 }]);
});

test('the currency of coins is kept as a custom field, not used as the currency of amounts', async () => {
  await using it = await openImport({ seed: 7, seedItems: 3 });
  const file = await it.file('coins.csv', 'name,Value,Currency\nThaler,40,Shilling\nGroat,12,Penny\n');
  const { summary } = await it.import({ file, collection: 'Trains', run: { yes: true } });
  expect(summary.rows).toMatchObject({ created: 2, invalid: 0 });
  expect(it.items().find(({ name }) => name === 'Groat')?.custom_fields).toEqual({ Currency: 'Penny' });
});

test.each(['Price (EUR)', 'price_eur', 'Preis in €', 'Value [EUR]'])(
  'the header %s gives the currency of amounts without a sign',
  async (header) => {
    await using it = await openImport({ seed: 7, seedItems: 3 });
    const file = await it.file('toys.csv', `name,${header}\nFalcon,5\nTie,\n`);
    const plan = async (request: Partial<ImportRequest> = {}) =>
      (
        await it.import({
          file,
          collection: 'Trains',
          dryRun: true,
          map: { estimated_value: header },
          ...request,
        })
      ).summary;
    expect(await plan()).toMatchObject({
      plan: { create: 1, invalid: 1 },
      issues: [{ code: 'wrong_currency', rates: [{ from: 'EUR', to: 'USD' }] }],
    });
    expect((await plan({ rates: { EUR: '1.1' } })).plan).toMatchObject({ create: 2, invalid: 0 });
  },
);

test('a dollar sign in a header stands for any dollar', async () => {
  await using it = await openImport();
  it.sandbox.control.insertItems([{ name: 'Old', estimated_value: 10, currency: 'cad' }]);
  const collection = it.items()[0]?.collection_id ?? '';
  const plan = async (header: string) => {
    const file = await it.file('toys.csv', `name,${header}\nFalcon,5\n`);
    const map = { estimated_value: header };
    return (await it.import({ file, map, collection, dryRun: true })).summary.plan;
  };
  expect(await plan('Price ($)')).toMatchObject({ create: 1 });
  expect(await plan('Price (US$)')).toMatchObject({ invalid: 1 });
});

const GERMAN =
  'Bezeichnung;Preis\nKäfer A;ca. 20 €\nKäfer B;12,50 €\nKäfer C;20-25 EUR\nKäfer D;VB 50 €\nKäfer E;7,00 $\nKäfer F;8,00\n';
const READ = {
  type: 'option',
  field: 'estimated_value',
  option: 'approximate',
  value: 'read',
} as const;

test('approximate amounts are compared like exact ones, before and after they are read', async () => {
  await using it = await openImport({ seed: 7, seedItems: 3 });
  const notes: string[] = [];
  const onEvent = (event: ImportEvent) => void (event.type === 'note' && notes.push(event.message));
  const file = await it.file('c4.csv', GERMAN);
  const map = { name: 'Bezeichnung', estimated_value: 'Preis' };
  const { summary } = await it.import({ file, map, collection: 'Trains', dryRun: true }, { onEvent });
  const actions = [{ options: { rate: ['EUR=RATE'] } }, { options: { 'omit-reason': 'wrong_currency' } }];
  expect(summary.issues).toMatchObject([
    { code: 'wrong_currency', rows: 4, actions, rates: [{ from: 'EUR', to: 'USD' }] },
    { code: 'approximate_number', rows: 3 },
  ]);
  expect(notes.filter((note) => note.includes('EUR'))).toEqual([]);
  const mended = await it.run((deps) => correctAndReport(summary.job, { changes: [READ] }, deps));
  expect(mended.summary.rows).toMatchObject({ invalid: 4, pending: 2 });
  expect(mended.summary.issues).toMatchObject([{ code: 'wrong_currency', rows: 4, actions }]);
  const rates = { type: 'option', field: 'estimated_value', option: 'rates', value: { EUR: '1.1' } } as const;
  const converted = await it.run((deps) => correctAndReport(summary.job, { changes: [rates] }, deps));
  expect(converted.summary.rows).toMatchObject({ invalid: 0, pending: 6 });
  const out = [{ type: 'omitReason', code: 'wrong_currency' }] as const;
  const left = await it.run((deps) => correctAndReport(summary.job, { changes: out, undo: 1 }, deps));
  expect(left.summary.rows).toMatchObject({ invalid: 0, skipped: 4, pending: 2 });
});

test('with several currencies and no items to compare with, the suggested rates leave one currency unconverted', async () => {
  await using it = await openImport();
  const file = await it.file('toys.csv', 'name,value\nTie,5 €\nBus,6 ¥\nCar,7 €\n');
  const { summary } = await it.import({ file, dryRun: true });
  expect(summary.issues).toMatchObject([
    {
      code: 'wrong_currency',
      actions: [
        { options: { rate: ['JPY=RATE'] } },
        { options: { rate: ['EUR=RATE'] } },
        { options: { 'omit-reason': 'wrong_currency' } },
      ],
    },
  ]);
  const questions = correctionQuestions(await issuesOf(summary.job, it.ledger));
  expect(questions.map(({ text }) => english(text))).toEqual([
    '1 row is in JPY, most others in EUR: what is 1 JPY in EUR?',
  ]);
});

test('leaving out rows in another currency also leaves out rows that have further problems', async () => {
  await using it = await openImport({ seed: 7, seedItems: 3 });
  const file = await it.file('toys.csv', 'name,condition,value\nTie,nonsense,5 €\nBus,loose_good,$6\n');
  const { summary } = await it.import({ file, collection: 'Trains', dryRun: true });
  expect(summary.plan).toMatchObject({ create: 1, invalid: 1 });
  const out = [{ type: 'omitReason', code: 'wrong_currency' }] as const;
  const left = await it.run((deps) => correctAndReport(summary.job, { changes: out }, deps));
  expect(left.summary.rows).toMatchObject({ invalid: 0, skipped: 1, pending: 1 });
});

test('an amount that is filled down keeps its currency, and a cell that is read as blank has no currency', async () => {
  await using it = await openImport({ seed: 7, seedItems: 3 });
  const file = await it.file('toys.csv', 'name,Value\nTie,€ 12.50\nBus,\nScout,$5\nDuck,\n');
  const template = await it.file(
    't.yaml',
    'name: t\ncolumns:\n  estimated_value: { from: Value, fillDown: true }\n',
  );
  const { summary } = await it.import({ file, template, collection: 'Trains', dryRun: true });
  expect(summary.plan).toMatchObject({ create: 2, invalid: 2 });
  const blank = { type: 'word', field: 'estimated_value', word: '€ 12.50', means: '' } as const;
  const off = { type: 'option', field: 'estimated_value', option: 'fillDown', value: null } as const;
  const mended = await it.run((deps) => correctAndReport(summary.job, { changes: [blank, off] }, deps));
  expect(mended.summary.rows).toMatchObject({ invalid: 0, pending: 4 });
});

test('a rate that converts no amount is refused, and no job is recorded', async () => {
  await using it = await openImport({ seed: 7, seedItems: 3 });
  const file = await it.file('toys.csv', ROWS);
  const own = { USD: '0.92' };
  await expect(it.import({ file, collection: 'Trains', rates: own })).rejects.toMatchObject({
    code: 'bad_rate',
    message: 'The rate for USD converts nothing: the items are in USD already.',
  });
  const plain = await it.file('plain.csv', 'name\nTie\n');
  await expect(it.import({ file: plain, collection: 'Trains', rates: { EUR: '1.1' } })).rejects.toMatchObject(
    {
      code: 'bad_rate',
      message: 'The rate for EUR converts nothing: no column is mapped to estimated_value.',
    },
  );
  expect(await it.ledger.jobs.list(5)).toEqual([]);
  for (const [of, rates] of [
    [file, own],
    [plain, { EUR: '1.1' }],
  ] as const) {
    const { summary } = await it.import({ file: of, collection: 'Trains', dryRun: true });
    const change = { type: 'option', field: 'estimated_value', option: 'rates', value: rates } as const;
    await expect(
      it.run((deps) => correctAndReport(summary.job, { changes: [change] }, deps)),
    ).rejects.toMatchObject({
      code: 'bad_rate',
    });
    const after = await it.run((deps) => correctAndReport(summary.job, {}, deps));
    expect(after.steps).toEqual([]);
  }
});

test('a rate with a comma, and an unknown problem code, are refused with a suggestion', () => {
  expect(() => changesOf({ rates: { EUR: '1,08' } })).toThrow(
    'rate EUR=1,08: write the rate with a decimal point: EUR=1.08.',
  );
  const omit = (code: string) => () => checkChange({ type: 'omitReason', code }, []);
  expect(omit('wrong_curency')).toThrow('no problem has this code; the nearest is wrong_currency. Nothing');
  expect(omit('xyzzy')).toThrow('no problem has this code. Nothing');
  expect(omit('wrong_currency')).not.toThrow();
});

test.each(['20 €', 'EUR 20', '$5'])(
  'the default %s is refused, because a default is sent unchanged',
  async (value) => {
    await using it = await openImport({ seed: 7, seedItems: 3 });
    const file = await it.file('toys.csv', 'name,Value\nTie,\n');
    const defaults = { estimated_value: value };
    await expect(it.import({ file, collection: 'Trains', defaults })).rejects.toMatchObject({
      code: 'bad_default',
    });
  },
);

const RATES = { type: 'option', field: 'estimated_value', option: 'rates', value: { EUR: '1.1' } } as const;

test('shelflift asks about amounts without a currency if the column shows only a currency that no item uses', async () => {
  await using it = await openImport({ seed: 7, seedItems: 3 });
  const file = await it.file('toys.csv', 'name,Value\nFalcon,12.50\nTie,€ 45.90\nBus,8\nDuck,0\n');
  const { summary, exitCode } = await it.import({ file, collection: 'Trains', run: { yes: true } });
  expect(exitCode).toBe(3);
  expect(summary.rows).toMatchObject({ created: 0, invalid: 3, pending: 1 });
  expect(summary.issues).toMatchObject([
    {
      code: 'unclear_currency',
      rows: 2,
      params: { field: 'estimated_value', from: 'EUR', to: 'USD' },
      actions: ['USD', 'EUR'].map((own) => ({ options: { option: `estimated_value:currency=${own}` } })),
    },
    { code: 'wrong_currency', rows: 1 },
  ]);
  const [own] = correctionQuestions(await issuesOf(summary.job, it.ledger));
  expect(own?.choices.map(({ says }) => english(says))).toEqual([
    'They are in USD, like your items.',
    'They are in EUR, like the other amounts of the column.',
    'Leave out 2 rows with this problem.',
    'Decide later.',
  ]);
  const mend = (changes: readonly Correction[], undo = 0) =>
    it.run((deps) => correctAndReport(summary.job, { changes, undo }, deps));
  expect((await mend([RATES])).summary.rows).toMatchObject({ invalid: 2, pending: 2 });
  const [inUsd, inEur, leaveOut] = own?.choices ?? [];
  expect((await mend(leaveOut?.changes ?? [])).summary.rows).toMatchObject({ skipped: 2, pending: 2 });
  expect((await mend(inUsd?.changes ?? [], 1)).summary.rows).toMatchObject({ invalid: 0, pending: 4 });
  await mend(inEur?.changes ?? [], 1);
  await it.apply(summary.job);
  const valueOf = (name: string) => it.items().find((item) => item.name === name)?.estimated_value;
  expect(['Falcon', 'Tie', 'Bus', 'Duck'].map(valueOf)).toEqual([13.75, 50.49, 8.8, 0]);
});

test('with a rate, amounts without a currency are reported if the rate converts others of the same column; if it converts none, shelflift does not ask', async () => {
  await using it = await openImport({ seed: 7, seedItems: 3 });
  const plan = async (rows: string, request: Partial<ImportRequest> = {}) => {
    const file = await it.file('toys.csv', `name,Value\n${rows}`);
    const { summary } = await it.import({ file, collection: 'Trains', dryRun: true, ...request });
    return { ...summary.plan, codes: summary.issues?.map(({ code }) => code), job: summary.job };
  };
  const rates = { EUR: '1.1' };
  const mixed = await plan('Falcon,12.50\nTie,€ 45.90\n', { rates });
  expect(mixed).toMatchObject({ create: 1, invalid: 1, codes: ['unclear_currency'] });
  // Once no cell shows a currency any more, there is nothing to ask about.
  const cell = { type: 'cell', row: 3, column: 'Value', text: '5' } as const;
  const mended = await it.run((deps) => correctAndReport(mixed.job, { changes: [cell] }, deps));
  expect(mended.summary.rows).toMatchObject({ invalid: 0, pending: 2 });
  expect(await plan('Falcon,12.50\nTie,45.90\n', { rates })).toMatchObject({ create: 2, invalid: 0 });
  expect(await plan('Falcon,12.50\nTie,€ 45.90\nBus,$8\n', { rates })).toMatchObject({ create: 3 });
  const template = await it.file(
    't.yaml',
    'name: t\ncolumns:\n  estimated_value: { from: Value, currency: eur, rates: { EUR: 1.1 } }\n',
  );
  expect(await plan('Falcon,12.50\nTie,€ 45.90\n', { template })).toMatchObject({ create: 2, invalid: 0 });
});

/** Two pages of items: the one in EUR is on the second. */
async function twoCurrencies(it: OpenImport): Promise<void> {
  const toy = (sku: string, currency: string) => ({
    name: `Toy ${sku}`,
    estimated_value: 10,
    currency,
    custom_fields: { sku },
  });
  it.sandbox.control.insertItems([
    toy('E', 'eur'),
    toy('Y', 'jpy'),
    ...Array.from({ length: 120 }, (_, at) => toy(`U${at}`, 'usd')),
  ]);
}

const valuesOf = (it: OpenImport) =>
  Object.fromEntries(
    it
      .items()
      .filter(({ custom_fields: fields }) => ['E', 'Y', 'U0'].includes(String(fields?.['sku'])))
      .map(({ custom_fields: fields, estimated_value: value }) => [String(fields?.['sku']), value]),
  );

const PRICES = 'sku,Price\nU0,€5\nE,$5\nY,JPY 80000\n';
const RIGHT = 'sku,Price\nU0,$6\nE,€7\nY,80000\n';
const KEY = ['custom_fields.sku=sku'];

test.each<[string, (it: OpenImport, file: string) => Promise<JobOutcome>]>([
  [
    'set --from',
    (it, from) =>
      it.run((deps) => setItems({ changes: ['estimated_value=@Price'], from, match: KEY, run: RUN }, deps)),
  ],
  [
    'a relative change',
    (it, from) =>
      it.run((deps) =>
        setItems({ changes: ['estimated_value-=@Price'], from, match: KEY, currency: 'USD', run: RUN }, deps),
      ),
  ],
  ...(['update', 'upsert'] as const).map(
    (mode): [string, (it: OpenImport, file: string) => Promise<JobOutcome>] => [
      `import --mode ${mode}`,
      (it, file) =>
        it.import({
          file,
          mode,
          map: { 'custom_fields.sku': 'sku', estimated_value: 'Price' },
          match: ['custom_fields.sku'],
          collection: 'Main',
          run: RUN,
        }),
    ],
  ),
])('%s checks each amount against the currency of its item', async (way, change) => {
  await using it = await openImport();
  await twoCurrencies(it);
  const { summary } = await change(it, await it.file('wrong.csv', PRICES.replace('JPY', 'USD')));
  expect(summary.rows).toMatchObject({ read: 3, invalid: 3, updated: 0, created: 0 });
  expect(await it.read(summary.files.rejects)).toContain('wrong_currency');
  expect(valuesOf(it)).toEqual({ E: 10, Y: 10, U0: 10 });
  if (way === 'a relative change') return;
  const right = await change(it, await it.file('right.csv', RIGHT));
  expect(right.summary.rows).toMatchObject({ updated: 3, invalid: 0 });
  expect(valuesOf(it)).toEqual({ E: 7, Y: 80_000, U0: 6 });
});

test('setting one amount for items in several currencies is refused', async () => {
  await using it = await openImport();
  await twoCurrencies(it);
  const set = (where: string) =>
    it.run((deps) =>
      setItems({ changes: ['estimated_value=9.99'], where, run: RUN, outDir: it.folder }, deps),
    );
  await expect(set('custom_fields.sku in (E, Y, U0)')).rejects.toMatchObject({
    code: 'mixed_currencies',
    exitCode: 2,
  });
  expect((await set('custom_fields.sku=E')).exitCode).toBe(0);
  expect(valuesOf(it)).toEqual({ E: 9.99, Y: 10, U0: 10 });
});

test('a create is checked against the only currency of its collection, whatever other collections use', async () => {
  await using it = await openImport();
  await twoCurrencies(it);
  const attic = it.sandbox.control.addCollection('Attic');
  it.sandbox.control.insertItems([{ name: 'Lamp', currency: 'eur', collection_id: attic.id }]);
  const file = await it.file('new.csv', 'name,Price\nA,€ 7\nB,$ 5\nC,6\n');
  const into = (collection: string) =>
    it.import({ file, collection, map: { estimated_value: 'Price' }, dryRun: true });
  expect((await into('Attic')).summary.plan).toMatchObject({ create: 2, invalid: 1 });
  // Three currencies: nothing says which one a new item will have.
  expect((await into('Main')).summary.plan).toMatchObject({ create: 1, invalid: 2 });
});

test('in a collection without items, one currency is accepted with a note, and two are issues even with --yes', async () => {
  await using it = await openImport();
  const mixed = await it.file('mixed.csv', 'name,Price\nA,12 €\nB,$ 15\nC,£ 3\nD,4\n');
  const request = { collection: 'Main', map: { estimated_value: 'Price' }, run: { ...RUN, yes: true } };
  const { summary } = await it.import({ ...request, file: mixed });
  expect(summary.rows).toMatchObject({ created: 1, invalid: 3 });
  expect(it.items().map(({ name }) => name)).toEqual(['D']);
});

test('with a rate, a file with two currencies is accepted in a collection without items', async () => {
  await using it = await openImport();
  const file = await it.file('mixed.csv', 'name,Price\nA,12 €\nB,$ 15\n');
  const request = { file, collection: 'Main', map: { estimated_value: 'Price' } };
  const { summary } = await it.import({ ...request, rates: { EUR: '1.2' } });
  expect(summary.rows).toMatchObject({ created: 2, invalid: 0 });
  expect(new Set(it.items().map(({ estimated_value: value }) => value))).toEqual(new Set([14.4, 15]));
});

test('a row without an amount is sent first, so that its answer shows the currency before any amount is sent', async () => {
  await using it = await openImport();
  const file = await it.file('euros.csv', 'name,Price\nA,\nB,15 €\nC,3 €\nD,4 €\n');
  const request = { collection: 'Main', map: { estimated_value: 'Price' } };
  const parked = await it.import({ ...request, file });
  expect(parked).toMatchObject({ exitCode: 3, summary: { state: 'parked_refused', rows: { created: 1 } } });
  expect(it.names()).toEqual(['A']);
  const { job } = parked.summary;
  await it.run((deps) => correctAndReport(job, { changes: changesOf({ rates: { EUR: '1.1' } }) }, deps));
  // No amount went out wrong, so nothing is left to correct.
  const rest = await it.resume(job);
  expect(rest).toMatchObject({ exitCode: 0, summary: { state: 'done', rows: { created: 4 } } });
});

test.each(['Price (EUR)', 'Prix (€ TTC)', 'price_eur'])(
  'the header %s names the currency of amounts in a collection without items, too',
  async (header) => {
    await using it = await openImport();
    const file = await it.file('euros.csv', `name,${header}\nA,12\nB,15\n`);
    const parked = await it.import({ file, collection: 'Main', map: { estimated_value: header } });
    expect(parked).toMatchObject({ exitCode: 3, summary: { state: 'parked_refused', rows: { created: 1 } } });
    expect(parked.summary.error?.code).toBe('other_currency');
  },
);

test('a currency in a header is ignored if the column has no amounts', async () => {
  await using it = await openImport();
  const file = await it.file('euros.csv', 'name,Price (EUR)\nA,\nB,\n');
  const { exitCode, summary } = await it.import({ file, collection: 'Main' });
  expect([exitCode, summary.rows.created]).toEqual([0, 2]);
});

test('a job is parked if the currency of its first item differs from that of the file or its rates', async () => {
  await using it = await openImport();
  const request = { collection: 'Main', map: { estimated_value: 'Price' } };
  const euros = await it.file('euros.csv', 'name,Price\nA,12 €\nB,15 €\nC,3 €\n');
  const taken = await it.import({ ...request, file: euros });
  expect(taken).toMatchObject({ exitCode: 3, summary: { state: 'parked_refused', rows: { created: 1 } } });
  expect(taken.summary.error?.code).toBe('other_currency');
  // Resumed without a rate, no further amount is sent as if it were in the items' currency.
  const again = await it.resume(taken.summary.job);
  expect([again.exitCode, again.summary.rows]).toMatchObject([3, { created: 1, invalid: 2 }]);
  expect(it.items()).toHaveLength(1);
  const step = { changes: changesOf({ rates: { EUR: '1.1' } }) };
  await it.run((deps) => correctAndReport(taken.summary.job, step, deps));
  const rest = await it.resume(taken.summary.job);
  expect([rest.exitCode, rest.summary.state, rest.summary.rows]).toMatchObject([3, 'done', { created: 3 }]);
  // Its amount is still the one of the other currency.
  expect(rest.summary.wrongAmounts).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
  expect(new Set(it.items().map(({ estimated_value: value }) => value))).toEqual(new Set([12, 16.5, 3.3]));

  const both = await it.file('both.csv', 'name,Price\nD,12 €\nE,$ 15\n');
  await using empty = await openImport();
  const rates = { EUR: '1.2', USD: '0.9' };
  const converted = await empty.import({ ...request, file: both, rates });
  expect(converted).toMatchObject({
    exitCode: 3,
    summary: { state: 'parked_refused', rows: { created: 1 } },
  });
});

test('the currency of a first item is compared even if the answer to its create was lost', async () => {
  await using it = await openImport();
  const file = await it.file('euros.csv', 'name,Price (EUR)\nA,12\n');
  it.sandbox.control.failNext('dropAfterCommit', 'createItem');
  const { exitCode, summary } = await it.import({ file, collection: 'Main' });
  expect([exitCode, summary.error?.code]).toEqual([3, 'other_currency']);
  expect(summary.wrongAmounts).toEqual(it.items().map(({ id }) => id));
});

test('the currency of a first item is compared when a person names it', async () => {
  await using it = await openImport();
  const file = await it.file('euros.csv', 'name,Price (EUR)\nA,12\n');
  it.sandbox.control.failNext('dropAfterCommit', 'createItem');
  await it.import({ file, collection: 'Main', noSettle: true });
  const [itemId = ''] = it.items().map(({ id }) => id);
  const { exitCode, summary } = await it.run((deps) =>
    resolveRow('last', 2, { as: 'created', itemId }, deps),
  );
  expect([exitCode, summary.rows.created, summary.wrongAmounts]).toEqual([3, 1, [itemId]]);
  expect((await it.resume('last')).exitCode).toBe(3);
});

test('a job stops before further amounts if a person names an item in another currency', async () => {
  await using it = await openImport();
  const file = await it.file('euros.csv', 'name,Price (EUR)\nA,12\nB,13\nC,14\n');
  it.sandbox.control.failNext('dropAfterCommit', 'createItem');
  await it.import({ file, collection: 'Main', noSettle: true, run: { first: 1 } });
  const [itemId = ''] = it.items().map(({ id }) => id);
  const [name = ''] = it.names();
  const { exitCode, summary, actions } = await it.run((deps) =>
    resolveRow('last', 2 + ['A', 'B', 'C'].indexOf(name), { as: 'created', itemId }, deps),
  );
  expect([exitCode, summary.state, summary.error?.code]).toEqual([3, 'parked_refused', 'other_currency']);
  expect(actions).toContainEqual(expect.objectContaining({ do: 'mend', options: { rate: 'CODE=RATE' } }));
  // The other rows are compared with the item that is there by now.
  const resumed = await it.resume('last');
  expect([resumed.exitCode, resumed.summary.rows.invalid]).toEqual([3, 2]);
  expect(it.names()).toEqual([name]);
});
