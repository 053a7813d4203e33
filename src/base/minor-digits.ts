/**
 * The minor units of currencies (design §8: by ISO 4217).
 *
 * The digits come from ISO 4217 and not from Intl, which follows CLDR: CLDR gives IQD, IRR, LBP and AFN no decimals,
 * because payments do not use them, while the standard gives them 3 or 2 digits.
 */

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
