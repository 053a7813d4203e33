import * as fc from '../support/fast-check.ts';
import { stringify } from 'csv-stringify/sync';
import { expect, test } from 'vitest';
import { rowText } from '../../src/sheets/csv/row-text.ts';

const cell = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom('"', ',', ';', '\t', '\n', '\r', 'ü', ' ', 'a') }),
);

test('a row is written exactly as csv-stringify writes it', () => {
  fc.assert(
    fc.property(
      fc.array(cell, { minLength: 1, maxLength: 5 }),
      fc.constantFrom(',', ';', '\t', '|', '^', '\\', ']', '-', 'ü', '𝄞'),
      fc.constantFrom('\r\n' as const, '\n' as const),
      (cells, delimiter, lineEnd) => {
        const expected = stringify([cells], {
          delimiter,
          record_delimiter: lineEnd,
          quote_record_delimiter: true,
          quoted_empty: cells.length === 1,
        });
        const write = rowText({ delimiter, lineEnd, columns: cells.length });
        expect(write(cells)).toBe(expected);
        expect(write(cells)).toBe(expected);
      },
    ),
    { numRuns: 1000 },
  );
});
