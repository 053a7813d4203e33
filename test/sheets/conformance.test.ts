/**
 * Public conformance cases: csv-spectrum by its package, and PapaParse's (tests/test-cases.js of mholt/PapaParse),
 * said again in data of our own. Where we read otherwise, the case says why.
 */
import csvSpectrum from 'csv-spectrum';
import { describe, expect, it } from 'vitest';
import type { Cell } from '../../src/sheets/cell.ts';
import { RowParser } from '../../src/sheets/csv/row-parser.ts';
import { sniff } from '../../src/sheets/csv/sniff.ts';
import { readText } from './support/files.ts';

interface Spectrum {
  name: string;
  csv: Buffer;
  json: Buffer;
}

const spectrum = await new Promise<Spectrum[]>((resolve, reject) => {
  csvSpectrum((error, items) => (error ? reject(error) : resolve(items)));
});

describe('csv-spectrum', () => {
  it.each(spectrum.map((each) => [each.name, each] as const))('%s', async (_, { csv, json }) => {
    const { table, cells } = await readText(csv);
    const objects = cells.map((row) =>
      Object.fromEntries(table.headers.map((header, column) => [header, row[column]])),
    );
    // location_coordinates has the object itself for a list of one, and another telephone number than its CSV.
    const expected = json.toString().replace('1234567890', '2095257564');
    expect(objects).toEqual([JSON.parse(expected)].flat());
  });
  it('has at least its 12 cases', () => expect(spectrum.length).toBeGreaterThanOrEqual(12));
});

/** All rows of a text, the header among them; `delimiter` where it is not to be found by looking. */
function rowsOf(text: string, delimiter?: string): Cell[][] {
  const bytes = Buffer.from(text);
  const parser = new RowParser(sniff(bytes, true, delimiter === undefined ? {} : { delimiter }));
  parser.feed({ bytes, valid: true, fileByte: 0, encoding: undefined });
  parser.finish();
  return parser.takeRows().map((row) => row.cells);
}

