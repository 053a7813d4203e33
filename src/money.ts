/**
 * Amounts as exact decimals, and the one place where they are rounded (design §8: by ISO 4217, once, at the end).
 *
 * The digits are ISO 4217's own table and not Intl's, which follows CLDR: there IQD, IRR, LBP or AFN have no
 * fraction, because nobody pays with it, while the standard gives them 3 and 2.
 */
import { Big } from 'big.js';

/** ISO 4217 list one without entries whose minor unit is "N.A." (metals, funds, testing). */
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

/** Digits of the currency's minor unit; undefined for a code that ISO 4217 does not give any. Either case. */
export function minorDigits(currency: string): number | undefined {
  return DIGITS.get(currency.toUpperCase());
}

/** The amount rounded to the currency's minor unit, half away from zero; as it is where the code is unknown. */
export function roundMoney(amount: Big, currency: string): Big {
  const digits = minorDigits(currency);
  return digits === undefined ? amount : amount.round(digits, Big.roundHalfUp);
}

/** The rounded amount in plain digits, with all digits of the minor unit: `1234.50`. */
export function moneyText(amount: Big, currency: string): string {
  return roundMoney(amount, currency).toFixed(minorDigits(currency));
}

/**
 * `sum / count`, rounded once to the minor unit. Of an unknown code to as many digits as the sum has, 2 at least.
 * @param count above 0
 */
export function meanMoney(sum: Big, count: number, currency: string): Big {
  const Divided = Big();
  Divided.DP = minorDigits(currency) ?? Math.max(2, fractionDigits(sum));
  Divided.RM = Big.roundHalfUp;
  return new Big(new Divided(sum).div(count));
}

/** Digits behind the point. */
export function fractionDigits(amount: Big): number {
  return Math.max(0, amount.c.length - 1 - amount.e);
}

/** The column of estimated_value, where it shows a currency or its template names one. */
export interface AmountSource {
  /** 0-based column of the file. */
  index: number;
  /** All columns, where a template joins several, and what it puts between them. */
  joined?: number[];
  with?: string;
  header: string;
  letter: string;
  /** For each sign or code that was seen, the upper-case codes that it may stand for; at most 50. */
  seen: (readonly string[])[];
  /** Upper-case code that the template says the amounts are in. */
  expected?: string;
  /** The template's pattern, where the amount is only a part of the cell. */
  pattern?: string;
  group?: number | string;
}
