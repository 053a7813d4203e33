/** A rejects file is text, but a line that nobody has edited has the cells of the workbook: numbers stay numbers. */
import ExcelJS, { type CellValue } from 'exceljs';
import { expect, it } from 'vitest';
import { type OpenImport, openImport } from '../support/open-import.ts';

async function toys(at: OpenImport, rows: CellValue[][]): Promise<string> {
  const workbook = new ExcelJS.Workbook();
  workbook.addWorksheet('Toys').addRows(rows);
  const file = await at.file('toys.xlsx', '');
  await workbook.xlsx.writeFile(file);
  return file;
}

it.each([
  ['--decimal', '0.00', { decimal: 'comma' }, 3],
  ['another cell', '0.00', {}, '12,50'],
  ['a currency', '0.00 "USD"', { decimal: 'comma' }, '12,50'],
] as const)('14.875 is not read as 14875 because of %s', async (_, numFmt, options, other) => {
  await using at = await openImport();
  const workbook = new ExcelJS.Workbook();
  const sheet = workbook.addWorksheet('Toys');
  sheet.addRow(['name', 'Value', 'condition', 'custom_fields.paid', 'custom_fields.signed']);
  sheet.addRow(['Falcon', 14.875, 'quux', 2.125, true]).getCell(2).numFmt = numFmt;
  sheet.addRow(['Tie', other, 'quux', null, null]);
  const file = await at.file('toys.xlsx', '');
  await workbook.xlsx.writeFile(file);
  const { summary, exitCode } = await at.import({ file, ...options });
  expect([exitCode, summary.rows.invalid]).toEqual([3, 2]);
  const rejects = await at.read(summary.files.rejects);
  // So that a person corrects it, and another store reads it, with the mark of the texts in the column.
  expect(rejects).toContain('14,875');
  const corrected = await at.file('corrected.csv', rejects.replaceAll('quux', 'loose_good'));
  const sent = await at.import({ file: corrected, ...options });
  expect(sent).toMatchObject({ exitCode: 0, summary: { rows: { created: 2 } } });
  expect(at.items().find(({ name }) => name === 'Falcon')).toMatchObject({
    estimated_value: 14.875,
    custom_fields: { paid: 2.125, signed: true },
  });
});

it('a number that is corrected in the rejects is read with the mark that the file shows', async () => {
  await using at = await openImport();
  const file = await toys(at, [
    ['name', 'Value', 'condition'],
    ['Falcon', 14.875, 'quux'],
    ['Tie', '12,50', 'quux'],
  ]);
  const { summary } = await at.import({ file });
  const rejects = await at.read(summary.files.rejects);
  const edited = rejects.replaceAll('quux', 'loose_good').replace('14,875', '15,875');
  // Nobody knows the job.
  const foreign = edited.replaceAll(summary.job, '261128-00000000');
  for (const [name, text] of Object.entries({ edited, foreign })) {
    const sent = await at.import({ file: await at.file(`${name}.csv`, text), run: { allRows: true } });
    expect(sent).toMatchObject({ exitCode: 0, summary: { rows: { created: 2 } } });
  }
  const values = at.items().map(({ estimated_value }) => estimated_value);
  expect(values.toSorted((a, b) => Number(a) - Number(b))).toEqual([12.5, 12.5, 15.875, 15.875]);
});

it('a corrected number keeps the mark of its job if only another column shows a mark', async () => {
  await using at = await openImport();
  const file = await toys(at, [
    ['name', 'Value', 'custom_fields.paid', 'condition'],
    ['Falcon', 14.875, '2.50', 'quux'],
    ['Tie', '12,50', '3.50', 'loose_good'],
  ]);
  const { summary } = await at.import({ file, run: { skipInvalid: true } });
  expect(summary.rows).toMatchObject({ created: 1, invalid: 1 });
  const rejects = await at.read(summary.files.rejects);
  const edited = rejects.replace('quux', 'loose_good').replace('14,875', '15,875');
  const sent = await at.import({ file: await at.file('edited.csv', edited) });
  expect(sent).toMatchObject({ exitCode: 0, summary: { rows: { created: 1 } } });
  expect(at.items().find(({ name }) => name === 'Falcon')).toMatchObject({ estimated_value: 15.875 });
});

it('a number that fills the blank cells below it has the mark of its column', async () => {
  await using at = await openImport();
  const file = await toys(at, [
    ['name', 'Value', 'condition'],
    ['Falcon', 14.875, 'quux'],
    ['X-Wing', null, 'quux'],
    ['Tie', '12,50', 'quux'],
  ]);
  const columns =
    '  name: name\n  estimated_value: { from: Value, fillDown: true }\n  condition: condition\n';
  const template = await at.file('t.yaml', `name: t\ncolumns:\n${columns}`);
  const { summary } = await at.import({ file, template });
  const rejects = await at.read(summary.files.rejects);
  const corrected = await at.file('corrected.csv', rejects.replaceAll('quux', 'loose_good'));
  expect((await at.import({ file: corrected })).summary.rows).toMatchObject({ created: 3 });
  const values = at.items().map(({ name, estimated_value }) => `${name} ${estimated_value}`);
  expect(values.toSorted()).toEqual(['Falcon 14.875', 'Tie 12.5', 'X-Wing 14.875']);
});

