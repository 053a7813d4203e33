/** Spoiled files from good ones: the same number always gives the same file. */
import iconv from 'iconv-lite';
import { MAIN, makeBook, makeZip } from '../sheets/support/make-book.ts';
import { makeCompound } from '../sheets/support/make-compound.ts';
import {
  bof,
  double,
  EOF,
  formula,
  label,
  number,
  record,
  rk,
  shared,
  sharedTexts,
  text16,
  u16,
  u32,
  xlsStream,
} from '../sheets/support/make-xls.ts';
import { makeFlatOds, makeOds, odsContent, odsNumber, odsRow, odsText } from '../sheets/support/make-ods.ts';
import { numbersOf, spoil } from './spoil.ts';

export const SHEETS = ['csv', 'xlsx', 'xls', 'ods'] as const;
export type SheetKind = (typeof SHEETS)[number];

const CSV_ROWS = [
  'Name;Brand;Year;Value',
  'Bär;Steiff;1999;1.234,50',
  '"Tank; red";"He said ""no""";1985;3,2',
  'Car;"two\nlines";2001;',
  'Total;;;40,00',
].join('\n');
const CSV_SEEDS: Buffer[] = [
  Buffer.from(`${CSV_ROWS}\n`.repeat(3)),
  Buffer.from(`sep=,\r\n${CSV_ROWS.replaceAll(';', ',').replaceAll('\n', '\r\n')}`),
  Buffer.from(CSV_ROWS.replaceAll('\n', '\r')),
  iconv.encode(CSV_ROWS, 'utf-16le', { addBOM: true }),
  iconv.encode(CSV_ROWS, 'windows-1252'),
  iconv.encode('名前,年\n初音ミク,2007\n"ねん\nどろいど",2008\n', 'shift_jis'),
];
const CSV_WORDS = [
  '"',
  '""',
  '\n',
  '\r',
  '\r\n',
  ';',
  ',',
  '\t',
  '\0',
  '\uFEFF',
  '<<<<<<< HEAD\n',
  '=======\n',
  'é',
];

const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
const BOOK = {
  sheets: `<dimension ref="A1:D4"/><cols><col min="2" max="3" hidden="1"/></cols><sheetData><row r="1">${cell('Name')}${cell('Year')}${cell('Bought')}${cell('Kept')}</row><row r="2" hidden="1"><c r="A2" t="s"><v>0</v></c><c r="B2"><v>1999</v></c><c r="C2" s="1"><v>43890.5</v></c><c r="D2" t="b"><v>1</v></c></row><row r="4"><c r="A4" t="str"><f>A2</f><v>x_x000D_y</v></c><c r="B4" t="e"><v>#N/A</v></c><c r="C4" t="d"><v>2020-02-29</v></c><c r="D4" t="s"><v>1</v></c></row></sheetData><mergeCells><mergeCell ref="A1:B1"/></mergeCells>`,
  strings: `<sst xmlns="${MAIN}" count="2" uniqueCount="2"><si><t>Bear</t></si><si><r><t>rich </t></r><rPh><t>no</t></rPh><r><t xml:space="preserve"> text</t></r></si></sst>`,
  styles:
    '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy&quot;-&quot;mm"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>',
};
const XML_WORDS = [
  '<',
  '>',
  '&',
  '"',
  '</row>',
  '<row>',
  '<c>',
  ']]>',
  '<![CDATA[',
  '<!DOCTYPE x [<!ENTITY a "b">]>',
  '&#0;',
  '&a;',
  'r="XFD1048577"',
  'r="-1"',
  '99999999999999999999',
  '\0',
  '<?xml version="1.1"?>',
  ' ',
];
const PARTS = ['sheets', 'strings', 'styles'] as const;

