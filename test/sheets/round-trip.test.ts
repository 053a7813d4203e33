import { readFile as readUtf8, writeFile } from 'node:fs/promises';
import * as fc from '../support/fast-check.ts';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { type Cell, cellText } from '../../src/sheets/cell.ts';
import { escapeText, unescapeText } from '../../src/sheets/escape.ts';
import type { TableColumn } from '../../src/sheets/table-writer.ts';
import { createTableWriter } from '../../src/sheets/write-table.ts';
import { decodeEscapes, encodeEscapes } from '../../src/sheets/xlsx/escapes.ts';
import { newPath, readFile } from './support/files.ts';

const columns = (count: number, kind: TableColumn['kind']): TableColumn[] => [
  { header: 'Row', kind: 'text' },
  ...Array.from({ length: count }, (_, index): TableColumn => ({ header: `Column ${index + 1}`, kind })),
];

/** Texts of every kind, with those that CSV and XML find hard more often than chance has them. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({
    unit: fc.constantFrom(
      '"',
      ',',
      ';',
      '\t',
      '|',
      "'",
      '\n',
      '\r',
      ' ',
      '=',
      '<',
      '&',
      '_x0041_',
      '\0',
      'é',
      '𝄞',
    ),
  }),
);
const scalar = fc.oneof(
  text,
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.integer(),
);

function table<T>(cell: fc.Arbitrary<T>): fc.Arbitrary<T[][]> {
  return fc
    .integer({ min: 1, max: 5 })
    .chain((width) =>
      fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 8 }),
    );
}

/** The first column keeps rows apart from blank rows and from totals, which a reader leaves out by right. */
function numbered(rows: readonly Cell[][]): Cell[][] {
  return rows.map((row, index) => [`row ${index + 1}`, ...row]);
}

describe('written tables are read back unchanged', () => {
  it('from CSV, with any text and delimiter', async () => {
    await fc.assert(
      fc.asyncProperty(
        table(text),
        fc.constantFrom(',', ';', '\t', '|', ':', '^', '~', '\u001f', 'ü'),
        fc.constantFrom('\r\n' as const, '\n' as const),
        fc.boolean(),
        async (rows, delimiter, lineEnd, bom) => {
          const file = newPath('csv');
          const values = numbered(rows);
          const width = rows[0]?.length ?? 0;
          const writer = await createTableWriter({
            file,
            format: 'csv',
            columns: columns(width, 'text'),
            delimiter,
            lineEnd,
            bom,
          });
          await writer.write(values);
          await writer.finish();
          const { cells, rows: read } = await readFile(file, { delimiter, escaped: true });
          expect(cells.map((row) => row.map((cell) => cellText(cell)))).toEqual(values);
          expect(read.filter((row) => row.problem)).toEqual([]);
        },
      ),
      { numRuns: 200 },
    );
  });

  it.each<[encoding: string, characters: string]>([
    ['utf-8', 'aé€𝄞字"\n;,\t'],
    ['utf-16le', 'aé€𝄞字"\n;,\t'],
    ['utf-16be', 'aé€𝄞字"\r\n;,'],
    ['windows-1252', 'aé€ß“”ŸŠ"\r\n;,'],
    ['shift_jis', 'aミクｸ表ソ能\\"\n;,|'],
    ['windows-1251', 'aЖйё"\n;,'],
    ['gb18030', 'a变形€𝄞"\n;,'],
  ])('from CSV in %s, with any text that it can store', async (encoding, characters) => {
    const held = fc.string({ unit: fc.constantFrom(...characters) });
    await fc.assert(
      fc.asyncProperty(table(held), fc.constantFrom(',', ';', '|'), async (rows, delimiter) => {
        const file = newPath('csv');
        const values = numbered(rows);
        const columnsOf = columns(rows[0]?.length ?? 0, 'text');
        const writer = await createTableWriter({ file, format: 'csv', columns: columnsOf, delimiter });
        await writer.write(values);
        await writer.finish();
        await writeFile(file, iconv.encode(await readUtf8(file, 'utf8'), encoding));
        const { cells, rows: read } = await readFile(file, { delimiter, encoding, escaped: true });
        expect(cells.map((row) => row.map((cell) => cellText(cell)))).toEqual(values);
        expect(read.filter((row) => row.problem)).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  it('from XLSX, with any text, number and boolean', async () => {
    await fc.assert(
      fc.asyncProperty(table(scalar), async (rows) => {
        const file = newPath('xlsx');
        const values = numbered(rows);
        const writer = await createTableWriter({
          file,
          format: 'xlsx',
          columns: columns(rows[0]?.length ?? 0, 'text'),
        });
        await writer.write(values);
        await writer.finish();
        const { cells } = await readFile(file);
        // A cell of no text is a blank cell, and a workbook has no negative zero.
        const expected = values.map((row) => row.map((cell) => (cell === '' ? null : cell === 0 ? 0 : cell)));
        expect(cells).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  it('with any text, after it is escaped and unescaped', () => {
    fc.assert(
      fc.property(fc.oneof(text, fc.string({ unit: fc.anyCodePoint })), (value) => {
        expect(unescapeText(escapeText(value))).toBe(value);
        expect(decodeEscapes(encodeEscapes(value))).toBe(value);
      }),
    );
  });
});
