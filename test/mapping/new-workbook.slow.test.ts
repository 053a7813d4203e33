/** The workbook of `template new`, filled in by other programs than the one that wrote it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { newWorkbook } from '../../src/mapping/template/new-workbook.ts';
import { writeForm } from '../../src/sheets/write-form.ts';
import { find, findPython, runProgram } from '../reports/programs.ts';
import { openImport } from '../support/open-import.ts';
import { expectImported } from './filled-form.ts';

const soffice = find('soffice', 'libreoffice');
const python = findPython();

const FILL = `
import sys, openpyxl
book = openpyxl.load_workbook(sys.argv[1])
sheet = book['Items']
assert len(sheet.data_validations.dataValidation) == 7, len(sheet.data_validations.dataValidation)
assert all(sheet.cell(1, column).comment for column in range(1, 11))
for row in (['Falcon', 'Main', 'Kenner', '007', 1979, 'loose_good', 'loose', 'sell', 12.5, 'rare; signed'], ['Tie', 'Main']):
    sheet.append(row)
book.save(sys.argv[1])`;

test.skipIf(python === undefined)('a form that openpyxl has filled in is imported', async () => {
  await using it = await openImport();
  const file = join(it.folder, 'form.xlsx');
  await writeForm(file, newWorkbook(['Main', 'Attic']));
  await runProgram(python ?? '', ['-c', FILL, file]);
  await expectImported(it, file);
});

test.skipIf(soffice === undefined)('a form that LibreOffice has filled in is imported', async () => {
  await using it = await openImport();
  const file = join(it.folder, 'form.xlsx');
  await writeForm(file, newWorkbook(['Main', 'Attic']));
  const profile = `-env:UserInstallation=${pathToFileURL(join(it.folder, 'profile')).href}`;
  const convert = (to: string, from: string) =>
    runProgram(soffice ?? '', [profile, '--headless', '--convert-to', to, '--outdir', it.folder, from]);
  // As text that LibreOffice wrote and reads again: what a person would type goes below the header.
  await convert('fods', file);
  const flat = join(it.folder, 'form.fods');
  const text = (value: string) =>
    `<table:table-cell office:value-type="string"><text:p>${value}</text:p></table:table-cell>`;
  const number = (value: number) =>
    `<table:table-cell office:value-type="float" office:value="${value}"><text:p>${value}</text:p></table:table-cell>`;
  const first = [
    text('Falcon'),
    text('Main'),
    text('Kenner'),
    text('007'),
    number(1979),
    text('loose_good'),
    text('loose'),
    text('sell'),
    number(12.5),
    text('rare; signed'),
  ];
  const rows = [first, [text('Tie'), text('Main')]].map(
    (cells) => `<table:table-row>${cells.join('')}</table:table-row>`,
  );
  const source = readFileSync(flat, 'utf8');
  expect(source).toContain('<table:content-validation ');
  const end =
    source.indexOf('</table:table-row>', source.indexOf('table:name="Items"')) + '</table:table-row>'.length;
  writeFileSync(flat, source.slice(0, end) + rows.join('') + source.slice(end));
  await convert('xlsx', flat);
  await expectImported(it, file);
});
