/**
 * Amounts as people write them, in either decimal style. One cell alone is certain (`1.5`, `1.234,50`,
 * `1'234`, `15`) or ambiguous (`1.234`, `1,234`: a thousand, or a number of three decimals?). Which it is
 * depends on the column; this file only reads the cell.
 */
import { CastProblem, quoted } from './cast.ts';
import { currencyOf } from './currency.ts';

export type DecimalStyle = 'point' | 'comma';

export interface ParsedDecimal {
  /** The value; undefined where the cell alone does not say. */
  value?: number;
  /** Both readings of an ambiguous cell. */
  ambiguous?: Record<DecimalStyle, number>;
  /** The style that the cell proves, where it does. */
  evidence?: DecimalStyle;
  /** What the sign or code beside the number may mean; absent without one. */
  currency?: readonly string[];
}

const EXPECTED = 'an amount of 0 or more';
const DIGITS = String.raw`\d+`;
/** Groups of three, or of two before a last three (1,23,456). */
const GROUPED = { point: /^\d{1,3}(?:,\d{2,3})*,\d{3}$/, comma: /^\d{1,3}(?:\.\d{2,3})*\.\d{3}$/ };
const AFFIXES = new RegExp(String.raw`^([^\d.,]*)([.,]?\d[\d.,'’\s]*(?:e[+-]?${DIGITS})?)([^\d]*)$`, 'i');

/**
 * Reads one amount. Never throws; what is no amount of 0 or more is a problem.
 *
 * @param signed take amounts below 0 too: `-1.50`, `(1.50)`
 */
export function parseDecimal(text: string, signed = false): ParsedDecimal | CastProblem {
  const plain = text
    // `12,-` and `12.–` are how prices without cents are written.
    .replace(/([.,])[-–—]{1,2}(?=\D*$)/, '$100')
    // The point of `Fr. 12` and `Rs.12` belongs to the currency.
    .replace(/^([A-Za-z]{2,3})\.\s*(?=\d)/, '$1 ');
  const match = AFFIXES.exec(plain);
  if (match === null) return notANumber(text);
  const [, before = '', body = '', after = ''] = match;
  const currency = readAffixes(before, after);
  if (currency === undefined) return notANumber(text);
  if (currency.negative && !signed) {
    return new CastProblem('negative', `${quoted(text)} is less than 0`, EXPECTED);
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
  return new CastProblem('not_a_number', `${quoted(text)} is not an amount`, EXPECTED);
}

/** Sign, brackets and currency on both sides; undefined where something else stands there. */
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
  if (left !== '' && right !== '') {
    // `$ 12 USD`: both must be currencies, and they must be able to agree.
    const both = [currencyOf(left), currencyOf(right)];
    const [one, two] = both;
    if (one === undefined || two === undefined) return undefined;
    const common = two.filter((code) => one.includes(code));
    return common.length === 0 ? undefined : { negative, codes: common };
  }
  const affix = left + right;
  if (affix === '') return { negative };
  const codes = currencyOf(affix);
  return codes === undefined ? undefined : { negative, codes };
}

/** Digits with separators, nothing else. */
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
  // Nobody writes 0.123 or 1234.567 for a number of thousands.
  const mayBeGroup = decimals.length === 3 && /^[1-9]\d{0,2}$/.test(whole);
  if (!mayBeGroup) return { value: asDecimal, evidence: own };
  const asGroup = Number(whole + decimals);
  return {
    ambiguous: own === 'point' ? { point: asDecimal, comma: asGroup } : { point: asGroup, comma: asDecimal },
  };
}

/** Thousands by space or apostrophe leave the one other separator to be the decimal one. */
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
