import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { SheetError } from '../../src/base/errors.ts';
import { RowAssembler } from '../../src/sheets/workbook/row-assembler.ts';
import { SharedStrings } from '../../src/sheets/workbook/shared-strings.ts';
import { parseXml, type XmlShortcut, type XmlSink } from '../../src/sheets/workbook/xml.ts';
import { PlainRows } from '../../src/sheets/xlsx/plain-rows.ts';
import { RowCollector } from '../../src/sheets/xlsx/row-collector.ts';
import { numbersOf, spoil } from '../fuzz/spoil.ts';
import * as fc from '../support/fast-check.ts';
import { MAIN } from './support/files.ts';

const sharedStrings = new SharedStrings('toys.xlsx');
for (const text of ['Bear', 'Tank & tracks']) sharedStrings.add(text);
const workbook = {
  file: 'toys.xlsx',
  reopen: () => Promise.reject(new Error('nothing is opened again')),
  sheets: [],
  epoch1904: false,
  sharedStrings,
  formats: [{ kind: 'number' as const, currency: 'USD' }, { kind: 'date' as const }],
};

/** Rows and notes of a sheet, or how its reading ended; `parsed` is what the parser got. */
async function read(bytes: Uint8Array, pieceBytes: number, by: 'parser' | 'shortcut') {
  const assembler = new RowAssembler();
  const collector = new RowCollector(workbook, 'Toys', assembler);
  const plain = new PlainRows(workbook, collector, assembler);
  let parsed = '';
  const noting = (parser: XmlSink): XmlSink => ({
    ...parser,
    write(xml) {
      parsed += xml;
      parser.write(xml);
    },
  });
  const shortcut: XmlShortcut = {
    feed: (piece, parser) => plain.feed(piece, noting(parser)),
    end: (parser) => plain.end(noting(parser)),
  };
  const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, index) =>
    bytes.subarray(index * pieceBytes, (index + 1) * pieceBytes),
  );
  const place = { file: workbook.file, part: 'sheet1.xml' };
  let ended: unknown = 'whole';
  try {
    const events = parseXml(Readable.from(pieces), place, collector, by === 'shortcut' ? { shortcut } : {});
    for await (const _ of events);
  } catch (error) {
    if (!(error instanceof SheetError)) throw error;
    ended = [error.code, error.message];
  }
  return { told: { rows: assembler.take(), notes: assembler.notes(), ended }, parsed };
}

const sheet = (rows: string) => `<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData></worksheet>`;

async function expectSame(xml: string | Uint8Array, pieceBytes: number) {
  const bytes = typeof xml === 'string' ? Buffer.from(xml) : xml;
  const { told } = await read(bytes, pieceBytes, 'shortcut');
  expect(told).toEqual((await read(bytes, bytes.length, 'parser')).told);
}

const PLAIN = [
  '<row r="1" spans="1:12" x14ac:dyDescent="0.25"><c r="A1" t="s"><v>0</v></c><c r="C1" s="1" t="n"><v>43890</v></c></row>',
  '<row r="2" hidden="false" ht="15.75"><c r="A2" t="inlineStr"><is><t>Tank &amp; &lt;tracks&gt;</t></is></c><c r="B2" s="1"/></row>',
  '<row r="4"><c r="A4" t="str"><f>A2&amp;"x"</f><v>x_x000D_y</v></c><c r="B4" t="b"><v>1</v></c><c r="C4" t="e"><v>#N/A</v></c></row>',
  '<row r="5"><c r="A5" t="inlineStr"><is><t xml:space="preserve"> Bär\n初音 </t></is></c><c r="B5"><v></v></c></row>',
  '<row r="6"></row>',
];

it('rows in the usual form are read without the parser, and have the same cells', async () => {
  const { told, parsed } = await read(Buffer.from(sheet(PLAIN.join(''))), 100, 'shortcut');
  expect(parsed).toBe(sheet(''));
  expect(told).toEqual((await read(Buffer.from(sheet(PLAIN.join(''))), 100, 'parser')).told);
  expect(told.rows.map(({ number, cells }) => [number, ...cells.slice(0, 3)])).toEqual([
    [1, 'Bear', null, { kind: 'date', date: '2020-02-29' }],
    [2, 'Tank & <tracks>'],
    [4, 'x\ry', true, { kind: 'error', text: '#N/A' }],
    [5, ' Bär\n初音 '],
    [6],
  ]);
});

