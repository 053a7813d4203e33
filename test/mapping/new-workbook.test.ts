import { join } from 'node:path';
import ExcelJS from 'exceljs';
import { expect, test } from 'vitest';
import { ITEM_CONDITIONS } from '../../src/api/schemas.ts';
import { newWorkbook } from '../../src/mapping/template/new-workbook.ts';
import { writeForm } from '../../src/sheets/write-form.ts';
import { openImport, temporaryFolder } from '../support/open-import.ts';
import { expectImported } from './filled-form.ts';

async function read(file: string): Promise<ExcelJS.Workbook> {
  const workbook = new ExcelJS.Workbook();
  await workbook.xlsx.readFile(file);
  return workbook;
}

test('a new workbook has headers with notes, drop-downs, formats, and a sheet that explains them', async () => {
  const file = join(await temporaryFolder(), 'form.xlsx');
  const collections = [
    'Main',
    '=1+1',
    'A, "B" & <C>',
    ...Array.from({ length: 300 }, (_, n) => `Collection ${n}`),
  ];
  await writeForm(file, newWorkbook(collections));
  const workbook = await read(file);
  expect(workbook.worksheets.map(({ name, state }) => [name, state])).toEqual([
    ['Items', 'visible'],
    ['How to fill this in', 'visible'],
    ['Lists', 'hidden'],
  ]);
  const items = workbook.getWorksheet('Items');
  const headers = items?.getRow(1).values as string[];
  expect(headers.slice(1)).toEqual([
    'Name',
    'Collection',
    'Brand',
    'Series',
    'Release year',
    'Condition',
    'Packaging',
    'Status',
    'Estimated value',
    'Tags',
  ]);
  for (let column = 1; column <= 10; column += 1) {
    const { note } = items?.getCell(1, column) ?? {};
    expect(JSON.stringify(note), headers[column]).toMatch(/[a-z]{3}/);
  }
  expect(items?.getColumn(1).numFmt).toBe('@');
  expect(items?.getColumn(9).numFmt).toBe('#,##0.00');
  expect(items?.getCell('E5001').dataValidation).toMatchObject({
    type: 'whole',
    formulae: [1968, 2100],
    errorStyle: 'stop',
  });
  expect(items?.getCell('B2').dataValidation).toMatchObject({
    type: 'list',
    formulae: ['Lists!$A$1:$A$303'],
    errorStyle: 'warning',
  });
  expect(items?.getCell('F2').dataValidation).toMatchObject({
    type: 'list',
    formulae: [`Lists!$B$1:$B$${ITEM_CONDITIONS.length}`],
  });
  const listed = (column: number) =>
    (workbook.getWorksheet('Lists')?.getColumn(column).values ?? []) as string[];
  expect(listed(1).slice(1, 4)).toEqual(collections.slice(0, 3));
  expect(listed(2).slice(1)).toEqual([...ITEM_CONDITIONS]);
});

test('a filled-in form is imported without a template or a question', async () => {
  await using it = await openImport();
  const file = join(it.folder, 'form.xlsx');
  await writeForm(file, newWorkbook(undefined));
  const workbook = await read(file);
  const items = workbook.getWorksheet('Items');
  for (const [index, value] of [
    'Falcon',
    'Main',
    'Kenner',
    '007',
    1979,
    'loose_good',
    'loose',
    'sell',
    12.5,
    'rare; signed',
  ].entries()) {
    items!.getCell(2, index + 1).value = value;
  }
  items!.getCell(3, 1).value = 'Tie';
  await workbook.xlsx.writeFile(file);
  await expectImported(it, file);
});

test('an empty form is reported as an empty form', async () => {
  await using it = await openImport();
  const file = join(it.folder, 'form.xlsx');
  await writeForm(file, newWorkbook(['Main']));
  await expect(it.import({ file, sheet: 'Items' })).rejects.toMatchObject({ code: 'no_rows' });
});
