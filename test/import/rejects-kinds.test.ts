/** A rejects file is text, but a line that nobody has edited has the cells of the workbook: numbers stay numbers. */
import ExcelJS from 'exceljs';
import { expect, it } from 'vitest';
import { openImport } from '../support/open-import.ts';

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
  const corrected = await at.file('corrected.csv', rejects.replaceAll('quux', 'loose_good'));
  const sent = await at.import({ file: corrected, ...options });
  expect(sent).toMatchObject({ exitCode: 0, summary: { rows: { created: 2 } } });
  expect(at.items().find(({ name }) => name === 'Falcon')).toMatchObject({
    estimated_value: 14.875,
    custom_fields: { paid: 2.125, signed: true },
  });
});