/** Any other row is read by the parser, and the next one in the usual form is not. */
const OTHER = [
  '<row><c><v>1</v></c></row>',
  '<row r="3" hidden="1"><c r="A3"><v>1</v></c></row>',
  '<row r="3" r="4"><c r="A3"><v>1</v></c></row>',
  '<row r=\'3\'><c r="A3"><v>1</v></c></row>',
  '<row r="3"/><row r="9"><c r="A9"><v>1</v></c></row>',
  '<row r="3"><c r="A3"><v>1<!-- </row> --></v></c></row>',
  '<!-- </row> --><row r="3"><c r="A3"><v>1</v></c></row>',
  '<row r="3"/><!-- </row><row r="8"><c r="A8"><v>1</v></c></row> -->\n<row r="9"></row>',
  '<row r="3"><c r="A3" t="str"><v><![CDATA[</row>]]></v></c></row>',
  '<row r="3"><c r="A3" t="inlineStr"><is><r><t>a</t></r><rPh><t>no</t></rPh></is></c></row>',
  '<row r="3"><c r="A3" xmlns="urn:other"><v>1</v></c></row>',
  '<row r="3"><c r="A3" t="str"><v>&#65;</v></c></row>',
  '<row r="3"><c r="A3" t="str"><v>a\rb</v></c></row>',
  '<row r="3"><c r="A3" t="str"><v>🚗</v></c></row>',
  '<row r="3"><c r="A3"><f t="shared" si="0"/><v>1</v></c></row>',
  '<row r="3"><c r="A3"><v>1</v></c>\n</row>',
  '<row r="3"><c s="1" r="A3"><v>1</v></c></row>',
  '<row r="3"><c r="$A3"><v>1</v></c></row>',
  '<row r="3"><c r="ZZ3"><v>1</v></c><c r="XFE3"><v>1</v></c></row>',
];

it.each(OTHER)('the parser is used for %s', async (row) => {
  const xml = sheet(`${PLAIN[0]}${row}${PLAIN[2]}`);
  for (const pieceBytes of [1, 7, 64, 1000]) await expectSame(xml, pieceBytes);
  const { parsed, told } = await read(Buffer.from(xml), 1000, 'shortcut');
  if (told.ended === 'whole') expect(parsed.length).toBeLessThanOrEqual(sheet(row).length);
});

it.each([
  `<?xml version="1.1"?>${sheet(`<row r="1"><c r="A1" t="str"><v>a\u0085b</v></c></row>`)}`,
  `<x:worksheet xmlns:x="y" xmlns="z"><sheetData>${PLAIN[0]}</sheetData></x:worksheet>`,
  `<worksheet><rPh><sheetData>${PLAIN[1]}</sheetData></rPh></worksheet>`,
  `<worksheet><!-- <sheetData>${PLAIN[0]} --><sheetData>${PLAIN[1]}</sheetData></worksheet>`,
  sheet(`<x:row xmlns:x="urn:other" r="3"><row r="4"></row></x:row>${PLAIN[1]}`),
  sheet('<row r="1048577"><c r="A1"><v>1</v></c></row>'),
  sheet('<row r="1"><c r="XFE1"><v>1</v></c></row>'),
  sheet(`<row r="1"><c r="A1" t="str"><v>${'long '.repeat(40_000)}</v></c></row>${PLAIN[1]}`),
  sheet('<row r="1"><c r="A1" t="str"><v>]]></v></c></row>'),
  sheet('<row r="1"><c r="A1"></c></row>').replace('</sheetData>', ''),
])('sheet %# is read exactly as the parser reads it', async (xml) => {
  for (const pieceBytes of [1000, 100_000]) await expectSame(xml, pieceBytes);
});

it('sheets made of random parts are read exactly as the parser reads them', async () => {
  const part = fc.constantFrom(
    ...PLAIN,
    ...OTHER,
    '<row r="7">',
    '</row>',
    '<c r="A7" t="str">',
    '<v>',
    '</v>',
    '</c>',
    ' ',
    'a',
    '&amp;',
    '&',
    ']]>',
    '<!--',
    '-->',
    '<![CDATA[',
    '<sheetData>',
    '</sheetData>',
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(part, { maxLength: 12 }),
      fc.integer({ min: 1, max: 300 }),
      (parts, pieceBytes) => expectSame(sheet(parts.join('')), pieceBytes),
    ),
    { numRuns: 1_000 },
  );
});

it('damaged sheets are read exactly as the parser reads them', async () => {
  const seed = Buffer.from(sheet([...PLAIN, ...OTHER, ...PLAIN].join('')));
  const words = [
    '<',
    '>',
    '&',
    '"',
    ' ',
    '\r',
    '</row>',
    '<row r="9">',
    '<c r="B1">',
    ']]>',
    '<!--',
    'r="A1"',
    '/',
  ];
  await fc.assert(
    fc.asyncProperty(fc.nat(), fc.integer({ min: 1, max: 3000 }), (number, pieceBytes) =>
      expectSame(spoil(seed, words, numbersOf(number)), pieceBytes),
    ),
    { numRuns: 1_000 },
  );
});
