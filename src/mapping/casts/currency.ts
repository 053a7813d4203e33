/**
 * Currency signs and codes around an amount. The contract's currency is read-only, so signs and codes are
 * never sent: they are removed, counted, and compared with the currency in the template, if it names one.
 */
import { currencyOf } from '../../base/currency-signs.ts';
import { limits } from '../../sheets/limits.ts';

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
