/** Approximate cells: what is read, and that it is never more than what stands there. */
import * as fc from '../../support/fast-check.ts';
import { expect, test } from 'vitest';
import {
  approximateAmount,
  approximateCount,
  approximateYear,
  Approximations,
} from '../../../src/mapping/casts/approximate.ts';
import { AmountColumn } from '../../../src/mapping/casts/amount.ts';
import { CastProblem } from '../../../src/mapping/casts/cast.ts';
import { currencyReader } from '../../../src/mapping/casts/read-currency.ts';
import { parseDecimal } from '../../../src/mapping/casts/decimal.ts';
import { mapOne, valuesOf } from '../helpers.ts';

test.each([
  ['ca. 20 €', 20],
  ['c. 20', 20],
  ['~20', 20],
  ['≈ $20', 20],
  ['VB 50', 50],
  ['50 € VHB', 50],
  ['50,- VB', 50],
  ['VB: 50', 50],
  ['ca. 50 VB', 50],
  ['$50 OBO', 50],
  ['50 (?)', 50],
  ['50?', 50],
  ['20+', 20],
  ['20 €+', 20],
  ['ab 20 €', 20],
  ['from $12.50', 12.5],
  ['environ 30 €', 30],
  ['à partir de 30 €', 30],
  ['alrededor de 15', 15],
  ['ongeveer 15', 15],
])('%s is read as %d', (text, value) => {
  expect(approximateAmount(text)).toMatchObject({ amount: { value }, isRange: false });
});

test.each([
  ['20-25', 20],
  ['20 – 25 €', 20],
  ['$20-$25', 20],
  ['20 bis 25 EUR', 20],
  ['20 to 25', 20],
  ['20 à 25 €', 20],
  ['ca. 20-25', 20],
  ['20,- - 25,- €', 20],
  ['12,50-15', 12.5],
])('the range %s is read as its lower end %d', (text, value) => {
  expect(approximateAmount(text)).toMatchObject({ amount: { value }, isRange: true });
});

test.each([
  '25-20',
  '-20-25',
  '2020-05-01',
  'up to 20',
  'max. 20',
  '< 20',
  '1/64',
  '20 € - $25',
  'ca.',
  'VB',
  'none',
  '20 30',
])('%s is not an amount', (text) => {
  expect(approximateAmount(text)).toBeUndefined();
});

test.each([
  ['1 Stk.', 1],
  ['2x', 2],
  ['x2', 2],
  ['2 ×', 2],
  ['3 pcs', 3],
  ['ca. 3 Stück', 3],
  ['~4', 4],
  ['2-3', 2],
  ['2 pezzi', 2],
  ['2 stuks', 2],
])('%s is read as a quantity of %d', (text, count) => {
  expect(approximateCount(text)).toMatchObject({ count });
});

test.each(['2 €', '1.5', '2x4', 'x', 'Stk.'])('%s is not a quantity', (text) => {
  expect(approximateCount(text)).toBeUndefined();
});

test.each([
  ['c. 1975', 1975],
  ['c1975', 1975],
  ['~1975', 1975],
  ['um 1975', 1975],
  ['1975 (?)', 1975],
  ['[1975]', 1975],
  ['[1975?]', 1975],
  ['1985/86', 1985],
  ['1985-1987', 1985],
  ['1985 – 87', 1985],
  ['1985 bis 1987', 1985],
  ['1960er', 1960],
  ['1970s', 1970],
  ["1970's", 1970],
  ['late 1970s', 1970],
  ['Ende 1970er Jahre', 1970],
  ['années 1970', 1970],
  ['197x', 1970],
  ['201X/2020', 2010],
  ['1964-1964', 1964],
  ['197?', 1970],
  ['ca. 1970er', 1970],
])('%s is read as the year %d', (text, year) => {
  expect(approximateYear(text)).toMatchObject({ year });
});

test.each(['1985', '70er', '1987/86', '1700-1985', 'before 1980', 'vor 1980', '1975 x', 'c. 75'])(
  '%s is not a year',
  (text) => {
    expect(approximateYear(text)).toBeUndefined();
  },
);

const amount = fc.integer({ min: 0, max: 999 });
const around = fc.constantFrom('ca. ', '~', 'VB ', 'approx. ', 'ab ', 'etwa ', '');
const after = fc.constantFrom('', ' VB', ' VHB', ' €', ' OBO', '?', '+', ' € VB');
const between = fc.constantFrom('-', ' - ', '–', ' bis ', ' to ');

