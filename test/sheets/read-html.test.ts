import { expect, it, test } from 'vitest';
import { inOneLine } from '../../src/messages/message.ts';
import { openTable } from '../../src/sheets/open-table.ts';
import { limits } from '../../src/sheets/limits.ts';
import { errorOf, newFile, readFile } from './support/files.ts';

const LIST = `<tr><th>Name</th><th>Brand</th><th>Notes</th></tr>
<tr><td>Räuber &amp; Co</td><td> A <b>b</b>
 c </td><td>one<br>two<p>three</p></td></tr>
<tr><td>Bear<td>Steiff<td>5&nbsp;€`;

test('a web page named .xls is read as the table that a browser shows', async () => {
  const file = await newFile(
    `<html><head><title>Shop</title><style>td { color: red }</style></head><body><table>${LIST}</table></body></html>`,
    'xls',
  );
  const { table, cells } = await readFile(file);
  expect(inOneLine(table.detected)).toBe('HTML · sheet "Table 1" · header in row 1');
  expect(table.headers).toEqual(['Name', 'Brand', 'Notes']);
  expect(cells).toEqual([
    ['Räuber & Co', 'A b c', 'one\ntwo\nthree'],
    ['Bear', 'Steiff', '5 €'],
  ]);
});

test('a table within a layout table can be read, and a table with a caption can be named by --sheet', async () => {
  const page = `<table><tr><td>Menu</td><td><table>${LIST}</table></td></tr></table>
    <table><caption>Sold</caption><tr><td>Name<td>Year<tr><td>Robot<td>1985</table>`;
  const file = await newFile(page, 'html');
  expect((await readFile(file)).table.headers).toEqual(['Name', 'Brand', 'Notes']);
  expect((await readFile(file, { sheet: 'Sold' })).cells).toEqual([['Robot', '1985']]);
});

test('cells that span several columns and rows do not shift other cells', async () => {
  const file = await newFile(
    `<table><tr><th>Brand<th>Name<th>Year<tr><td rowspan=2>Acme<td>Robot<td>1985<tr><td>Bear<td>1990<tr><td colspan="2">Rocket<td>1999</table>`,
    'html',
  );
  expect((await readFile(file)).cells).toEqual([
    ['Acme', 'Robot', '1985'],
    [null, 'Bear', '1990'],
    ['Rocket', null, '1999'],
  ]);
});

it.each([
  ['windows-1252', '<meta charset="iso-8859-1">', 'latin1'],
  ['UTF-16', '', 'utf16le'],
  ['nothing that it says', '', 'latin1'],
] as const)('a page in %s is read', async (_, head, encoding) => {
  const text = `<html>${head}<table><tr><td>Name<td>Marke<tr><td>Bär<td>Größe</table>`;
  const mark = encoding === 'utf16le' ? '\ufeff' : '';
  const file = await newFile(Buffer.from(mark + text, encoding), 'xls');
  expect((await readFile(file)).cells).toEqual([['Bär', 'Größe']]);
});

it.each([
  ['html', 'no table', '<html><body><p>Please log in.</p></body></html>'],
  ['html', 'nothing below a header', '<table><tr><td>Name</td></tr></table>'],
  ['html', 'elements without end', `<table>${'<b>'.repeat(3000)}`],
  ['limit_xml_text', 'a cell without end', `<table><tr><td>${'a'.repeat(limits.xmlTextCharacters + 1)}`],
  ['limit_columns', 'too many columns', `<table><tr>${'<td colspan=1000>a'.repeat(20)}`],
  [
    'limit_repeated_cells',
    'cells over all rows',
    `<table><tr>${'<td rowspan=9999999>a'.repeat(10_000)}${'<tr><td>b'.repeat(1000)}`,
  ],
])('a page is refused with %s: %s', async (code, _, page) => {
  const error = await errorOf(openTable(await newFile(page, 'xls'), {}));
  expect(error.code).toBe(code);
});
