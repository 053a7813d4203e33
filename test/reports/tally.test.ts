import { Big } from 'big.js';
import { expect, it } from 'vitest';
import { Tally } from '../../src/export/tally.ts';
import * as fc from '../support/fast-check.ts';

it('a tally adds up the decimals as they were written, without rounding', () => {
  const amount = fc.oneof(
    fc.integer({ min: -10_000_000, max: 10_000_000 }).map((cents) => cents / 100),
    fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e20, max: 1e20 }),
    fc.constantFrom(0.1, 0.2, 0.005, 1e-7, 999_999_999_999.99, 9_999_999_999_999.99, 2 ** 53, -0, 1.005),
  );
  fc.assert(
    fc.property(fc.array(amount), (values) => {
      const tally = new Tally();
      let sum = new Big(0);
      for (const value of values) {
        tally.add(value);
        sum = sum.plus(value);
      }
      expect(tally.sum.eq(sum)).toBe(true);
      expect(tally.known).toBe(values.length);
    }),
    { numRuns: 500 },
  );
});
