import { expect, it } from 'vitest';
import { parseExactJson } from '../src/base/exact-json.ts';
import * as fc from './support/fast-check.ts';

const digits = (maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength, size: 'max' });

it('a number of any length and in any position is written as it was read', () => {
  const number = fc
    .tuple(fc.constantFrom('', '-'), digits(20), digits(20))
    .map(([sign, whole, decimals]) => `${sign}1${whole}.${decimals}1`);
  const exponent = fc
    .tuple(number, fc.integer({ min: -99, max: 99 }))
    .map(([text, power]) => `${text}e${power}`);
  const integer = digits(24).map((text) => `9${text}1`);
  fc.assert(
    fc.property(fc.string({ maxLength: 40 }), fc.oneof(number, exponent, integer), (before, text) => {
      const json = `{"before":${JSON.stringify(before)},"n":${text}}`;
      const read = JSON.stringify((parseExactJson(json) as { n: unknown }).n);
      // A number that JavaScript holds exactly may be written another way.
      if (read !== text) expect(Number(read)).toBe(Number(text));
      const significant = (of: string) =>
        of
          .replace(/e.*/, '')
          .replaceAll(/[-.]|^0+|0+$/g, '')
          .replaceAll(/^0+|0+$/g, '');
      expect(significant(read)).toBe(significant(text));
    }),
    { numRuns: 2_000 },
  );
});
