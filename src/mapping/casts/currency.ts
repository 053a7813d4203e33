/**
 * Currency signs and codes around an amount. The contract's currency is read-only, so a sign is never sent:
 * it is taken off, counted, and compared with the expected currency where a template names one.
 */

/** Folded sign → the codes that it may stand for; the first is what notes call it. */
const SIGNS: Record<string, readonly string[]> = {
  $: ['$', 'USD', 'CAD', 'AUD', 'NZD', 'HKD', 'SGD', 'MXN', 'TWD'],
  us$: ['USD'],
  ca$: ['CAD'],
  c$: ['CAD'],
  a$: ['AUD'],
  au$: ['AUD'],
  nz$: ['NZD'],
  hk$: ['HKD'],
  s$: ['SGD'],
  nt$: ['TWD'],
  mx$: ['MXN'],
  r$: ['BRL'],
  '€': ['EUR'],
  euro: ['EUR'],
  euros: ['EUR'],
  '£': ['GBP'],
  '¥': ['¥', 'JPY', 'CNY'],
  円: ['JPY'],
  元: ['CNY'],
  '₩': ['KRW'],
  '₹': ['INR'],
  rs: ['INR'],
  '₽': ['RUB'],
  '₺': ['TRY'],
  '₴': ['UAH'],
  '₪': ['ILS'],
  '₫': ['VND'],
  '฿': ['THB'],
  '₱': ['PHP'],
  kr: ['kr', 'SEK', 'NOK', 'DKK', 'ISK'],
  zł: ['PLN'],
  zl: ['PLN'],
  kč: ['CZK'],
  ft: ['HUF'],
  fr: ['CHF'],
  sfr: ['CHF'],
  dollars: ['$', 'USD', 'CAD', 'AUD', 'NZD'],
};

const CODES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** The currencies that a sign or code may mean; undefined where it is none. */
export function currencyOf(affix: string): readonly string[] | undefined {
  const sign = SIGNS[affix.toLowerCase().replace(/[. ]+/g, '')];
  if (sign !== undefined) return sign;
  const code = affix.toUpperCase();
  return CODES.has(code) ? [code] : undefined;
}
