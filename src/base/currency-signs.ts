/** What stands for a currency beside an amount: in a text, and in the number format of a cell. */

/** Lower-case sign → the codes that it can stand for. Notes use the first. */
const SIGNS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
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
  }),
);

const CODES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** The currencies that a sign or code can mean; undefined if it is neither. */
export function currencyOf(affix: string): readonly string[] | undefined {
  const sign = SIGNS.get(affix.toLowerCase().replace(/[. ]+/g, ''));
  if (sign !== undefined) return sign;
  const code = affix.toUpperCase();
  return CODES.has(code) ? [code] : undefined;
}
