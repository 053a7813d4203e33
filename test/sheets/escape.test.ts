import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import * as fc from '../support/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { escapeText, unescapeText } from '../../src/sheets/escape.ts';
import { openTable } from '../../src/sheets/open-table.ts';
import { createTableWriter } from '../../src/sheets/write-table.ts';
import { temporaryFolder } from '../support/open-import.ts';

it.each([
  ['=a', "'=a"],
  ['+a', "'+a"],
  ['-a', "'-a"],
  ['@a', "'@a"],
  ['\ta', "'\ta"],
  ['\ra', "'\ra"],
  ["'=a", "''=a"],
  [' =a', "' =a"],
  ['"=a', `'"=a`],
  ['＝a', "'＝a"],
  ['Car;=cmd', "Car;'=cmd"],
  ['Car,+1+1', "Car,'+1+1"],
  ['Car\t@a', "Car\t'@a"],
  ['Car|-a', "Car|'-a"],
  ['Car\n=a', "Car\n'=a"],
  ['Car; "=a"', `Car;' "=a"`],
  ['=a;=b', "'=a;'=b"],
  ['-5;=b', "'-5;'=b"],
  ["'-5", "''-5"],
  ['[1,-2]', "[1,'-2]"],
  ['\u00a0=a', "'\u00a0=a"],
])('%j is escaped', (text, escaped) => {
  expect(escapeText(text)).toBe(escaped);
  expect(unescapeText(escaped)).toBe(text);
});

it.each(['', 'Car', "'s-Hertogenbosch", "it's", 'a=b', 'Rolls-Royce; red', 'a, b', '12.5'])(
  '%j stays as it is',
  (text) => {
    expect(escapeText(text)).toBe(text);
    expect(unescapeText(text)).toBe(text);
  },
);

/** Texts of what matters here. */
const texts = fc
  .array(fc.constantFrom(...`= + - @ ' " , ; | 1 5 . % € a ＝`.split(' '), ' ', '\t', '\r', '\n', '\u00a0'), {
    maxLength: 12,
  })
  .map((parts) => parts.join(''));

it('unescaping removes only the characters that escaping adds', () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(unescapeText(escapeText(text))).toBe(text);
    }),
    { numRuns: 20_000 },
  );
});

const DELIMITERS = [',', ';', '\t', '|'];
/** What a program may see of a cell: it may trim it and drop quotes around it. */
const FORMULA = /^["\p{Zs}]*[=+@＝＋－＠-]/u;

/** As a program splits the file that knows nothing of it; an open quote is closed at the end. */
function cellsOf(written: string, delimiter: string, quote: '"' | false): string[] {
  const options = { delimiter, quote, relax_column_count: true, relax_quotes: true };
  const read = (text: string) => parse(text, { ...options, record_delimiter: ['\r\n', '\n', '\r'] }).flat();
  try {
    return read(written);
  } catch {
    return read(`${written}"`);
  }
}

describe('a table in CSV has no formula', () => {
  it.each(DELIMITERS)('with the delimiter %j, wherever the file is split', async (delimiter) => {
    const folder = await temporaryFolder();
    const file = join(folder, 'table.csv');
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(texts, texts), { minLength: 1, maxLength: 4 }),
        async ([header = ['', ''], ...rows]) => {
          const columns = header.map((text) => ({ header: text, kind: 'text' as const }));
          const writer = await createTableWriter({ file, format: 'csv', delimiter, columns });
          await writer.write(rows);
          await writer.finish();
          const written = await readFile(file, 'utf8');
          for (const split of DELIMITERS) {
            for (const quote of ['"', false] as const) {
              const cells = cellsOf(written, split, quote);
              expect(cells.filter((cell) => FORMULA.test(cell))).toEqual([]);
            }
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

it('signed numbers in a column of numbers stay numbers, in the notation of every locale', async () => {
  const numbers = [
    '-5',
    '+3.5 %',
    '-1,234.50',
    "-1'234",
    '-1\u202f234,5',
    '-€5',
    '-5,00 €',
    '-5.00\u00a0CHF',
  ];
  const texts = ["'-5", '-5+1', '-a', '-', '- 5-1', '+A1'];
  const file = join(await temporaryFolder(), 'table.csv');
  const writer = await createTableWriter({
    file,
    format: 'csv',
    delimiter: '\t',
    columns: [
      { header: '_row', kind: 'number' },
      { header: '_state', kind: 'text' },
    ],
  });
  await writer.write([...numbers, ...texts].map((text) => [text, text]));
  await writer.finish();
  const cells = parse(await readFile(file, 'utf8'), { delimiter: '\t', from: 2, quote: false });
  expect(cells.map(([number]) => number)).toEqual([...numbers, ...texts.map((text) => `'${text}`)]);
  const table = await openTable(file, { everyRow: true, headerRow: 1 });
  const read = (await Array.fromAsync(table.batches)).flat().map((row) => row.cells);
  expect(read).toEqual([...numbers, ...texts].map((text) => [text, text]));
});
