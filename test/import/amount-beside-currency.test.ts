/** A number of a workbook stays the number that it is, whatever a column of currencies or a pattern does with its text. */
import ExcelJS from 'exceljs';
import { expect, it } from 'vitest';
import { openImport } from '../support/open-import.ts';

it.each([
  ['--decimal', '0.00', { decimal: 'comma' }, 3],
  ['another cell', '0.00', {}, '12,50'],
  ['no other cell', '0.00', {}, 3],
  ['the format of the cell', '0.00 "USD"', { decimal: 'comma' }, '12,50'],
] as const)('14.875 and USD in two cells are 14.875 USD, with %s', async (_, numFmt, options, other) => {
  await using at = await openImport({ seed: 7, seedItems: 3 });
  const workbook = new ExcelJS.Workbook();
  const sheet = workbook.addWorksheet('Toys');
  sheet.addRow(['name', 'Value', 'Currency']);
  sheet.addRow(['Falcon', 14.875, 'USD']).getCell(2).numFmt = numFmt;
  sheet.addRow(['Rover', 1.125, null]);
  sheet.addRow(['Tie', other, 'US$']);
  sheet.addRow(['Bus', 2, 'EUR']);
  const file = await at.file('toys.xlsx', '');
  await workbook.xlsx.writeFile(file);
  const { summary, exitCode } = await at.import({
    file,
    collection: 'Trains',
    skipInvalid: true,
    ...options,
  });
  expect(exitCode).toBe(3);
  expect(summary.rows).toMatchObject({ created: 3, invalid: 1 });
  expect(await at.read(summary.files.rejects)).toContain('wrong_currency');
  const valueOf = (name: string) => at.items().find((item) => item.name === name)?.estimated_value;
  expect(['Falcon', 'Rover', 'Tie'].map(valueOf)).toEqual([14.875, 1.125, other === 3 ? 3 : 12.5]);
});

it.each(['0.00', '0.00 "USD"'])(
  '14.875 that a pattern has picked out of a cell with the format %s is 14.875',
  async (numFmt) => {
    await using at = await openImport({ seed: 7, seedItems: 3 });
    const workbook = new ExcelJS.Workbook();
    const sheet = workbook.addWorksheet('Toys');
    sheet.addRow(['name', 'Value']);
    sheet.addRow(['Falcon', 14.875]).getCell(2).numFmt = numFmt;
    sheet.addRow(['Tie', 'VB 12,50']);
    const file = await at.file('toys.xlsx', '');
    await workbook.xlsx.writeFile(file);
    const template = await at.file(
      'toys.yaml',
      "name: toys\ncolumns:\n  name: name\n  estimated_value: { from: Value, pattern: '([\\d.,]+)' }\n",
    );
    const { exitCode } = await at.import({ file, collection: 'Trains', template });
    expect(exitCode).toBe(0);
    const valueOf = (name: string) => at.items().find((item) => item.name === name)?.estimated_value;
    expect(['Falcon', 'Tie'].map(valueOf)).toEqual([14.875, 12.5]);
  },
);
