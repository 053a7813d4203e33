import { message } from '../../../src/messages/message.ts';
import * as fc from '../../support/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { AmountColumn, exactAmountCast } from '../../../src/mapping/casts/amount.ts';
import { BLANK, CastProblem } from '../../../src/mapping/casts/cast.ts';
import { NUMBER_ALONE } from '../../../src/mapping/issue-actions.ts';
import { mapOne, valuesOf } from '../helpers.ts';

const options = { isBlankWord: (text: string) => text === 'n/a' };
const codeOf = (value: unknown) => (value instanceof CastProblem ? value.code : value);

describe('the decimal mark of a column', () => {
  test('is determined after the whole column is read, and then applied to every ambiguous cell', () => {
    const column = new AmountColumn(options);
    expect(codeOf(column.cast('12,50', '12,50'))).toBe(12.5);
    expect(codeOf(column.cast('1.234', '1.234'))).toBe('ambiguous_number');
    expect(column.resolve()).toBe(true);
    expect(column.cast('1.234', '1.234')).toBe(1234);
    expect(column.decided()).toBe('comma');
  });

  test('stays unknown if there is evidence for both marks, as the message says', () => {
    const column = new AmountColumn(options);
    for (const text of ['1,5', '1.5', '1.234']) column.cast(text, text);
    expect(column.resolve()).toBe(false);
    expect(column.cast('1.234', '1.234')).toMatchObject({
      code: 'ambiguous_number',
      what: message('two_readings_disputed', { text: '1.234', point: '1.234', comma: '1234' }),
    });
  });

  test('stays unknown without evidence', () => {
    const column = new AmountColumn(options);
    for (const text of ['15', '1.234']) column.cast(text, text);
    expect(column.resolve()).toBe(false);
    expect(codeOf(column.cast('1.234', '1.234'))).toBe('ambiguous_number');
  });

  test('can be specified; unambiguous cells are read as they are', () => {
    const column = new AmountColumn({ ...options, style: 'point' });
    expect(column.cast('1,234', '1,234')).toBe(1234);
    expect(column.cast('1.234', '1.234')).toBe(1.234);
    expect(column.cast('1,5', '1,5')).toBe(1.5);
  });

  test('does not depend on the order of rows', () => {
    const cell = fc.constantFrom('15', '1.5', '1,5', '1.234', '1,234', '1.234,5', '2,000.5', 'n/a', 'x');
    fc.assert(
      fc.property(fc.array(cell, { maxLength: 12 }), fc.integer({ min: 0, max: 11 }), (cells, turn) => {
        const outcome = (order: string[]) => {
          const column = new AmountColumn(options);
          const first = new Map(order.map((text) => [text, codeOf(column.cast(text, text))]));
          const again = column.resolve();
          return cells.map((text) => {
            const before = first.get(text);
            return again && before === 'ambiguous_number' ? codeOf(column.cast(text, text)) : before;
          });
        };
        expect(outcome([...cells.slice(turn), ...cells.slice(0, turn)])).toEqual(outcome(cells));
      }),
    );
  });
});

test('the pattern that is advised for numbers beside other currencies finds each number as a whole', () => {
  const template = {
    name: 't',
    columns: { name: 'Name', estimated_value: { from: 'Price', pattern: NUMBER_ALONE } },
  };
  const prices = [
    ['Fr. 12.50', 12.5],
    ["CHF 1'234.50", 1234.5],
    ['1 234,50 €', 1234.5],
    ['1\u202f234,50\u00a0€', 1234.5],
    ['Rs.500', 500],
    ['$.50', 0.5],
    ['12.- Fr.', 12],
    ['20 €', 20],
  ] as const;
  for (const [price, value] of prices)
    expect([price, valuesOf(mapOne({ Name: 'a', Price: price }, { template }))['estimated_value']]).toEqual([
      price,
      value,
    ]);
});

test('number cells are never ambiguous, and -0 is read as 0', () => {
  const column = new AmountColumn(options);
  expect(column.cast('1.234', 1.234)).toBe(1.234);
  expect(Object.is(column.cast('0', -0), 0)).toBe(true);
  expect(codeOf(column.cast('-1', -1))).toBe('negative');
  expect(codeOf(column.cast('NaN', Number.NaN))).toBe('not_a_number');
  expect(codeOf(column.cast('true', true))).toBe('not_a_number');
  expect(column.cast('n/a', 'n/a')).toBe(BLANK);
});

test('each currency of a column is recorded once, and one other than the expected currency is an issue', () => {
  const column = new AmountColumn({ ...options, currency: ['EUR'] });
  expect(column.cast('5 €', '5 €')).toBe(5);
  expect(codeOf(column.cast('$5', '$5'))).toBe('wrong_currency');
  column.resolve();
  column.cast('5 €', '5 €');
  expect(column.currencies()).toEqual({ count: 1, text: 'EUR' });
});

test('amounts in exports are read without thousands separators and without guessing', () => {
  const cast = exactAmountCast('point');
  expect(cast('1.234', '1.234')).toBe(1.234);
  expect(codeOf(cast('1,234', '1,234'))).toBe('not_a_number');
  expect(exactAmountCast('comma')('1,234', '1,234')).toBe(1.234);
});
