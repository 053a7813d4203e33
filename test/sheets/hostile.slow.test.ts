import { describe, expect, it } from 'vitest';
import { random } from '../support/seed.ts';
import { readAlone } from './support/alone.ts';
import { MAIN, makeBook, newFile, type PartContent } from './support/files.ts';
import { makeOds, odsContent, odsNumber, odsRow, odsText } from './support/make-ods.ts';

const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
const ROWS = `<row>${text('Name')}${text('Value')}</row><row>${text('x')}<c><v>1</v></c></row>`;
const small = `<sheetData>${ROWS}</sheetData>`;

function* pieces(count: number, piece: (index: number) => string, before: string, after: string) {
  yield before;
  for (let from = 0; from < count; from += 10_000) {
    yield Array.from({ length: Math.min(10_000, count - from) }, (_, index) => piece(from + index)).join('');
  }
  yield after;
}

function* repeated(count: number, piece: (index: number) => string, before: string, after: string) {
  yield before;
  for (let index = 0; index < count; index += 1) yield piece(index);
  yield after;
}

const strings = (count: number, piece: (index: number) => string) => ({
  'xl/sharedStrings.xml': pieces(count, piece, `<sst xmlns="${MAIN}">`, '</sst>'),
});
const sheet = (count: number, piece: (index: number) => string, after = '') => ({
  'xl/worksheets/sheet1.xml': pieces(
    count,
    piece,
    `<worksheet xmlns="${MAIN}"><sheetData>${ROWS}`,
    `${after}</sheetData></worksheet>`,
  ),
});
const whites = (count: number, piece: (index: number) => string) => ({
  'xl/worksheets/sheet1.xml': repeated(
    count,
    piece,
    `<worksheet><sheetData>${ROWS}`,
    '</sheetData></worksheet>',
  ),
});
/** White space that a zip cannot pack well: its size gives nothing away. */
const blank = (length: number) => Array.from({ length }, () => ' \n\t '[Math.floor(random() * 4)]).join('');
const letters = Array.from({ length: 20 }, () =>
  Array.from({ length: 10_000 }, () => Math.floor(random() * 36).toString(36)).join(''),
);
const blanks = Array.from({ length: 20 }, () => blank(100_000));

/** Of the processor. They take 3 s at most where the limit of 5 s is promised; other machines are slower. */
const MAX_SECONDS = 15;