describe("PapaParse's cases", () => {
  it.each<[what: string, text: string, rows: string[][], delimiter?: string]>([
    ['one row', 'bear,tank,car', [['bear', 'tank', 'car']]],
    [
      'two rows',
      'a,b\nc,d',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'a line end at the end',
      'a,b\nc,d\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['space around a cell is kept', 'a,\tb ,c', [['a', '\tb ', 'c']], ','],
    ['a quoted cell', 'a,"b",c', [['a', 'b', 'c']]],
    ['space inside quotes', 'a," b  ",c', [['a', ' b  ', 'c']]],
    ['a delimiter inside quotes', 'a,"b,b",c', [['a', 'b,b', 'c']]],
    ['a line feed inside quotes', 'a,"b\nb",c', [['a', 'b\nb', 'c']]],
    ['several cells with line feeds', 'a,"b\nb","c\nc\nc"', [['a', 'b\nb', 'c\nc\nc']]],
    [
      'CR LF inside quotes',
      'a,"b\r\nb"\r\nc,d\r\n',
      [
        ['a', 'b\r\nb'],
        ['c', 'd'],
      ],
    ],
    [
      'delimiter and line feed at the end of a row',
      'a,"b,b\nb"\nc,d',
      [
        ['a', 'b,b\nb'],
        ['c', 'd'],
      ],
    ],
    ['quotes inside quotes', 'a,"b""b""b",c', [['a', 'b"b"b', 'c']]],
    ['quotes at both ends of a quoted cell', 'a,"""b""",c', [['a', '"b"', 'c']]],
    ['a quote at the end of a bare cell', 'a,12",c', [['a', '12"', 'c']]],
    ['quotes around a quoted delimiter', 'a,""",""",c', [['a', '","', 'c']]],
    ['quotes to the right of a delimiter', 'a,",""",c', [['a', ',"', 'c']]],
    ['quotes to the left of a delimiter', 'a,""",",c', [['a', '",', 'c']]],
    ['many quotes in a row', '"1","x="""",y=""""","2"', [['1', 'x="",y=""', '2']]],
    // PapaParse keeps them; people mean the text between them, and a note says so.
    ['quotes that do not touch the delimiter', 'a, "b" ,c', [['a', 'b', 'c']]],
    ['quotes in the middle of a bare cell', 'a,b "b",c', [['a', 'b "b"', 'c']]],
    [
      'a quoted cell before a delimiter',
      'a,"b",c\nd,e,f',
      [
        ['a', 'b', 'c'],
        ['d', 'e', 'f'],
      ],
    ],
    [
      '… before a line feed',
      'a,b,"c"\nd,e,f',
      [
        ['a', 'b', 'c'],
        ['d', 'e', 'f'],
      ],
    ],
    [
      '… before the end',
      'a,b,c\nd,e,"f"',
      [
        ['a', 'b', 'c'],
        ['d', 'e', 'f'],
      ],
    ],
    ['a quoted cell that is the rest of the file', 'a,"b,c\nd,e,f"', [['a', 'b,c\nd,e,f']]],
    [
      'a line that begins with quotes',
      'a,b\n"c",d',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'a line that begins with a blank cell',
      ',b,c\n"d",e,f',
      [
        ['', 'b', 'c'],
        ['d', 'e', 'f'],
      ],
    ],
    [
      'lines that end in quotes',
      'a,b\n"c","d"\n"e","f"',
      [
        ['a', 'b'],
        ['c', 'd'],
        ['e', 'f'],
      ],
    ],
    [
      'a blank cell after quotes and a line feed',
      'a,b\n,"c"\n,"d"',
      [
        ['a', 'b'],
        ['', 'c'],
        ['', 'd'],
      ],
    ],
    [
      'a blank cell after quotes and CR LF',
      'a,b\r\n,"c"\r\n,"d"',
      [
        ['a', 'b'],
        ['', 'c'],
        ['', 'd'],
      ],
    ],
    [
      'quotes within quotes at the end of a row',
      'a,"b""b"""\nc,d',
      [
        ['a', 'b"b"'],
        ['c', 'd'],
      ],
    ],
    [
      'blank quoted cells',
      'a,""\na,""',
      [
        ['a', ''],
        ['a', ''],
      ],
    ],
    [
      'blank cells in a row',
      'a,,,b\n,,c,',
      [
        ['a', '', '', 'b'],
        ['', '', 'c', ''],
      ],
    ],
    ['nothing', '', []],
    ['only a delimiter', ',', [['', '']]],
    [
      'just delimiters',
      ',,\n,,,',
      [
        ['', '', ''],
        ['', '', '', ''],
      ],
    ],
    ['only a word', 'some words', [['some words']]],
    [
      'a number sign is text, because tables of toys have columns called "#"',
      '#,name\n#1,bear',
      [
        ['#', 'name'],
        ['#1', 'bear'],
      ],
    ],
    ['a line that begins with a space', 'a\n b\nc', [['a'], [' b'], ['c']]],
    ['one column', 'a\nb\nc', [['a'], ['b'], ['c']]],
    ['blank lines count as rows, as in a spreadsheet', 'a\n\n\nb\n', [['a'], [''], [''], ['b']]],
    [
      'lone CR',
      'a,b\rc,d\re,f',
      [
        ['a', 'b'],
        ['c', 'd'],
        ['e', 'f'],
      ],
    ],
    [
      'lone CR and quotes',
      'a,"b"\rc,"d"\r',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'LF and CR LF mixed',
      'a,b\nc,d\r\ne,f\n',
      [
        ['a', 'b'],
        ['c', 'd'],
        ['e', 'f'],
      ],
    ],
    [
      'tabs',
      'a\tb\tc\nd\te\tf',
      [
        ['a', 'b', 'c'],
        ['d', 'e', 'f'],
      ],
    ],
    [
      'tabs within quotes',
      'a,"b\tc"\nd,e',
      [
        ['a', 'b\tc'],
        ['d', 'e'],
      ],
    ],
    [
      'semicolons with commas in the cells',
      'a;b,b\nc;d,d\ne;f',
      [
        ['a', 'b,b'],
        ['c', 'd,d'],
        ['e', 'f'],
      ],
    ],
    [
      'pipes',
      'a|b|c\nd|e|f',
      [
        ['a', 'b', 'c'],
        ['d', 'e', 'f'],
      ],
    ],
    ['a delimiter only within quotes', '"a,b,c"\n"d,e"\n', [['a,b,c'], ['d,e']], '|'],
    [
      'another delimiter, on request',
      'a*b*c\nd*e*f',
      [
        ['a', 'b', 'c'],
        ['d', 'e', 'f'],
      ],
      '*',
    ],
    [
      'a delimiter that is special in regular expressions',
      'a^b\nc^d',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
      '^',
    ],
    [
      'control characters as delimiters',
      'a\u001fb\nc\u001fd',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
      '\u001f',
    ],
    [
      'a delimiter beyond ASCII',
      'aüb\ncüd',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
      'ü',
    ],
    ['rows of different widths', 'a,b,c\nd\ne,f,g,h', [['a', 'b', 'c'], ['d'], ['e', 'f', 'g', 'h']]],
    [
      'letters beyond ASCII',
      'é,"ü,ß",字\n𝄞,"""𝄞""",',
      [
        ['é', 'ü,ß', '字'],
        ['𝄞', '"𝄞"', ''],
      ],
    ],
    [
      'a NUL',
      'a\0,b\nc,\0',
      [
        ['a\0', 'b'],
        ['c', '\0'],
      ],
    ],
    [
      'a backslash escapes nothing',
      'a,"b\\"\nc,d',
      [
        ['a', 'b\\'],
        ['c', 'd'],
      ],
    ],
  ])('%s', (_, text, rows, delimiter) => {
    expect(rowsOf(text, delimiter)).toEqual(rows);
  });

  // PapaParse takes the rest of the file into the cell; a spoiled row is better than a lost table.
  it.each<[what: string, text: string, rows: string[][]]>([
    [
      'a quote that is never closed',
      'a,b\n"c,d\ne,f\n',
      [
        ['a', 'b'],
        ['"c', 'd'],
        ['e', 'f'],
      ],
    ],
    [
      'text after a closing quote',
      'a,"b"c,d\ne,f,g',
      [
        ['a', '"b"c', 'd'],
        ['e', 'f', 'g'],
      ],
    ],
    [
      'a quote that is closed in the wrong place',
      'a,b,c\nd,"e,f\ng,"h",i\nj,k,l',
      [
        ['a', 'b', 'c'],
        ['d', '"e', 'f'],
        ['g', 'h', 'i'],
        ['j', 'k', 'l'],
      ],
    ],
  ])('are deliberately read differently: %s', (_, text, rows) => {
    expect(rowsOf(text)).toEqual(rows);
  });
});