test('an approximate amount is never larger than any number in its cell', () => {
  fc.assert(
    fc.property(around, amount, fc.option(fc.tuple(between, amount)), after, (front, low, range, back) => {
      const text = `${front}${low}${range === null ? '' : range.join('')}${back}`;
      const value = approximateAmount(text)?.amount.value;
      const numbers = (text.match(/\d+/g) ?? []).map(Number);
      if (value !== undefined) expect(value).toBeLessThanOrEqual(Math.min(...numbers));
      const year = approximateYear(text)?.year;
      if (year !== undefined) expect(year).toBeLessThanOrEqual(Number(/\d{4}/.exec(text)?.[0] ?? `${low}0`));
      const count = approximateCount(text)?.count;
      if (count !== undefined) expect(count).toBeLessThanOrEqual(Math.min(...numbers));
    }),
  );
});

test('any text is read without a crash, and the approximate option does not change exact amounts', () => {
  const cell = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 70 }),
    fc.string({ unit: fc.constantFrom(...'0123456789 -–.,€$~?+xca/'), maxLength: 20 }),
  );
  fc.assert(
    fc.property(cell, (text) => {
      const columns = { name: 'n', Price: text, Year: text };
      const strict = mapOne(columns, { template: { name: 't', columns: {} } });
      const lenient = mapOne(columns, {
        template: {
          name: 't',
          columns: {
            estimated_value: { from: 'Price', approximate: 'read' },
            release_year: { from: 'Year', approximate: 'read' },
          },
        },
      });
      expect(valuesOf(lenient)).toMatchObject(valuesOf(strict));
      const read = approximateAmount(text)?.amount.value;
      if (read !== undefined && !(parseDecimal(text) instanceof CastProblem)) {
        expect(read).toBe(valuesOf(lenient)['estimated_value'] ?? read);
      }
      for (const value of Object.values(valuesOf(lenient))) {
        if (typeof value === 'number') expect(value).toBeGreaterThanOrEqual(0);
      }
    }),
  );
});

test('the currency of an amount is checked, in whatever form the amount is written', () => {
  const read = currencyReader();
  const sign = fc.constantFrom('€', 'EUR', '£', 'CAD', 'kr', 'zł');
  const cents = fc.integer({ min: 0, max: 99_999 });
  fc.assert(
    fc.property(cents, sign, fc.boolean(), (amount, unit, isBefore) => {
      const whole = `${Math.floor(amount / 100)}`;
      const number = `${whole},${String(amount % 100).padStart(2, '0')}`;
      const text = (digits: string) => (isBefore ? `${unit} ${digits}` : `${digits} ${unit}`);
      const exact = text(number);
      const codes = read(exact);
      expect(codes).not.toEqual([]);
      const forms = [
        `ca. ${exact}`,
        `~${exact}`,
        `VB ${exact}`,
        `${exact} VHB`,
        `ab ${exact}`,
        `${exact}?`,
        `${exact} - ${exact}`,
        `${number}-${exact}`,
        text(`${whole},-`),
      ];
      for (const form of forms) {
        const column = new AmountColumn({
          currency: ['USD'],
          approximate: new Approximations(),
          isBlankWord: () => false,
        });
        expect(read(form), form).toEqual(codes);
        expect(column.cast(form, form), form).toMatchObject({ code: 'wrong_currency' });
      }
    }),
  );
});

test('a cell without an amount to check is never read as a number', () => {
  const read = currencyReader();
  const front = fc.constantFrom('', 'ca. ', '~', 'VB ', '€ ', 'ca. $', '-', '>');
  const number = fc.constantFrom('20', '12,50', '1.234', '7,-', '0.5');
  const range = fc.constantFrom('', '-25', ' bis 2000', ' - $25', '€-30', ' 30');
  const back = fc.constantFrom('', ' €', ' USD', '?', '+', ' EUR VB', ' zł', ' x');
  fc.assert(
    fc.property(front, number, range, back, (...parts) => {
      const text = parts.join('');
      const approximate = new Approximations();
      const column = new AmountColumn({ approximate, isBlankWord: () => false });
      if (typeof column.cast(text, text) === 'number') expect(read(text), text).toBeDefined();
      if (column.currencies() !== undefined) expect(read(text), text).toEqual(column.currencyCodes()[0]);
    }),
  );
});
