import { english, inOneLine } from '../../src/messages/message.ts';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { type Cell, NO_RESULT } from '../../src/sheets/cell.ts';
import { openTable, openTables } from '../../src/sheets/open-table.ts';
import { errorOf, newFile, type Read, readFile } from './support/files.ts';
import { makeCompound } from './support/make-compound.ts';
import {
  bof,
  bytes16,
  double,
  EOF,
  formula,
  label,
  makeXls,
  number,
  record,
  rk,
  shared,
  sharedTexts,
  text16,
  u16,
  u32,
  type XlsParts,
  xlsStream,
} from './support/make-xls.ts';

const HEADER = [label(0, 0, 'Name'), label(0, 1, 'Year'), label(0, 2, 'Bought'), label(0, 3, 'Kept')];
const date = (day: string, time?: string): Cell => ({
  kind: 'date',
  date: day,
  ...(time === undefined ? {} : { time }),
});
const error = (text: string): Cell => ({ kind: 'error', text });

/** The rows below the header of a sheet "Toys" with these records. */
async function readRecords(records: Uint8Array[], parts: Partial<XlsParts> = {}): Promise<Read> {
  const book = makeXls({ sheets: [{ name: 'Toys', records: [...HEADER, ...records] }], ...parts });
  return readFile(await newFile(book, 'xls'));
}

/** Formats: 0 General, 1 a built-in date, 2 a date and time of its own, 3 an amount in euros. */
const FORMATS = [
  record(0x041e, u16(164), text16('yyyy\\-mm\\-dd hh:mm')),
  record(0x041e, u16(165), text16('#,##0.00\\ [$€-407];[Red]\\-#,##0.00\\ [$€-407]')),
  ...[0, 14, 164, 165].map((format) => record(0x00e0, u16(0, format, 0), Buffer.alloc(14))),
];

