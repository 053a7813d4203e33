import { expect, it } from 'vitest';
import { Big } from 'big.js';
import { ValueTotals } from '../../src/export/write/value-totals.ts';
import * as fc from '../support/fast-check.ts';

const value = fc.oneof(
  fc.integer({ min: 0, max: 10 ** 9 }).map((cents) => cents / 100),
  fc.double({ min: 0, max: 1e300, noNaN: true }),
);

it('values are added exactly, each currency separately', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(value, fc.constantFrom('usd', 'EUR', 'eur', 'jpy'))), (items) => {
      const totals = new ValueTotals();
      const expected: Record<string, Big> = {};
      for (const [amount, currency] of items) {
        totals.add(amount, currency);
        const code = currency.toLowerCase();
        expected[code] = (expected[code] ?? new Big(0)).plus(String(amount));
      }
      const found = Object.fromEntries([...totals.totals()].map(([code, sum]) => [code, sum.toFixed()]));
      expect(found).toEqual(
        Object.fromEntries(Object.entries(expected).map(([code, sum]) => [code, sum.toFixed()])),
      );
    }),
  );
});
