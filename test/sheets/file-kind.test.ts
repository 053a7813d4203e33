import { english } from '../../src/messages/message.ts';
import { mkdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { openTable, openTables } from '../../src/sheets/open-table.ts';
import { hashFile } from '../../src/sheets/hash-file.ts';
import { errorOf, makeBook, makeZip, newFile, newPath } from './support/files.ts';
import { makeCompound } from './support/make-compound.ts';

const rows =
  '<sheetData><row r="1"><c r="A1" t="str"><v>Name</v></c><c r="B1" t="str"><v>Year</v></c></row><row r="2"><c r="A2" t="str"><v>x</v></c></row></sheetData>';

/** A compound file whose header says that its sectors are 2 to the power of `shift` bytes. */
function damagedCompound(shift: number): Buffer {
  const bytes = makeCompound({ Workbook: Buffer.alloc(600) });
  bytes.writeUInt16LE(shift, 30);
  return bytes;
}

describe('a file that is not a table is refused with its kind and a remedy', () => {
  const book = makeBook({ sheets: rows });
  it.each<[code: string, content: string | Uint8Array]>([
    ['empty_file', ''],
    ['empty_file', '\n\n,,\n'],
    ['empty_file', makeBook({ sheets: '<sheetData/>' })],
    ['no_rows', 'Name,Year\n'],
    [
      'no_rows',
      makeBook({
        sheets: '<sheetData><row><c t="str"><v>Name</v></c><c t="str"><v>Year</v></c></row></sheetData>',
      }),
    ],
    ['binary', makeCompound({ WordDocument: Buffer.alloc(600) })],
    ['binary', '%PDF-1.7\n…'],
    ['binary', Buffer.from(Array.from({ length: 4096 }, (_, index) => (index * 7919) % 256))],
    ['html', '\n<!DOCTYPE html>\n<html><body><table><tr><td>a</td></tr></table></body></html>'],
    ['json', '{"object":"item","id":"1"}\n{"object":"item","id":"2"}\n'],
    ['json', '[\n  { "a\\"b": 1 }]'],
    ['html', '<table border="1"><tr><td>a</td></tr></table>'],
    [
      'xml_spreadsheet',
      '<?xml version="1.0"?>\n<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"/>',
    ],
    ['not_a_workbook', '<?xml version="1.0"?>\n<office:document xmlns:office="x"/>'],
    ['binary', '<?xml version="1.0"?>\n<toys><toy/></toys>'],
    ['truncated', book.subarray(0, book.length - 200)],
    ['not_a_workbook', makeZip({ 'photos/a.jpg': 'x' })],
    ['not_a_workbook', makeZip({ 'word/document.xml': '<a/>' })],
    ['numbers', makeZip({ 'Index/Document.iwa': 'x' })],
    ['numbers', makeZip({ 'Toys.numbers/Index.zip': 'x', 'Toys.numbers/Metadata/Properties.plist': 'x' })],
    ['numbers', makeZip({ 'Toys.numbers/Index/Tables/DataList.iwa': 'x' })],
    ['numbers', makeZip({ 'index.xml': '<x/>', buildVersionHistory: 'x', 'buildVersionHistory.plist': 'x' })],
    ['damaged_workbook', damagedCompound(0)],
    ['damaged_workbook', damagedCompound(31)],
    ['xlsb', makeZip({ 'xl/workbook.bin': 'x' })],
    ['bad_part_name', makeZip({ '../../evil.xml': 'x' })],
    ['broken_xml', makeBook({ sheets: '<sheetData><row></sheetData>' })],
  ])('%s', async (code, content) => {
    const error = await errorOf(openTable(await newFile(content, 'xlsx'), {}));
    expect(error.code).toBe(code);
    expect(error.remedy).not.toBe('');
    expect(error.remedy).toBeTypeOf('string');
  });

  it('a missing file and a folder are refused', async () => {
    expect((await errorOf(openTable(newPath('csv'), {}))).code).toBe('no_such_file');
    const folder = newPath('csv');
    await mkdir(folder);
    expect((await errorOf(openTable(folder, {}))).code).toBe('is_a_folder');
    expect((await errorOf(hashFile(newPath('csv')))).code).toBe('no_such_file');
  });
});

describe('opening a file', () => {
  it('reads CSV named .xlsx, and a workbook named .csv', async () => {
    expect((await openTable(await newFile('a,b\n1,2\n', 'xlsx'), {})).format).toBe('csv');
    expect((await openTable(await newFile(makeBook({ sheets: rows }), 'csv'), {})).format).toBe('xlsx');
  });

  it('lists sheets, and names them if the given sheet does not exist', async () => {
    const file = await newFile(makeBook({ sheets: [rows, rows], states: ['', 'state="hidden"'] }), 'xlsx');
    expect((await openTable(file, {})).sheets).toEqual(['Sheet1', 'Sheet2']);
    const error = await errorOf(openTable(file, { sheet: '2019' }));
    expect(error.code).toBe('no_such_sheet');
    expect(error.message).toContain('"Sheet1", "Sheet2"');
    expect((await openTable(await newFile('a,b\n1,2\n'), {})).sheets).toEqual([]);
    expect((await errorOf(openTable(await newFile('a,b\n1,2\n'), { sheet: 'x' }))).code).toBe(
      'no_such_sheet',
    );
  });

  it('opens all visible sheets with the same columns', async () => {
    const other = rows.replace('Year', 'Price');
    const file = await newFile(
      makeBook({ sheets: [rows, other, rows, rows], states: ['', '', '', 'state="veryHidden"'] }),
      'xlsx',
    );
    const tables = await openTables(file, { sheet: 'all' });
    expect(tables.map((table) => table.sheet)).toEqual(['Sheet1', 'Sheet3']);
    expect(tables[0]?.notes.map(english).join()).toContain('"Sheet2"');
    expect(await openTables(await newFile('a,b\n1,2\n'), { sheet: 'all' })).toHaveLength(1);
  });

  it('hashes the content', async () => {
    expect(await hashFile(await newFile('abc'))).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
  });
});