describe('reading cells of an .xls', () => {
  it('handles numbers in each of their forms', async () => {
    const { cells } = await readRecords([
      number(1, 0, 1.1),
      rk(1, 1, (1985 << 2) | 2),
      rk(1, 2, (-1250 << 2) | 3),
      // The upper 30 bits of the double 1.5, whole and as hundredths.
      rk(1, 3, 0x3ff80000),
      record(
        0x00bd,
        u16(2, 0, 0),
        u32((7 << 2) | 2),
        u16(0),
        u32(0x3ff80001),
        u16(0),
        u32((-3 << 2) | 2),
        u16(2),
      ),
    ]);
    expect(cells).toEqual([
      [1.1, 1985, -12.5, 1.5],
      [7, 0.015, -3, null],
    ]);
  });

  it('handles inline text, rich text, booleans and errors', async () => {
    const { cells } = await readRecords([
      label(1, 0, 'Bär 日本'),
      record(0x00d6, u16(1, 1, 0), text16('bold'), u16(1), u16(0, 5)),
      record(0x0205, u16(1, 2, 0), [1, 0]),
      record(0x0205, u16(1, 3, 0), [0, 0]),
      record(0x0205, u16(2, 0, 0), [0x2a, 1]),
      record(0x0205, u16(2, 1, 0), [0x07, 1]),
      number(2, 2, Number.NaN),
    ]);
    expect(cells).toEqual([
      ['Bär 日本', 'bold', true, false],
      [error('#N/A'), error('#DIV/0!'), error('#NUM!'), null],
    ]);
  });

  it('handles results of formulas: numbers, text, booleans, errors, empty, and none', async () => {
    const marked = (kind: number, value = 0) => [kind, 0, value, 0, 0, 0, 0xff, 0xff];
    const { cells } = await readRecords([
      formula(1, 0, marked(0)),
      // A shared formula may stand between a formula and its text.
      record(0x04bc, Buffer.alloc(10)),
      record(0x0207, text16('half a text '), []),
      formula(1, 1, double(12.5)),
      formula(1, 2, marked(1, 1)),
      formula(1, 3, marked(2, 0x17)),
      formula(2, 0, marked(0)),
      formula(2, 1, marked(3)),
      formula(2, 2, marked(0)),
    ]);
    const noResult = error(NO_RESULT);
    expect(cells).toEqual([
      ['half a text ', 12.5, true, error('#REF!')],
      [noResult, '', noResult, null],
    ]);
  });

  it.each([0x0206, 0x0406])(
    'handles results of formulas in records of type %i, as in Excel 3.0 and 4.0',
    async (type) => {
      const { cells } = await readRecords([
        formula(1, 0, [0, 0, 0, 0, 0, 0, 0xff, 0xff], 0, type),
        record(0x0207, text16('a text')),
        formula(1, 1, double(1985), 0, type),
        formula(1, 3, [1, 0, 1, 0, 0, 0, 0xff, 0xff], 0, type),
      ]);
      expect(cells).toEqual([['a text', 1985, null, true]]);
    },
  );

  it('recognises dates and amounts by their number format', async () => {
    const row = [
      label(1, 0, 'x'),
      number(1, 1, 43890, 1),
      number(1, 2, 43890.5, 2),
      rk(1, 3, (1250 << 2) | 3, 3),
    ];
    const money = { kind: 'money', amount: 12.5, currency: '€' };
    const { cells } = await readRecords(row, { globals: FORMATS });
    expect(cells).toEqual([['x', date('2020-02-29'), date('2020-02-29', '12:00:00'), money]]);
    const later = await readRecords(row, { globals: [...FORMATS, record(0x0022, u16(1))] });
    expect(later.cells).toEqual([['x', date('2024-03-01'), date('2024-03-01', '12:00:00'), money]]);
  });

  it('handles blank cells, hidden rows and columns, and charts within a sheet', async () => {
    const { cells, table, rows } = await readRecords([
      record(0x007d, u16(1, 2, 2000, 0, 1, 0)),
      record(0x007d, u16(4, 255, 2000, 0, 1, 0)),
      record(0x0208, u16(1, 0, 4, 255, 0, 0), u32(0x20)),
      bof('chart'),
      number(1, 0, 999),
      EOF,
      record(0x0201, u16(1, 0, 0)),
      record(0x00be, u16(1, 1, 0, 0, 0, 3)),
      label(4, 0, 'x'),
    ]);
    expect(cells).toEqual([['x', null, null, null]]);
    expect(rows[0]?.number).toBe(5);
    expect(table.skipped.blank).toBe(1);
    expect(table.notes.map(english)).toEqual([
      '1 hidden row was read too',
      'hidden columns were read too: B–C',
    ]);
  });

  it('handles rows out of order, as in files written column by column', async () => {
    const { rows } = await readRecords([
      label(1, 0, 'first'),
      label(2, 0, 'second'),
      label(3, 0, 'third'),
      rk(1, 1, (1 << 2) | 2),
      rk(2, 1, (2 << 2) | 2),
      // Written twice: the later one counts.
      label(2, 0, 'second again'),
    ]);
    expect(rows.map((row) => [row.number, ...row.cells.slice(0, 2)])).toEqual([
      [2, 'first', 1],
      [3, 'second again', 2],
      [4, 'third', null],
    ]);
  });

  it('reads a long text that continues in further records', async () => {
    const long = `${'x'.repeat(300)}日本${'y'.repeat(300)}`;
    const begin = Buffer.concat([u16(long.length), Buffer.of(0), Buffer.from('x'.repeat(300))]);
    const rest = [
      record(0x003c, [1], Buffer.from('日本y', 'utf16le')),
      record(0x003c, [0], Buffer.from('y'.repeat(299))),
    ];
    const { cells } = await readRecords([
      record(0x0204, u16(1, 0, 0), begin),
      ...rest,
      formula(1, 1, [0, 0, 0, 0, 0, 0, 0xff, 0xff]),
      record(0x0207, begin),
      ...rest,
    ]);
    expect(cells[0]?.slice(0, 2)).toEqual([long, long]);
  });
});

