import { Big } from 'big.js';
import { assert, bigInt, constantFrom, nat, property } from './support/fast-check.ts';
import { expect, test } from 'vitest';
import { minorDigits } from '../src/base/minor-digits.ts';
import { fractionDigits, meanMoney, moneyText, roundMoney } from '../src/base/money.ts';

test.each([
  ['usd', '2.345', '2.35'],
  ['USD', '2.344999', '2.34'],
  ['usd', '-2.345', '-2.35'],
  ['jpy', '0.5', '1'],
  ['kwd', '1.0005', '1.001'],
  ['IQD', '1.0005', '1.001'],
  ['irr', '7.005', '7.01'],
  ['clf', '1', '1.0000'],
  ['zzz', '1.23456', '1.23456'],
  ['xau', '1.23456', '1.23456'],
  ['usd', '1e21', '1000000000000000000000.00'],
])('%s %s becomes %s', (currency, amount, text) => {
  expect(moneyText(new Big(amount), currency)).toBe(text);
});

test('a mean is rounded once, from the exact quotient', () => {
  // Rounded to 20 digits first this would be a tie, and go up.
  expect(meanMoney(new Big('0.0299999999999999999999999'), 2, 'usd').toFixed(2)).toBe('0.01');
  expect(meanMoney(new Big(10), 3, 'jpy').toFixed()).toBe('3');
  expect(meanMoney(new Big(10), 3, 'zzz').toFixed()).toBe('3.33');
});

test('amounts are rounded to the nearest minor unit, and amounts with unknown codes are not rounded', () => {
  assert(
    property(
      bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
      nat(12),
      constantFrom('usd', 'jpy', 'kwd', 'zzz'),
      (units, scale, currency) => {
        const amount = new Big(`${units}e-${scale}`);
        const rounded = roundMoney(amount, currency);
        const digits = minorDigits(currency);
        if (digits === undefined) return rounded.eq(amount);
        const off = rounded.minus(amount).abs().times(2);
        return off.lte(new Big(`1e-${digits}`)) && fractionDigits(rounded) <= digits;
      },
    ),
  );
});