it('a number that is typed with a thousands point is read so', async () => {
  await using at = await openImport();
  const file = await toys(at, [
    ['name', 'Value', 'condition'],
    ['Falcon', 14.875, 'quux'],
    ['Tie', '12,50', 'quux'],
  ]);
  const { summary } = await at.import({ file });
  const rejects = await at.read(summary.files.rejects);
  const edited = rejects.replaceAll('quux', 'loose_good').replace('"14,875"', '14.875');
  const sent = await at.import({ file: await at.file('edited.csv', edited) });
  expect(sent.summary.rows).toMatchObject({ created: 2 });
  expect(at.items().find(({ name }) => name === 'Falcon')).toMatchObject({ estimated_value: 14_875 });
});

it.each([
  // The marks of the file, the price and the weight as read, and as a program with the other mark rewrites them.
  ['point', ',', ['14.875', '0.500', '2.75'], ['14875', '500', '2.75']],
  ['point', ',', ['"1,250"', '99.90', '2.75'], ['1.25', '99.9', '2.75']],
  ['comma', ';', ['14,875', '1,5', '2,75'], ['14875', '1,5', '2,75']],
])('a %s that a program took for the other mark is not sent', async (_, delimiter, before, after) => {
  await using at = await openImport();
  const lines = (cells: string[]) => ['Falcon', ...cells.slice(0, 2)].join(delimiter);
  const head = ['name', 'estimated_value', 'weight', 'condition'].join(delimiter);
  const source = `${head}\n${lines(before)}${delimiter}quux\nTie${delimiter}${before[2]}${delimiter}${delimiter}quux\n`;
  const { summary } = await at.import({ file: await at.file('toys.csv', source) });
  const rejects = await at.read(summary.files.rejects);
  const saved = rejects.replaceAll('quux', 'loose_good').replace(lines(before), lines(after));
  expect(saved).toContain(lines(after));
  const sent = await at.import({ file: await at.file('saved.csv', saved), run: { skipInvalid: true } });
  expect(sent).toMatchObject({ exitCode: 3, summary: { rows: { created: 1, invalid: 1 } } });
  const again = await at.read(sent.summary.files.rejects);
  expect(again).toContain('uncertain_mark');
  // Whoever means it can say so.
  const meant = again.replace(lines(after), lines(['"14875.00"', before[1] ?? '']));
  const last = await at.import({ file: await at.file('meant.csv', meant) });
  expect(last).toMatchObject({ exitCode: 0, summary: { rows: { created: 1 } } });
  const values = at.items().map(({ name, estimated_value }) => `${name} ${estimated_value}`);
  expect(values.toSorted()).toEqual(['Falcon 14875', 'Tie 2.75']);
});

it('texts with a decimal comma that a program has shortened are as before', async () => {
  await using at = await openImport();
  const source = 'name;estimated_value;weight;condition\nFalcon;2,5;99,90;quux\n';
  const { summary } = await at.import({ file: await at.file('toys.csv', source) });
  const rejects = await at.read(summary.files.rejects);
  const saved = rejects.replace('99,90', '99,9').replace('quux', 'loose_good');
  expect((await at.import({ file: await at.file('saved.csv', saved) })).exitCode).toBe(0);
  expect(at.items()).toMatchObject([{ estimated_value: 2.5, custom_fields: { weight: '99,90' } }]);
});

it.each(['24,875', '25,875'])(
  'an amount of a sheet with points is read so beside commas: %s',
  async (text) => {
    await using at = await openImport();
    const workbook = new ExcelJS.Workbook();
    const headers = ['name', 'Value', 'condition'];
    workbook.addWorksheet('DE').addRows([headers, ['Tie', '12,50', 'quux']]);
    workbook
      .addWorksheet('US')
      .addRows([
        headers,
        ['X-Wing', 24.875, 'quux'],
        ['B-Wing', '24.875', 'quux'],
        ['A-Wing', '22.50', 'loose_good'],
      ]);
    const file = await at.file('toys.xlsx', '');
    await workbook.xlsx.writeFile(file);
    const { summary } = await at.import({ file, sheet: 'all', skipInvalid: true });
    const rejects = await at.read(summary.files.rejects);
    const edited = rejects.replaceAll('quux', 'loose_good').replaceAll(/24\.8750?/g, text.replace(',', '.'));
    const sent = await at.import({ file: await at.file('edited.csv', edited) });
    expect(sent).toMatchObject({ exitCode: 0, summary: { rows: { created: 3 } } });
    const value = Number(text.replace(',', '.'));
    const values = at.items().map(({ name, estimated_value }) => [name, estimated_value]);
    expect(Object.fromEntries(values)).toEqual({
      'A-Wing': 22.5,
      'B-Wing': value,
      Tie: 12.5,
      'X-Wing': value,
    });
  },
);

it('amounts of several sheets can be read without the job that wrote them', async () => {
  await using at = await openImport();
  await using other = await openImport();
  const workbook = new ExcelJS.Workbook();
  const headers = ['name', 'Value', 'condition'];
  workbook.addWorksheet('DE').addRows([headers, ['Tie', '12,50', 'quux']]);
  workbook.addWorksheet('Numbers').addRows([headers, ['X-Wing', 24.875, 'quux']]);
  const file = await at.file('toys.xlsx', '');
  await workbook.xlsx.writeFile(file);
  const { summary } = await at.import({ file, sheet: 'all' });
  const rejects = (await at.read(summary.files.rejects)).replaceAll('quux', 'loose_good');
  await other.import({ file: await other.file('rejects.csv', rejects) });
  expect(other.items().map(({ estimated_value }) => estimated_value)).toEqual([24.875, 12.5]);
});