describe('shared text of an .xls', () => {
  const TEXTS = [
    'Bär',
    '',
    '日本のロボット',
    `${'narrow '.repeat(20)}then 日本 ${'narrow again '.repeat(20)}`,
    { text: 'rich', runs: 3 },
    { text: 'ねんどろいど', phonetic: 40 },
    { text: `both ${'é'.repeat(50)}`, runs: 9, phonetic: 33 },
    'end',
  ];
  const plain = TEXTS.map((each) => (typeof each === 'string' ? each : each.text));
  const rows = plain.map((_, index) => [shared(index + 1, 0, index), rk(index + 1, 1, (index << 2) | 2)]);

  it.each([8224, 200, 63, 40, 27])('is read from records of %i bytes', async (most) => {
    const { cells } = await readRecords(rows.flat(), { globals: [sharedTexts(TEXTS, most)] });
    expect(cells.map((row) => row[0])).toEqual(plain);
  });

  it('is read even if the count is too small', async () => {
    const { cells } = await readRecords(rows.flat(), { globals: [sharedTexts(TEXTS, 8224, 0)] });
    expect(cells.map((row) => row[0])).toEqual(plain);
  });

  it('is read even if the table ends within a text or an index does not exist', async () => {
    const table = sharedTexts(['whole', 'cut off']);
    table.writeUInt16LE(table.readUInt16LE(2) - 3, 2);
    const book = makeXls({
      sheets: [{ name: 'Toys', records: HEADER }],
      globals: [table.subarray(0, table.length - 3)],
    });
    const found = await errorOf(openTable(await newFile(book, 'xls'), {}));
    expect(found.code).toBe('damaged_workbook');
    const { cells } = await readRecords([shared(1, 0, 99), rk(1, 1, 2)], { globals: [sharedTexts(['a'])] });
    expect(cells[0]?.[0]).toEqual(error('#REF!'));
  });

  it('is refused if it exceeds the limit', async () => {
    const globals = [record(0x00fc, u32(9, 3_000_001))];
    const book = makeXls({ sheets: [{ name: 'Toys', records: HEADER }], globals });
    expect((await errorOf(openTable(await newFile(book, 'xls'), {}))).code).toBe('limit_shared_strings');
  });
});

describe('sheets of an .xls', () => {
  const rows = [...HEADER, label(1, 0, 'x'), rk(1, 1, 2)];

  it('the first visible sheet with a table, a named sheet, or all sheets are read', async () => {
    const sheets = [
      { name: 'Chart', records: [], type: 2 },
      { name: 'Secret', records: rows, state: 1 },
      { name: 'Leer', records: [] },
      { name: 'Spielzeug ä', records: rows },
      { name: '日本', records: rows },
      { name: 'Gone', records: rows, state: 2 },
    ];
    const file = await newFile(makeXls({ sheets }), 'xls');
    const table = await openTable(file, {});
    expect(inOneLine(table.detected)).toBe('XLS · sheet "Spielzeug ä" · header in row 1');
    expect(table.notes.map(english)).toEqual(['hidden sheets were not read: "Secret", "Gone"']);
    expect(table.sheets).toEqual(['Secret', 'Leer', 'Spielzeug ä', '日本', 'Gone']);
    expect((await openTable(file, { sheet: 'gone' })).sheet).toBe('Gone');
    expect((await openTables(file, { sheet: 'all' })).map((each) => each.sheet)).toEqual([
      'Spielzeug ä',
      '日本',
    ]);
    expect((await errorOf(openTable(file, { sheet: 'x' }))).code).toBe('no_such_sheet');
  });

  it('text from Excel 5.0 and 95 is read in its code page', async () => {
    const cyrillic = (text: string) => iconv.encode(text, 'windows-1251');
    const book = xlsStream({
      version: 0x0500,
      nameBytes: cyrillic,
      globals: [
        record(0x0042, u16(1251)),
        record(0x041e, u16(164), [10], Buffer.from('dd.mm.yyyy')),
        record(0x00e0, u16(0, 0, 0), Buffer.alloc(10)),
        record(0x00e0, u16(0, 164, 0), Buffer.alloc(10)),
      ],
      sheets: [
        {
          name: 'Игрушки',
          records: [
            record(0x0204, u16(0, 0, 0), bytes16(cyrillic('Имя'))),
            record(0x0204, u16(0, 1, 0), bytes16(cyrillic('Год'))),
            record(0x00d6, u16(1, 0, 0), bytes16(cyrillic('Медведь')), [0]),
            number(1, 1, 43890, 1),
            formula(2, 0, [0, 0, 0, 0, 0, 0, 0xff, 0xff]),
            record(0x0207, bytes16(cyrillic('Заяц'))),
          ],
        },
      ],
    });
    const { table, cells } = await readFile(await newFile(makeCompound({ Book: book }), 'xls'));
    expect([table.sheet, ...table.headers]).toEqual(['Игрушки', 'Имя', 'Год']);
    expect(cells).toEqual([
      ['Медведь', date('2020-02-29')],
      ['Заяц', null],
    ]);
  });
});

