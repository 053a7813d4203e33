/**
 * Exact decimal amounts, and the only place where they are rounded (design §8: by ISO 4217). A displayed amount is
 * rounded before it is added, so that a total is the sum of its lines.
 *
 * The digits come from ISO 4217 and not from Intl, which follows CLDR: CLDR gives IQD, IRR, LBP and AFN no decimals,
 * because payments do not use them, while the standard gives them 3 or 2 digits.
 */
import { z } from 'zod';
import { Big } from 'big.js';

/** ISO 4217 list one, without entries whose minor unit is "N.A." (metals, funds, testing). */
const TWO_DIGITS =
  'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE ' +
  'CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL ' +
  'HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR ' +
  'MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK ' +
  'SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD ' +
  'XCG YER ZAR ZMW ZWG';
const DIGITS: ReadonlyMap<string, number> = new Map([
  ...of(TWO_DIGITS, 2),
  ...of('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF', 0),
  ...of('BHD IQD JOD KWD LYD OMR TND', 3),
  ...of('CLF UYW', 4),
]);

function of(codes: string, digits: number): [string, number][] {
  return codes.split(' ').map((code) => [code, digits]);
}

/** Digits of the currency's minor unit; undefined if ISO 4217 lists none. Case does not matter. */
export function minorDigits(currency: string): number | undefined {
  return DIGITS.get(currency.toUpperCase());
}

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
