import { expect, it } from 'vitest';
import { plainCells } from '../../src/sheets/csv/plain-line.ts';
import { RowParser } from '../../src/sheets/csv/row-parser.ts';
import * as fc from '../support/fast-check.ts';

const dialect = { delimiter: ',', quote: '"' } as const;

it.each<[line: string, cells: string[] | undefined]>([
  ['', ['']],
  ['a,b', ['a', 'b']],
  [',', ['', '']],
  ['"a, b",c', ['a, b', 'c']],
  ['a,"",c', ['a', '', 'c']],
  ['a,"b"', ['a', 'b']],
  ['"a",', ['a', '']],
  ['"a ""b"" c",d', undefined],
  ['a,"b', undefined],
  ['a,"b"c', undefined],
  ['a,b"c"', undefined],
  ['a, "b"', undefined],
  ['a\rb,c', undefined],
])('the line %j is split into its cells', (line, cells) => expect(plainCells(line, dialect)).toEqual(cells));

const sniffed = {
  ...dialect,
  encoding: 'utf-8' as const,
  bomBytes: 0,
  sure: true,
  ascii: false,
  lineEnds: ['\r\n', '\n'],
  separatorLine: false,
  width: 2,
};

/** What is read below the header, which decides whether csv-parse reads everything. */
function read(header: string, body: Buffer, pieceBytes: number) {
  const bytes = Buffer.concat([Buffer.from(header), body]);
  const parser = new RowParser(sniffed);
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    const piece = bytes.subarray(at, at + pieceBytes);
    parser.feed({ bytes: piece, valid: true, fileByte: at, encoding: undefined });
  }
  parser.finish();
  const rows = parser.takeRows().map((row) => ({ ...row, problem: row.problem?.code }));
  return { rows: rows.slice(1), odd: parser.oddQuotes, end: parser.position.line };
}

it('plain rows are read the same with and without csv-parse', () => {
  const part = fc.constantFrom(
    'a',
    'some words',
    ',',
    ',',
    '\n',
    '\n',
    '\r\n',
    '\r',
    '"',
    '""',
    '","',
    '"x,y"',
    ' ',
    'é',
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 60 }), fc.integer({ min: 1, max: 80 }), (parts, pieceBytes) => {
      const body = Buffer.from(parts.join(''));
      expect(read('name,year\n', body, pieceBytes)).toEqual(read('"na""me",year\n', body, 1_000));
    }),
    { numRuns: 2_000 },
  );
});