describe('an unreadable .xls is refused with a reason and a remedy', () => {
  const rows = [...HEADER, label(1, 0, 'x'), rk(1, 1, 2)];
  const good = xlsStream({ sheets: [{ name: 'Toys', records: rows }] });
  // Empty ones, so that each of them is looked at.
  const empty = bof('globals').length + 10 * 13 + EOF.length;
  const overlapping = makeCompound({
    Workbook: Buffer.concat([
      bof('globals'),
      ...Array.from({ length: 10 }, (_, at) => record(0x0085, u32(empty), [0, 0, 1, 0, 65 + at])),
      EOF,
      bof(),
      ...Array.from({ length: 50 }, () => record(0x0201, u16(0, 0, 0))),
      EOF,
    ]),
  });
  const broken = (...records: Uint8Array[]) => makeXls({ sheets: [{ name: 'Toys', records }] });
  it.each<[what: string, code: string, content: Uint8Array]>([
    [
      'the obfuscation of Excel 95',
      'unknown_protection',
      makeXls({
        sheets: [{ name: 'Toys', records: rows }],
        globals: [record(0x002f, u16(0, 1, 2))],
      }),
    ],
    [
      'Excel 4.0, a sheet as a file',
      'old_xls',
      Buffer.concat([record(0x0409, u16(0, 0x10, 0)), Buffer.alloc(90)]),
    ],
    ['Excel 2.0', 'old_xls', Buffer.concat([record(0x0009, u16(2, 0x10)), Buffer.alloc(90)])],
    ['an unknown version', 'old_xls', makeXls({ sheets: [], version: 0x0400 })],
    ['a file without sheets', 'no_visible_sheet', makeXls({ sheets: [] })],
    ['unclosed globals', 'damaged_workbook', makeCompound({ Workbook: bof('globals') })],
    ['an unclosed sheet', 'damaged_workbook', makeCompound({ Workbook: good.subarray(0, good.length - 4) })],
    [
      'a stream that ends within a record',
      'damaged_workbook',
      makeCompound({ Workbook: good.subarray(0, -9) }),
    ],
    ['another stream', 'binary', makeCompound({ WordDocument: good })],
    ['an empty stream', 'damaged_workbook', makeCompound({ Workbook: Buffer.alloc(0) })],
    ['a record that is too short', 'damaged_workbook', broken(record(0x0203, u16(0, 0)))],
    ['text that is cut off', 'damaged_workbook', broken(record(0x0204, u16(0, 0, 0, 9), [0]), EOF)],
    ['a column right of IV', 'limit_columns', broken(...HEADER, label(1, 256, 'x'))],
    ['sheets that share their records', 'damaged_workbook', overlapping],
    [
      'a sheet in another file',
      'damaged_workbook',
      makeCompound({
        Workbook: Buffer.concat([bof('globals'), record(0x0085, u32(9999), [0, 0, 1, 0, 65]), EOF]),
      }),
    ],
  ])('%s', async (_, code, content) => {
    const found = await errorOf(openTable(await newFile(content, 'xls'), {}));
    expect(found.code).toBe(code);
    expect(found.remedy).toMatch(/\.$/u);
  });
});
