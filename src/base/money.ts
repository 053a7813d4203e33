/**
 * Exact decimal amounts, and the only place where they are rounded. A displayed amount is rounded before it is added, so
 * that a total is the sum of its lines.
 */
import { z } from 'zod';
import { Big } from 'big.js';
import { minorDigits } from './minor-digits.ts';

/** Rounds to the currency's minor unit, half away from zero; unchanged if the code is unknown. */
export function roundMoney(amount: Big, currency: string): Big {
  const digits = minorDigits(currency);
  return digits === undefined ? amount : amount.round(digits, Big.roundHalfUp);
}

/** A JSON number, rounded like `roundMoney`. */
export function roundValue(value: number, currency: string): number {
  // Nearly all values are rounded already. This check takes a tenth of the time of rounding.
  if (Math.abs(value) < 1e12 && Math.round(value * 100) / 100 === value && (minorDigits(currency) ?? 2) >= 2)
    return value;
  return roundMoney(new Big(value), currency).toNumber();
}

/** The rounded amount with all digits of the minor unit: `1234.50`. */
export function moneyText(amount: Big, currency: string): string {
  return roundMoney(amount, currency).toFixed(minorDigits(currency));
}

/**
 * `sum / count`, rounded once to the minor unit; for an unknown code, to the digits of the sum, at least 2.
 *
 * @param count above 0
 */
export function meanMoney(sum: Big, count: number, currency: string): Big {
  const Divided = Big();
  Divided.DP = minorDigits(currency) ?? Math.max(2, fractionDigits(sum));
  Divided.RM = Big.roundHalfUp;
  return new Big(new Divided(sum).div(count));
}

/** Digits after the decimal point. */
export function fractionDigits(amount: Big): number {
  return Math.max(0, amount.c.length - 1 - amount.e);
}

/** The column of estimated_value, if it shows a currency or its template names one. */
export const AmountSource = z.strictObject({
  /** 0-based column of the file. */
  index: z.number(),
  /** All columns, if a template joins several, and the separator between them. */
  joined: z.array(z.number()).exactOptional(),
  with: z.string().exactOptional(),
  header: z.string(),
  letter: z.string(),
  /** For each observed sign or code, the upper-case codes that it may stand for; at most 50. */
  seen: z.array(z.array(z.string()).readonly()),
  /** The currency of amounts without one, from the template or the header: upper-case codes, one of which applies. */
  expected: z.array(z.string()).readonly().exactOptional(),
  /** Blank cells have the amount of the last filled cell above. */
  fillDown: z.literal(true).exactOptional(),
  /**
   * Upper-case codes of amounts that were converted when they were read, and the currencies that these amounts showed.
   */
  converted: z.array(z.string()).exactOptional(),
  convertedSeen: z.array(z.string()).exactOptional(),
  /** Found by the plan: the first currency that the column shows, if it shows none of the items' currencies. */
  foreign: z.string().exactOptional(),
  /** The template's pattern, if the amount is only a part of the cell. */
  pattern: z.string().exactOptional(),
  group: z.union([z.number(), z.string()]).exactOptional(),
});
export type AmountSource = z.infer<typeof AmountSource>;