describe('a hostile workbook is read or refused within 5 s of processor time and 300 MB', () => {
  it.each<[what: string, code: string, extra: Record<string, PartContent>, strings?: string]>([
    [
      '10 million shared strings',
      'limit_shared_strings',
      strings(10_000_000, (index) => `<si><t>Toy ${index}</t></si>`),
      '',
    ],
    [
      'a declared count of 10 million shared strings',
      'limit_shared_strings',
      {},
      '<sst uniqueCount="10000000"/>',
    ],
    [
      '300 MB of shared strings',
      'limit_shared_string_size',
      {
        'xl/sharedStrings.xml': repeated(
          300,
          (index) => `<si><t>${letters[index % 20] ?? ''}</t></si>`.repeat(100),
          '<sst>',
          '</sst>',
        ),
      },
      '',
    ],
    ['300 MB of white space', 'limit_inflation', whites(300, () => ' \n\t '.repeat(250_000))],
    [
      '300 MB of badly packed white space',
      'limit_xml_text',
      whites(3000, (index) => `${blanks[index % 20] ?? ''}${index % 30 === 0 ? '<row/>' : ''}`),
    ],
    [
      '3 million empty rows',
      'limit_rows',
      sheet(3_000_000, (index) => `<row>${' '.repeat(index % 70)}</row>`),
    ],
    ['one row of 3 million cells', 'limit_columns', sheet(3_000_000, () => '<c/>')],
    [
      '50,000 merges',
      'read',
      {
        'xl/worksheets/sheet1.xml': pieces(
          50_000,
          (index) => `<mergeCell ref="A${index * 2 + 1}:B${index * 2 + 2}"/>`,
          `<worksheet>${small}<mergeCells>`,
          '</mergeCells></worksheet>',
        ),
      },
    ],
    ['a cell at XFD1048576', 'read', sheet(1, () => '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>')],
    [
      'billion laughs',
      'limit_xml_entities',
      {
        'xl/sharedStrings.xml': `<!DOCTYPE l [<!ENTITY a "ha">${Array.from({ length: 9 }, (_, n) => `<!ENTITY ${'bcdefghij'[n]} "${`&${'abcdefghi'[n]};`.repeat(10)}">`).join('')}]><sst><si><t>&j;</t></si></sst>`,
      },
      '',
    ],
    [
      'an external entity',
      'limit_xml_entities',
      {
        'xl/worksheets/sheet1.xml': `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><worksheet><sheetData><row>${text('&e;')}</row></sheetData></worksheet>`,
      },
    ],
    ['a part outside the package', 'bad_part_name', { '../../../../tmp/evil.xml': '<a/>' }],
    [
      'a workbook with macros',
      'read',
      { 'xl/vbaProject.bin': Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'xl/macrosheets/sheet1.xml': '<a/>' },
    ],
  ])('%s: %s', async (_, code, extra, shared) => {
    const book = makeBook({ sheets: small, ...(shared === undefined ? {} : { strings: shared }), extra });
    const read = await readAlone(await newFile(book, 'xlsx'));
    expect(read.code).toBe(code);
    expect(read.megabytes).toBeLessThan(300);
    expect(read.seconds).toBeLessThan(MAX_SECONDS);
  });
});

const [beforeRows = '', afterRows = ''] = odsContent({
  sheets: `${odsRow(odsText('Name') + odsText('Value'))}${odsRow(odsText('x') + odsNumber(1))}@@`,
}).split('@@');
const odsRows = (count: number, piece: (index: number) => string) => ({
  'content.xml': pieces(count, piece, beforeRows, afterRows),
});
const times = (rows: number, columns: number) =>
  odsRow(odsNumber(1, `table:number-columns-repeated="${columns}"`), `table:number-rows-repeated="${rows}"`);

describe('a hostile OpenDocument spreadsheet is read or refused within 5 s of processor time and 300 MB', () => {
  it.each<[what: string, code: string, rows: number, extra: Record<string, PartContent>]>([
    [
      'a million blank rows of 16,384 blank cells, a thousand times',
      'read',
      1,
      odsRows(
        1000,
        () =>
          '<table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>',
      ),
    ],
    ['a row of one cell, 500,000 times', 'read', 500_001, odsRows(1, () => times(500_000, 1))],
    ['a million rows of 16,384 cells', 'limit_repeated_cells', 0, odsRows(1, () => times(1_000_000, 16_384))],
    ['5,000 rows of a cell 16,384 times', 'limit_repeated_cells', 0, odsRows(5000, () => times(1, 16_384))],
    ['3 million rows', 'limit_inflation', 0, odsRows(3_000_000, () => odsRow(odsNumber(1)))],
    [
      'billions of spaces',
      'limit_xml_text',
      0,
      odsRows(1, () => odsRow(odsText('<text:s text:c="999999999"/>'.repeat(1000)))),
    ],
    [
      'an entity',
      'limit_xml_entities',
      0,
      { 'content.xml': `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>${beforeRows}${afterRows}` },
    ],
  ])('%s: %s', async (_, code, rows, extra) => {
    const read = await readAlone(await newFile(makeOds({ sheets: '', extra }), 'ods'));
    expect(read.code).toBe(code);
    if (code === 'read') expect(read.rows).toBe(rows);
    expect(read.megabytes).toBeLessThan(300);
    expect(read.seconds).toBeLessThan(MAX_SECONDS);
  });
});
