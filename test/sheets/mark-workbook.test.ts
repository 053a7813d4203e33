import { strFromU8, unzipSync } from 'fflate';
import { expect, it, test } from 'vitest';
import { jobOfWorkbook, MAX_MARKED_BYTES, markWorkbook } from '../../src/sheets/xlsx/mark-workbook.ts';
import { makeBook, makeZip, MAIN, newFile, newPath } from './support/files.ts';
import { writeFile } from 'node:fs/promises';

const ROWS = '<sheetData><row r="1"><c r="A1" t="str"><v>name</v></c></row></sheetData>';
const NOTES = new Map([['Sheet1', [{ row: 1, column: 0, text: 'why' }]]]);

async function marked(book: Buffer): Promise<Record<string, string>> {
  const parts = unzipSync(await markWorkbook(await newFile(book, 'xlsx'), NOTES, 'job'));
  return Object.fromEntries(Object.entries(parts).map(([name, bytes]) => [name, strFromU8(bytes)]));
}

const sheetOf = async (sheets: string) =>
  (await marked(makeBook({ sheets, styles: STYLES })))['xl/worksheets/sheet1.xml'];
const STYLES = `<styleSheet xmlns="${MAIN}"><fills><fill/></fills><cellXfs><xf/></cellXfs></styleSheet>`;

test.for<[what: string, sheet: string, gets: string]>([
  [
    'cells and rows without references',
    '<sheetData><row><c t="str"><v>a &gt; b</v></c></row></sheetData>',
    '<row><c t="str" s="1">',
  ],
  ['a comment with what looks like a cell', `<!-- <c r="A1"/> -->${ROWS}`, '<c r="A1" t="str" s="1">'],
  ['a row with another name before it', `<rowBreaks/>${ROWS}`, '<c r="A1" t="str" s="1">'],
  [
    'single quotes and a > in a value',
    `<sheetData><row r='1' x=">"><c r='A1' s='0'/></row></sheetData>`,
    `<c r='A1' s="1"/>`,
  ],
])('a sheet with %s is marked', async ([, sheet, gets]) => {
  expect(await sheetOf(sheet)).toContain(gets);
});

test.for<[what: string, sheet: string]>([
  ['a CDATA section', `<sheetData><row r="1"><c r="A1"><v><![CDATA[</v></c>]]></v></c></row></sheetData>`],
  ['no rows', '<sheetViews/>'],
  ['an unclosed tag', `${ROWS}<pageSetup a="`],
  ['an unclosed comment', `${ROWS}<!-- `],
  ['an unclosed row', '<sheetData><row r="1"><c r="A1"/></sheetData>'],
])('a sheet with %s is not marked', async ([, sheet]) => {
  const file = await newFile(makeBook({ sheets: sheet, styles: STYLES }), 'xlsx');
  await expect(markWorkbook(file, NOTES, 'job')).rejects.toMatchObject({ code: 'cannot_mark' });
});

it('a workbook that is too large when unpacked, a text table and a missing sheet are not marked', async () => {
  const half = 'x'.repeat(MAX_MARKED_BYTES / 64);
  const large = makeBook({
    sheets: ROWS,
    extra: { 'xl/media/a.bin': Array.from({ length: 65 }, () => half) },
  });
  for (const content of [
    large,
    makeZip({ 'a.txt': 'b' }),
    'name\nRobot\n',
    makeBook({ sheets: [ROWS, ROWS], states: ['', ''] }),
  ]) {
    const path = newPath('xlsx');
    await writeFile(path, content);
    const notes = new Map([['Sheet9', [{ row: 1, column: 0, text: 'why' }]]]);
    await expect(markWorkbook(path, notes, 'job')).rejects.toThrow();
    expect(await jobOfWorkbook(path)).toBeUndefined();
  }
});

it('a note escapes characters that XML does not allow, and is truncated to fit its box', async () => {
  const text = `</t></r></text><evil/>\u0000\ud800${'é'.repeat(5000)}`;
  const file = await newFile(makeBook({ sheets: ROWS, styles: STYLES }), 'xlsx');
  const book = await markWorkbook(file, new Map([['Sheet1', [{ row: 1, column: 0, text }]]]), 'a"<b');
  const notes = strFromU8(unzipSync(book)['xl/shelfliftNotes1.xml'] ?? new Uint8Array());
  expect(notes).not.toContain('<evil');
  expect(notes).toContain('&lt;evil/&gt;_x0000_');
  expect(notes.length).toBeLessThan(3000);
});
