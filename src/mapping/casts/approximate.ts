/**
 * Reads approximate amounts, counts and years: `ca. 20 €`, `VB 50`, `20-25`, `2x`, `1985/86`. The result is never above
 * the lowest reading of the cell: the lower end of a range, the first year of a decade.
 */
import type { Message } from '../../messages/params.ts';
import { message } from '../../messages/message.ts';
import { remembered } from '../remembered.ts';
import { CastProblem, cut } from './cast.ts';
import { type ParsedDecimal, parseDecimal } from './decimal.ts';

/** A cell, and the lower end of its range if it has one. */
interface Reading {
  text: string;
  value: string;
  isRange: boolean;
}

/** Counts a column's approximate cells, for the note at the end. */
export class Approximations {
  #count = 0;
  #ranges = 0;
  #example = { text: '', as: '' };
  #closed = false;
  #latest: Reading | undefined;

  add(text: string, value: number, isRange: boolean): void {
    this.#latest = { text: cut(text), value: String(value), isRange };
    // Rows that are mapped a second time were counted the first time.
    if (this.#closed) return;
    this.#count += 1;
    if (isRange) this.#ranges += 1;
    if (this.#count === 1 || (isRange && this.#ranges === 1))
      this.#example = { text: cut(text), as: String(value) };
  }

  /** The readings added since the last call, for the row's notes: `"20-25" was read as 20, its lower end`. */
  takeLatest(): Reading | undefined {
    const latest = this.#latest;
    this.#latest = undefined;
    return latest;
  }

  /** After the last row. */
  close(): void {
    this.#closed = true;
  }

  /** `14 approximate values were read, 3 ranges by their lower end ("20-25" as 20)`; undefined if there were none. */
  note(): { values: number; ranges: number; text: string; as: string } | undefined {
    if (this.#count === 0) return undefined;
    return { values: this.#count, ranges: this.#ranges, ...this.#example };
  }
}

/** `ca. 20`, `um 1975`. */
const ABOUT =
  '(?:ca|circa|zirka|approx|approximately|about|around|roughly|est|estimated|etwa|ungefähr|ungef|rund|um|env|environ|vers|aprox|aproximadamente|alrededor de|unos|verso|all.incirca|ongeveer|ong|omstreeks|rond|c)(?!\\p{L})\\.?|[~≈∼±]';
/** Negotiable or fixed prices: neither changes the number. */
const BARGAIN =
  '(?:vb|vhb|vhs|verhandlungsbasis|verhandelbar|fp|festpreis|o\\.?b\\.?o\\.?|o\\.?n\\.?o\\.?|or best offer|or nearest offer|negotiable|neg|négociable|négo|negociable|trattabile|tratt|firm|fix)(?!\\p{L})\\.?';
/** Lower bounds. */
const AT_LEAST =
  '(?:ab|from|starting at|at least|over|more than|min|mindestens|über|mehr als|à partir de|dès|plus de|a partir de|desde|más de|mas de|a partire da|oltre|più di|vanaf|meer dan|minstens)(?!\\p{L})\\.?|>=?|≥';
const BEFORE = new RegExp(`^(?:${ABOUT}|${BARGAIN}|${AT_LEAST})[:\\s]*(?=\\S)`, 'iu');
const AFTER = new RegExp(
  `(?:(?:^|[\\s,;/(])(?:${BARGAIN})\\)?|\\(\\?+\\)|\\?+|(?<=\\d\\s?\\p{Sc}?)\\+)$`,
  'iu',
);
/** `20 - 25`, `20 bis 25`. Not a slash, because `1/64` is a scale. */
const BETWEEN = /\s*[-–—]\s*|\s+(?:to|bis|à|a|tot|hasta)\s+/gi;
/** Longer texts are never amounts or years. */
export const MAX_LENGTH = 60;

/** The text without the words around its number; undefined if there are none. */
function bare(text: string): string | undefined {
  let left = text.trim();
  for (let words = 0; words < 3; words += 1) {
    const shorter = left.replace(BEFORE, '').replace(AFTER, '').trim();
    if (shorter === left) break;
    left = shorter;
  }
  return left === text.trim() || left === '' ? undefined : left;
}

/** One end of a range of positive amounts. */
function end(text: string): ParsedDecimal | undefined {
  const parsed = parseDecimal(text);
  return parsed instanceof CastProblem ? undefined : parsed;
}

/** An amount that the cell gives approximately. */
export interface ApproximateAmount {
  amount: ParsedDecimal;
  isRange: boolean;
}

/** Reads amounts that `parseDecimal` does not; undefined if the text is not an amount at all. */
export const approximateAmount = remembered((text): ApproximateAmount | undefined => {
  if (text.length > MAX_LENGTH) return undefined;
  const without = bare(text);
  const whole = without === undefined ? undefined : end(without);
  if (whole !== undefined) return { amount: whole, isRange: false };
  const range = without ?? text;
  for (const { index, 0: mark } of range.matchAll(BETWEEN)) {
    const low = end(range.slice(0, index));
    const high = end(range.slice(index + mark.length));
    if (low === undefined || high === undefined) continue;
    const amount = lowerEnd(low, high);
    if (amount !== undefined) return { amount, isRange: true };
  }
  return undefined;
});

/** An amount read from a cell. `approximately` says how it is inexact; absent if the amount is exact. */
export interface AmountReading {
  amount: ParsedDecimal;
  approximately?: { isRange: boolean };
}

/**
 * Reads an amount in every way that a column may read one. The check of its currency uses this too, because an amount
 * that only the import could read would be sent in the wrong currency.
 */
export function readAmount(text: string, signed = false): AmountReading | CastProblem {
  const exact = parseDecimal(text, signed);
  if (!(exact instanceof CastProblem)) return { amount: exact };
  const about = exact.code === 'not_a_number' ? approximateAmount(text) : undefined;
  if (about === undefined) return exact;
  return { amount: about.amount, approximately: { isRange: about.isRange } };
}

/** The lower amount, with the currency of either end; undefined if the two are not a range. */
function lowerEnd(low: ParsedDecimal, high: ParsedDecimal): ParsedDecimal | undefined {
  const isRange = (['point', 'comma'] as const).every(
    (style) =>
      (low.value ?? low.ambiguous?.[style] ?? Number.NaN) <=
      (high.value ?? high.ambiguous?.[style] ?? Number.NaN),
  );
  if (!isRange) return undefined;
  if (low.currency === undefined || high.currency === undefined) {
    const currency = low.currency ?? high.currency;
    return currency === undefined ? low : { ...low, currency };
  }
  const currency = low.currency.filter((code) => high.currency?.includes(code) === true);
  return currency.length === 0 ? undefined : { ...low, currency };
}

/** Pieces: `1 Stk.`, `2x`, `x2`, `3 pcs`. */
const UNIT =
  /^(?:[x×]\s*(\d{1,6})|(\d{1,6})\s*(?:[x×]|stk|st|stück|stueck|pcs?|pieces?|ea|pièces?|pi[eè]ce|pces?|uds?|unidad(?:es)?|pz|pezz[io]|stuks?|copies|copy|ex)\.?)$/iu;

/** An approximate whole number, or one with a unit; undefined if the text is neither. */
export const approximateCount = remembered((text): { count: number; isRange: boolean } | undefined => {
  if (text.length > MAX_LENGTH) return undefined;
  for (const each of [text, bare(text)]) {
    const unit = UNIT.exec(each ?? '');
    if (unit !== null) return { count: Number(unit[1] ?? unit[2]), isRange: false };
  }
  const read = approximateAmount(text);
  const count = read?.amount.value;
  if (read === undefined || count === undefined || !Number.isInteger(count)) return undefined;
  return read.amount.currency === undefined ? { count, isRange: read.isRange } : undefined;
});

const DECADES: readonly RegExp[] = [
  /^(?:(?:the|early|mid|late|anfang|mitte|ende|frühe|späte)[ -])*(\d{3})0(?:['’´`]?s|er(?:[ -]?jahre)?)$/iu,
  /^(?:les |des )?(?:années|annees|anni|años|jaren) (\d{3})0$/iu,
  // Decades in library catalogues: 197x, 197?, 197-.
  /^(\d{3})[x?_-]$/iu,
];
const YEARS = /^(\d{3}[\dx?]) ?(?:[-–—/]| (?:to|bis|à|a|tot|hasta) ) ?(\d{4}|\d{2})$/iu;
/** A longer span of years does not show when an item was released. */
const MAX_SPAN = 100;

/** An approximate year; undefined if the text is not one. */
export const approximateYear = remembered((text): { year: number; isRange: boolean } | undefined => {
  if (text.length > MAX_LENGTH) return undefined;
  const open = text.replace(/^\[(.*)\]$|^\((.*)\)$/, '$1$2');
  for (const each of [text, open, bare(open) ?? '']) {
    for (const decade of DECADES) {
      const first = decade.exec(each)?.[1];
      if (first !== undefined) return { year: Number(`${first}0`), isRange: true };
    }
    const [, from = '', to = ''] = YEARS.exec(each) ?? [];
    const low = Number(from.replace(/\D/, '0'));
    const high = Number(to.length === 2 ? from.slice(0, 2) + to : to);
    if (from !== '' && high >= low && high - low <= MAX_SPAN) return { year: low, isRange: true };
    if (each !== text && /^\d{4}$/.test(each)) return { year: Number(each), isRange: false };
  }
  return undefined;
});

/** The issue for an inexact number, with its reading as an offer. `value` is undefined if it is still ambiguous. */
export function notExact(text: string, value: number | undefined, expected: Message): CastProblem {
  const meaning = value === undefined ? {} : { value };
  return new CastProblem('approximate_number', message('not_exact_number', { text: cut(text) }), expected, [
    { ...meaning, accept: { approximate: 'read' } },
  ]);
}
