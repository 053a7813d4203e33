import { Big } from 'big.js';
import * as fc from '../../support/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { parseFormula } from '../../../src/export/layout/formula.ts';
import { ItemValues } from '../../../src/where/item-values.ts';
import { sortRows } from '../../../src/export/layout/sort-rows.ts';
import { parsePattern } from '../../../src/export/layout/text-pattern.ts';
import type { Item } from '../../../src/api/schemas.ts';
import { english } from '../../../src/messages/message.ts';

function item(fields: Record<string, unknown>): Item {
  return {
    object: 'item',
    id: '3f0e7d2a-52c1-4d56-9c39-0a6b6f9fd001',
    name: 'Falcon',
    status: 'keep',
    collection_id: '3f0e7d2a-52c1-4d56-9c39-0a6b6f9fd002',
    currency: 'usd',
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
    ...fields,
  };
}

describe('a formula', () => {
  const numbers: Record<string, string> = { a: '0.1', b: '0.2', c: '3', 'custom_fields.Paid in': '7.50' };
  const calculate = (text: string) => {
    const formula = parseFormula(text);
    if ('problem' in formula) throw new Error(english(formula.problem));
    const number = (field: string) => (numbers[field] === undefined ? undefined : new Big(numbers[field]));
    return formula.value(number)?.toFixed();
  };

  test.each([
    ['a + b', '0.3'],
    ['a + b * c', '0.7'],
    ['(a + b) * c', '0.9'],
    ['c - b - a', '2.7'],
    ['-c + 1', '-2'],
    ['c / 2 / 3', '0.5'],
    ['round(c / 7, 2)', '0.43'],
    ['round(2.5)', '3'],
    ['[custom_fields.Paid in] * 2', '15'],
    ['a / (b - b)', undefined],
    ['a * unknown', undefined],
  ])('%s is %s', (text, expected) => expect(calculate(text)).toBe(expected));

  test.each([
    ['a +', 'an operand is missing at the end'],
    ['a b', '"b" is not expected'],
    ['(a', 'a ")" is missing'],
    ['a; b', '";" is not valid in a formula'],
    ['process.exit(1)', '"(" is not expected'],
    ['round(a, 99)', 'round needs 0 to 10 digits'],
    ['', 'an operand is missing at the end'],
    ['('.repeat(5000), 'there are more than 200 parts'],
  ])('%s is refused', (text, problem) => {
    const parsed = parseFormula(text);
    expect('problem' in parsed && english(parsed.problem)).toContain(problem);
  });

  test('equals decimal arithmetic for any sum of products', () => {
    const amount = fc.integer({ min: -99_999, max: 99_999 }).map((cents) => new Big(cents).div(100));
    fc.assert(
      fc.property(fc.array(fc.tuple(amount, amount), { minLength: 1, maxLength: 8 }), (pairs) => {
        const text = pairs.map(([x, y]) => `(${x.toFixed()}) * (${y.toFixed()})`).join(' + ');
        const expected = pairs.reduce((sum, [x, y]) => sum.plus(x.times(y)), new Big(0));
        expect(calculate(text)).toBe(expected.toFixed());
      }),
    );
  });
});

describe('a text template', () => {
  const values: Record<string, string> = { name: 'Falcon', year: '1979' };
  test.each([
    ['{name} ({year})', 'Falcon (1979)'],
    ['{name}[ by {brand}][ ({year})]', 'Falcon (1979)'],
    ['{brand} {name}', 'Falcon'],
    ['\\[{name}\\] \\{x\\}', '[Falcon] {x}'],
  ])('%s becomes %s', (source, expected) => {
    const pattern = parsePattern(source);
    if ('problem' in pattern) throw new Error(english(pattern.problem));
    expect(pattern.text((field) => values[field] ?? '')).toBe(expected);
  });
  test.each(['{name', 'name}', '[a', 'a]', '[a[b]]'])('%s is refused', (source) => {
    expect(parsePattern(source)).toHaveProperty('problem');
  });
});

test('rows are sorted in memory and merged from disk in the same order', async () => {
  const values = new ItemValues(new Map());
  const row = fc.record({
    brand: fc.option(fc.constantFrom('Acme', 'acme', 'Brik 2', 'Brik 10', 'Äpfel', '7', '7.0'), {
      nil: null,
    }),
    estimated_value: fc.option(fc.integer({ min: 0, max: 5 }), { nil: null }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { maxLength: 60 }),
      fc.boolean(),
      fc.boolean(),
      async (rows, descending, asText) => {
        const items = rows.map((fields, index) => item({ ...fields, name: `n${index}` }));
        const keys = [
          { field: 'brand', descending, asText },
          { field: 'estimated_value', descending: !descending },
        ];
        const batches = async function* () {
          for (let from = 0; from < items.length; from += 7) yield items.slice(from, from + 7);
        };
        const sorted = async (runRows: number) =>
          (await Array.fromAsync(sortRows(batches(), { keys, values, runRows }))).flat();
        const inMemory = await sorted(1000);
        expect(await sorted(7)).toEqual(inMemory);
        expect(inMemory.map(({ name }) => name).sort()).toEqual(items.map(({ name }) => name).sort());
        // Blanks last; equal rows as they came.
        const blanks = inMemory.map(({ brand }) => brand === null);
        expect(blanks.lastIndexOf(false)).toBeLessThan(
          blanks.includes(true) ? blanks.indexOf(true) : Infinity,
        );
        for (const [index, each] of inMemory.entries()) {
          const before = inMemory[index - 1];
          if (before?.brand === each.brand && before?.estimated_value === each.estimated_value) {
            expect(Number(before?.name.slice(1))).toBeLessThan(Number(each.name.slice(1)));
          }
        }
      },
    ),
    { numRuns: 60 },
  );
});