const XLS_ROWS = [
  record(0x007d, u16(1, 2, 2000, 0, 1, 0)),
  ...['Name', 'Year', 'Bought', 'Kept'].map((header, column) => label(0, column, header)),
  record(0x0208, u16(1, 0, 4, 255, 0, 0), u32(0x20)),
  shared(1, 0, 0),
  rk(1, 1, (1999 << 2) | 2),
  number(1, 2, 43890.5, 1),
  record(0x0205, u16(1, 3, 0), [1, 0]),
  formula(2, 0, [0, 0, 0, 0, 0, 0, 0xff, 0xff]),
  record(0x0207, text16('a text')),
  record(0x00bd, u16(2, 1, 0), u32(6), u16(1), u32(4390 << 2), u16(2)),
  bof('chart'),
  EOF,
  shared(3, 0, 1),
  formula(3, 1, double(5)),
  record(0x00be, u16(3, 2, 0, 0, 3)),
  record(0x00d6, u16(4, 0, 0), text16('rich'), u16(1), u16(0, 5)),
];
const XLS_TEXTS = ['Bear', { text: `long ${'日本'.repeat(40)}`, runs: 4, phonetic: 20 }, 'end'];
const XLS_STREAM = xlsStream({
  globals: [
    record(0x0022, u16(0)),
    record(0x041e, u16(164), text16('yyyy-mm')),
    ...[0, 164].map((format) => record(0x00e0, u16(0, format, 0), Buffer.alloc(14))),
    sharedTexts(XLS_TEXTS, 60),
  ],
  sheets: [
    { name: 'Toys', records: XLS_ROWS },
    { name: 'Hidden', records: XLS_ROWS, state: 1 },
    { name: 'More', records: [...XLS_ROWS, label(1, 1, 'late')] },
  ],
});
const XLS_WORDS = ['ffff', '00000000', 'feffffff', '09081000', '3c000400', 'fc00', '0a000000'].map((hex) =>
  Buffer.from(hex, 'hex'),
);

const ODS = {
  styles:
    '<number:date-style style:name="N1"><number:year/><number:hours/></number:date-style><style:style style:name="ce1" style:family="table-cell" style:data-style-name="N1"/><style:style style:name="ta2" style:family="table"><style:table-properties table:display="false"/></style:style>',
  sheetStyles: ['ta2', 'ta1'],
  sheets: [
    odsRow(odsText('secret')),
    `<table:table-column table:default-cell-style-name="ce1" table:number-columns-repeated="3"/>${odsRow(odsText('Name') + odsText('Cell'))}${odsRow(
      `${odsText('a<text:s text:c="3"/>b<office:annotation><text:p>no</text:p></office:annotation>')}<table:table-cell table:style-name="ce1" office:value-type="date" office:date-value="2020-02-29T10:00:00.5"/>`,
    )}${odsRow(odsNumber(1, 'table:number-columns-repeated="2"'), 'table:number-rows-repeated="12" table:visibility="collapse"')}${odsRow('<table:table-cell table:number-columns-repeated="16384"/>', 'table:number-rows-repeated="1048000"')}`,
  ],
};
const ODS_WORDS = [
  ...XML_WORDS,
  'table:number-rows-repeated="1000000"',
  'table:number-columns-repeated="16000"',
  '<text:s text:c="999999999"/>',
  '<table:table>',
  '</table:table>',
  '<!-- -->',
];

function mutatedOds(random: (below: number) => number): Buffer {
  if (random(2) === 0) return spoil(makeOds(ODS), ['PK', '\0\0\0\0', 'content', '\xff\xff\xff\xff'], random);
  const spoiled = spoil(Buffer.from(odsContent(ODS)), ODS_WORDS, random);
  if (random(4) === 0) return spoil(Buffer.from(makeFlatOds(ODS)), ODS_WORDS, random);
  return makeOds({ ...ODS, extra: { 'content.xml': spoiled } });
}

/** Each kind has files of its own. */
const SEED: Record<SheetKind, number> = { csv: 1, xlsx: 2, xls: 3, ods: 4 };

/** The file of this kind and number. */
export function spoiledSheet(kind: SheetKind, fileNumber: number): Buffer {
  const random = numbersOf(fileNumber * 2654435761 + SEED[kind]);
  if (kind === 'csv') return spoil(CSV_SEEDS[random(CSV_SEEDS.length)] ?? Buffer.alloc(0), CSV_WORDS, random);
  if (kind === 'ods') return mutatedOds(random);
  if (kind === 'xls') {
    // Half of them in the records, where the container stays whole, and half in its own bytes.
    const inside = random(2) === 0;
    const stream = inside ? spoil(XLS_STREAM, XLS_WORDS, random) : XLS_STREAM;
    // Streams below 4096 bytes are kept in another way.
    const file = makeCompound({
      Workbook: random(2) === 0 ? stream : Buffer.concat([stream, Buffer.alloc(4096)]),
      Summary: Buffer.alloc(random(200)),
    });
    return inside ? file : spoil(file, XLS_WORDS, random);
  }
  // Half of them in the XML, where the zip stays whole, and half in the bytes of the zip.
  if (random(2) === 0) return spoil(makeBook(BOOK), ['PK', '\0\0\0\0', 'xl/', '\xff\xff\xff\xff'], random);
  const part = PARTS[random(PARTS.length)] ?? 'sheets';
  const spoiled = spoil(Buffer.from(BOOK[part]), XML_WORDS, random).toString();
  return random(20) === 0 ? makeZip({ 'xl/workbook.xml': spoiled }) : makeBook({ ...BOOK, [part]: spoiled });
}
