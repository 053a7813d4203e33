/**
 * Amounts as people write them, with either decimal mark. A single cell is certain (`1.5`, `1.234,50`, `1'234`, `15`)
 * or ambiguous (`1.234`, `1,234`: thousands, or three decimals?). The column decides about ambiguous cells (amount.ts);
 * this file reads one cell.
 */
import { currencyOf } from '../../base/currency-signs.ts';
import { message } from '../../messages/message.ts';
import { limits } from '../../sheets/limits.ts';
import { CastProblem, cut } from './cast.ts';

export type DecimalStyle = 'point' | 'comma';

export interface ParsedDecimal {
  /** The value; undefined if the cell is ambiguous. */
  value?: number;
  /** Both readings of an ambiguous cell. */
  ambiguous?: Record<DecimalStyle, number>;
  /** The decimal mark that the cell proves, if it proves one. */
  evidence?: DecimalStyle;
  /** The codes that the sign beside the number can mean; absent if there is no sign. */
  currency?: readonly string[];
}

const EXPECTED = message('want_amount', {});
const DIGITS = String.raw`\d+`;
/** Groups of three digits, or of two before a last group of three (1,23,456). */
const GROUPED = { point: /^\d{1,3}(?:,\d{2,3})*,\d{3}$/, comma: /^\d{1,3}(?:\.\d{2,3})*\.\d{3}$/ };
const AFFIXES = new RegExp(String.raw`^([^\d.,]*)([.,]?\d[\d.,'’\s]*(?:e[+-]?${DIGITS})?)([^\d]*)$`, 'i');

/**
 * Reads one amount. Never throws; anything but an amount of 0 or more is a problem.
 *
 * @param signed true to accept amounts below 0, too: `-1.50`, `(1.50)`
 */
export function parseDecimal(text: string, signed = false): ParsedDecimal | CastProblem {
  if (text.length > limits.wordCharacters) return notANumber(text);
  const plain = text
    // Prices without cents are written `12,-` or `12.–`.
    .replace(/([.,])[-–—]{1,2}(?=\D*$)/, '$100')
    // The point in `Fr. 12` and `Rs.12` belongs to the currency.
    .replace(/^([A-Za-z]{2,3})\.\s*(?=\d)/, '$1 ');
  const match = AFFIXES.exec(plain);
  if (match === null) return notANumber(text);
  const [, before = '', body = '', after = ''] = match;
  const currency = readAffixes(before, after);
  if (currency === undefined) return notANumber(text);
  if (currency.negative && !signed) {
    return new CastProblem('negative', message('below_zero', { text: cut(text) }), EXPECTED);
  }
  const parsed = parseBody(body.trim());
  if (parsed === undefined) return notANumber(text);
  if (parsed.value !== undefined && !Number.isFinite(parsed.value)) return notANumber(text);
  if (currency.negative) negate(parsed);
  return currency.codes === undefined ? parsed : { ...parsed, currency: currency.codes };
}

function negate(parsed: ParsedDecimal): void {
  if (parsed.value !== undefined) parsed.value = -parsed.value;
  const { ambiguous } = parsed;
  if (ambiguous !== undefined) parsed.ambiguous = { point: -ambiguous.point, comma: -ambiguous.comma };
}

function notANumber(text: string): CastProblem {
  return new CastProblem('not_a_number', message('no_amount', { text: cut(text) }), EXPECTED);
}

/** Reads sign, brackets and currency on both sides; undefined if there is anything else. */
function readAffixes(before: string, after: string) {
  let left = before.trim();
  let right = after.trim();
  let negative = false;
  if (left.startsWith('(') && right.endsWith(')')) {
    negative = true;
    left = left.slice(1).trim();
    right = right.slice(0, -1).trim();
  }
  const minus = /[-−–]/;
  if (minus.test(left) || /^[-−–]$/.test(right)) {
    negative = true;
    left = left.replace(minus, '').trim();
    right = right.replace(minus, '').trim();
  }
  left = left.replace('+', '').trim();
  const affixes = [left, right].filter((affix) => affix !== '');
  if (affixes.length === 0) return { negative };
  const codes = codesBeside(affixes);
  return codes === undefined ? undefined : { negative, codes };
}

/**
 * The codes that all texts beside an amount have in common, as in `$ 12 USD` and `12 € EUR`; undefined if there are none,
 * or if one of them is no currency.
 */
export function codesBeside(affixes: readonly string[]): readonly string[] | undefined {
  const each = affixes.flatMap((affix) => {
    const whole = currencyOf(affix);
    return whole === undefined ? affix.split(/\s+/).map(currencyOf) : [whole];
  });
  const codes = each.reduce((common, some) => common?.filter((code) => some?.includes(code)));
  return codes?.length === 0 ? undefined : codes;
}

/** Reads digits with separators. */
function parseBody(body: string): ParsedDecimal | undefined {
  const exponent = /^(\d+)(?:([.,])(\d+))?e([+-]?\d+)$/i.exec(body);
  if (exponent !== null) {
    const [, whole = '', separator, decimals = '0', power = '0'] = exponent;
    const value = Number(`${whole}.${decimals}e${power}`);
    return separator === undefined ? { value } : { value, evidence: styleOf(separator) };
  }
  if (/e/i.test(body)) return undefined;
  if (/['’\s]/.test(body)) return parseGroupedBySpace(body);
  const points = body.split('.').length - 1;
  const commas = body.split(',').length - 1;
  if (points === 0 && commas === 0) return { value: Number(body) };
  if (points > 0 && commas > 0) {
    const style: DecimalStyle = body.lastIndexOf('.') > body.lastIndexOf(',') ? 'point' : 'comma';
    const mark = style === 'point' ? '.' : ',';
    const cutAt = body.lastIndexOf(mark);
    const whole = body.slice(0, cutAt);
    const decimals = body.slice(cutAt + 1);
    if (!GROUPED[style].test(whole) || !/^\d+$/.test(decimals)) return undefined;
    return { value: Number(`${whole.replace(/[.,]/g, '')}.${decimals}`), evidence: style };
  }
  const mark = points > 0 ? '.' : ',';
  const own = styleOf(mark);
  const other: DecimalStyle = own === 'point' ? 'comma' : 'point';
  if (points + commas > 1) {
    if (!GROUPED[other].test(body)) return undefined;
    return { value: Number(body.replaceAll(mark, '')), evidence: other };
  }
  const [whole = '', decimals = ''] = body.split(mark);
  if (decimals === '') return undefined;
  const asDecimal = Number(`${whole}.${decimals}`);
  // 0.123 and 1234.567 are never meant as thousands.
  const mayBeGroup = decimals.length === 3 && /^[1-9]\d{0,2}$/.test(whole);
  if (!mayBeGroup) return { value: asDecimal, evidence: own };
  const asGroup = Number(whole + decimals);
  return {
    ambiguous: own === 'point' ? { point: asDecimal, comma: asGroup } : { point: asGroup, comma: asDecimal },
  };
}

/** If spaces or apostrophes group the thousands, any other separator is the decimal mark. */
function parseGroupedBySpace(body: string): ParsedDecimal | undefined {
  const match = /^(\d{1,3}(?:(['’]|\s)\d{3})(?:\2\d{3})*)(?:([.,])(\d+))?$/.exec(body);
  if (match === null) return undefined;
  const [, whole = '', , separator, decimals = '0'] = match;
  const value = Number(`${whole.replace(/\D/g, '')}.${decimals}`);
  return separator === undefined ? { value } : { value, evidence: styleOf(separator) };
}

function styleOf(separator: string): DecimalStyle {
  return separator === '.' ? 'point' : 'comma';
}
