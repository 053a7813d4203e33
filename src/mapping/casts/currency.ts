/**
 * Currency signs and codes around an amount. The contract's currency is read-only, so signs and codes are
 * never sent: they are removed, counted, and compared with the currency in the template, if it names one.
 */
import { limits } from '../../sheets/limits.ts';

/** Lower-case sign → the codes that it can stand for. Notes use the first. */
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

/** The currencies that a sign or code can mean; undefined if it is neither. */
export function currencyOf(affix: string): readonly string[] | undefined {
  const sign = SIGNS[affix.toLowerCase().replace(/[. ]+/g, '')];
  if (sign !== undefined) return sign;
  const code = affix.toUpperCase();
  return CODES.has(code) ? [code] : undefined;
}

/** Codes that are not ordinary words: other codes, such as ALL and TOP, count only in brackets. */
const CODE_WORD =
  /^(?:USD|EUR|GBP|CHF|CAD|AUD|NZD|JPY|CNY|HKD|SGD|TWD|KRW|INR|SEK|NOK|DKK|PLN|CZK|HUF|BRL|MXN|RUB|UAH|ZAR|euros?|\p{Sc})$/iu;

/**
 * The currency codes that a header gives for its amounts: `Price (EUR)`, `Wert in €`, `price_usd`; undefined if it
 * gives none.
 */
export function currencyOfHeader(header: string): readonly string[] | undefined {
  if (header.length > limits.wordCharacters) return undefined;
  const [, bracketed] = /[([]\s*(?:in\s+)?([^)\]]{1,5}?)\s*[)\]]\s*$/u.exec(header) ?? [];
  const inBrackets = bracketed === undefined ? undefined : currencyOf(bracketed);
  return inBrackets ?? currencyOf(currencyWord(header) ?? '');
}

function currencyWord(header: string): string | undefined {
  return header.match(/\p{Sc}|\p{L}+/gu)?.find((part) => CODE_WORD.test(part));
}

/** The header without the currency that it gives: `price` of `price_usd`, `Wert` of `Wert in €`. */
export function withoutCurrency(header: string): string {
  return header.replace(currencyWord(header) ?? '', '').replace(/\bin\s*$/iu, '');
}

/**
 * The code whose rate converts an amount: a sign of several currencies stands for the commonest one, so a rate for CAD
 * does not apply to `$`.
 */
export function rateCode(codes: readonly string[]): string | undefined {
  return codes.find((code) => /^[A-Z]{3}$/.test(code));
}

/** Whether a text is a rate, such as `0.92`. */
export function isRate(text: string): boolean {
  return /^\d+(\.\d+)?$/.test(text) && Number(text) > 0;
}
