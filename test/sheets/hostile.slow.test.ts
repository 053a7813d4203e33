import { describe, expect, it } from 'vitest';
import { readAlone } from './support/alone.ts';
import { MAIN, makeBook, newFile, type PartContent } from './support/files.ts';

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
const blank = (length: number) =>
  Array.from({ length }, () => ' \n\t '[Math.floor(Math.random() * 4)]).join('');
const letters = Array.from({ length: 20 }, () =>
  Array.from({ length: 10_000 }, () => Math.floor(Math.random() * 36).toString(36)).join(''),
);
const blanks = Array.from({ length: 20 }, () => blank(100_000));

describe('a hostile workbook is read or refused within 5 s of the processor and 300 MB', () => {
  it.each<[what: string, code: string, extra: Record<string, PartContent>, strings?: string]>([
    [
      '10 million shared strings',
      'limit_shared_strings',
      strings(10_000_000, (index) => `<si><t>Toy ${index}</t></si>`),
      '',
    ],
    [
      '10 million shared strings that are announced',
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
      '300 MB of white space that is badly packed',
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
    ['a part outside of the package', 'bad_part_name', { '../../../../tmp/evil.xml': '<a/>' }],
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
    expect(read.seconds).toBeLessThan(5);
  });
});
