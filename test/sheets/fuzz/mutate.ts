/** Spoiled files from good ones: the same number always gives the same file. */
import iconv from 'iconv-lite';
import { MAIN, makeBook, makeZip } from '../support/make-book.ts';

export type FuzzKind = 'csv' | 'xlsx';

/** A small generator of numbers (mulberry32), so that a file can be made again from its number. */
function generator(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

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

/** The file of this kind and number. */
export function mutated(kind: FuzzKind, number: number): Buffer {
  const random = generator(number * 2654435761 + (kind === 'csv' ? 1 : 2));
  if (kind === 'csv') return spoil(CSV_SEEDS[random(CSV_SEEDS.length)] ?? Buffer.alloc(0), CSV_WORDS, random);
  // Half of them in the XML, where the zip stays whole, and half in the bytes of the zip.
  if (random(2) === 0) return spoil(makeBook(BOOK), ['PK', '\0\0\0\0', 'xl/', '\xff\xff\xff\xff'], random);
  const part = PARTS[random(PARTS.length)] ?? 'sheets';
  const spoiled = spoil(Buffer.from(BOOK[part]), XML_WORDS, random).toString();
  return random(20) === 0 ? makeZip({ 'xl/workbook.xml': spoiled }) : makeBook({ ...BOOK, [part]: spoiled });
}

function spoil(seed: Buffer, words: readonly string[], random: (below: number) => number): Buffer {
  let bytes = Buffer.from(seed);
  for (let times = 1 + random(6); times > 0 && bytes.length > 0; times -= 1) {
    const at = random(bytes.length);
    const to = Math.min(bytes.length, at + 1 + random(40));
    const before = bytes.subarray(0, at);
    const after = bytes.subarray(at);
    switch (random(7)) {
      case 0:
        bytes[at] = random(256);
        break;
      case 1:
        bytes = Buffer.concat([before, bytes.subarray(to)]);
        break;
      case 2:
        bytes = Buffer.concat([before, Buffer.from(words[random(words.length)] ?? ''), after]);
        break;
      case 3:
        bytes = Buffer.concat([
          before,
          ...Array.from({ length: 1 + random(50) }, () => bytes.subarray(at, to)),
          after,
        ]);
        break;
      case 4:
        bytes = Buffer.from(before);
        break;
      case 5:
        bytes = Buffer.concat([after, before]);
        break;
      default:
        bytes = Buffer.concat([
          before,
          Buffer.from(Array.from({ length: random(30) }, () => random(256))),
          after,
        ]);
    }
  }
  return bytes;
}
