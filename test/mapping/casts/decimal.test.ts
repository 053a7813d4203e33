import * as fc from '../../support/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { CastProblem } from '../../../src/mapping/casts/cast.ts';
import { parseDecimal } from '../../../src/mapping/casts/decimal.ts';

describe('a single cell', () => {
  test.each([
    ['15', 15, undefined],
    ['1.5', 1.5, 'point'],
    ['1,5', 1.5, 'comma'],
    ['.5', 0.5, 'point'],
    ['1,234.50', 1234.5, 'point'],
    ['1.234,50', 1234.5, 'comma'],
    ['1,23,456.50', 123456.5, 'point'],
    ["1'234.50", 1234.5, 'point'],
    ['1’234', 1234, undefined],
    ['1 234,50', 1234.5, 'comma'],
    ['1\u00a0234\u00a0567', 1234567, undefined],
    ['1.234.567', 1234567, 'comma'],
    ['1,234,567', 1234567, 'point'],
    ['0,123', 0.123, 'comma'],
    ['1234.567', 1234.567, 'point'],
    ['12,-', 12, 'comma'],
    ['12.–', 12, 'point'],
    ['1.5E+3', 1500, 'point'],
    ['0', 0, undefined],
  ])('%s is read as %d', (text, value, evidence) => {
    const parsed = parseDecimal(text);
    expect(parsed).toEqual(evidence === undefined ? { value } : { value, evidence });
  });

  test.each([
    ['1.234', { point: 1.234, comma: 1234 }],
    ['999,000', { point: 999000, comma: 999 }],
  ])('%s is ambiguous', (text, ambiguous) => {
    expect(parseDecimal(text)).toEqual({ ambiguous });
  });

  test.each([
    ['€ 12,50', 'EUR'],
    ['12,50 €', 'EUR'],
    ['EUR 12,50', 'EUR'],
    ['12.50 usd', 'USD'],
    ['US$12.50', 'USD'],
    ['Fr. 12.50', 'CHF'],
    ['£12.50', 'GBP'],
    ['Rs.12.50', 'INR'],
    ['$12.50 CAD', 'CAD'],
    ['12,50 € EUR', 'EUR'],
    ['12,50 kr', 'kr'],
  ])('%s has a currency', (text, currency) => {
    const parsed = parseDecimal(text);
    expect(parsed).toMatchObject({ value: 12.5 });
    expect(parsed instanceof CastProblem ? undefined : parsed.currency?.[0]).toBe(currency);
  });

  test.each([
    ['-5', 'negative'],
    ['−5,00', 'negative'],
    ['(5)', 'negative'],
    ['($5.00)', 'negative'],
    ['5-', 'negative'],
    ['NaN', 'not_a_number'],
    ['1e999', 'not_a_number'],
    ['Infinity', 'not_a_number'],
    ['12 apples', 'not_a_number'],
    ['1.2.3', 'not_a_number'],
    ['1,2,3', 'not_a_number'],
    ['10-20', 'not_a_number'],
    ['5.', 'not_a_number'],
    ['50%', 'not_a_number'],
    ['£5 EUR', 'not_a_number'],
    ['0x10', 'not_a_number'],
    ['12 constructor', 'not_a_number'],
    ['__proto__ 12', 'not_a_number'],
  ])('%s has the issue %s', (text, code) => {
    expect(parseDecimal(text)).toMatchObject({ code });
  });
});

test('an amount in the format of an English or German spreadsheet is read correctly, or is ambiguous', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 99_999_999 }),
      fc.constantFrom('en-GB', 'de-DE', 'de-CH', 'fr-FR'),
      fc.constantFrom(0, 2, 3),
      (cents, locale, digits) => {
        const amount = Number((cents / 100).toFixed(digits));
        const text = amount.toLocaleString(locale, {
          minimumFractionDigits: digits,
          maximumFractionDigits: digits,
        });
        const parsed = parseDecimal(text);
        if (parsed instanceof CastProblem) throw new Error(parsed.code);
        if (parsed.ambiguous === undefined) expect(parsed.value).toBe(amount);
        else expect([parsed.ambiguous.point, parsed.ambiguous.comma]).toContain(amount);
      },
    ),
  );
});

test('any text gives an amount of 0 or more, two readings, or a problem, and never throws', () => {
  const piece = fc.constantFrom(
    '1',
    '23',
    '456',
    '.',
    ',',
    ' ',
    "'",
    '-',
    '(',
    ')',
    '€',
    '$',
    'e',
    '+',
    'EUR',
    'x',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(piece, { maxLength: 9 }).map((parts) => parts.join('')),
      ),
      (text) => {
        const parsed = parseDecimal(text);
        if (parsed instanceof CastProblem) return;
        for (const value of parsed.ambiguous === undefined
          ? [parsed.value]
          : Object.values(parsed.ambiguous)) {
          expect(Number.isFinite(value) && (value ?? -1) >= 0).toBe(true);
        }
      },
    ),
    { numRuns: 2000 },
  );
});
