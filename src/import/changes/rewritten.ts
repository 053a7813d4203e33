/**
 * What spreadsheet programs make of texts when they open and save a file: zeros in front are gone, long numbers are
 * rounded, TRUE is a boolean, 3-4 is a day in March, 1:43 a time, 5% a number, (5) a number below 0, and 1.000.000 and
 * $5.00 are plain numbers. In an export or in a rejects file, such a cell is not an edit.
 */
import { message } from '../../messages/message.ts';
import { CastProblem } from '../../mapping/casts/cast.ts';
import { parseDecimal, type ParsedDecimal } from '../../mapping/casts/decimal.ts';
import { fold } from '../../mapping/fold.ts';
import { plainNumber } from '../../sheets/cell.ts';
import { unescapeText } from '../../sheets/escape.ts';
import { type Emit, warningOf } from '../job/events.ts';

/** Digits that a spreadsheet program keeps of a number. */
const KEPT_DIGITS = 15;
/** `4.00687E+12`, also with a decimal comma. */
const SCIENTIFIC = /^-?\d(?:[.,]\d+)?E\+?\d+$/i;

/** `1:43`, `01:43:00`, `01:43:00 AM`. */
const TIME = /^(\d{1,4}):(\d{1,2})(?::(\d{1,2}))?(?:\s?([AP])M)?$/i;
const PERCENTAGE = /^([+-]?\d+(?:[.,]\d+)?)\s?%$/;
const IN_BRACKETS = /^\((\d[\d.]*)\)$/;
/** An amount with a mark, groups or a sign of a currency. Letters beside digits make a code. */
const AMOUNT = /^(?=.*[^\d+-])[+-]?(?:\p{Sc}\s?)?\d[\d.,'’\s]*(?:\s?\p{Sc})?$/u;

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:E[+-]?\d+)?$/i;

/** As programs write them in several languages. */
const BOOLEANS = [
  ['true', 'wahr', 'vrai', 'verdadero', 'vero', 'verdadeiro', 'waar'],
  ['false', 'falsch', 'faux', 'falso', 'onwaar'],
];

/** A cell that was not taken for an edit. */
export interface RewrittenCell {
  field: string;
  from: string;
  to: string;
}

/** Counts the cells of a file for one warning. */
export class RewrittenCells {
  #cells = 0;
  #first: RewrittenCell | undefined;

  add(cells: readonly RewrittenCell[]): void {
    this.#cells += cells.length;
    this.#first ??= cells[0];
  }

  tell(emit: Emit): void {
    if (this.#first !== undefined)
      emit(warningOf(message('cells_rewritten', { cells: this.#cells, ...this.#first })));
  }
}

/** @param current the value before; only texts are rewritten */
export function isRewritten(current: unknown, text: string): current is string {
  if (typeof current !== 'string' || current === text || current.trim() === '') return false;
  const truth = BOOLEANS.find(([english]) => english === current.toLowerCase());
  if (truth !== undefined) return truth.includes(text.toLowerCase());
  // A CSV file that was saved as a workbook has our escaping as a part of the text.
  if (unescapeText(text) === current) return true;
  const form = shownForm(current);
  // Programs write seconds behind a zero in front; without them, a person typed it.
  if (form !== undefined && form === shownForm(text)) return !/^0\d:\d+$/.test(text);
  // 1250.00 is not what a program makes of 1,250.
  if (text === wholeForm(current)) return true;
  return plainForms(current).some((code) => isRewrittenNumber(code, text)) || isRewrittenDate(current, text);
}

/**
 * True for a number that a program with the other decimal mark may have made of one that has a mark and three digits:
 * 14875 of 14.875, or 1,25 of 1,250. A person may mean it, too.
 *
 * @param mark with which the number before was read
 */
export function hasOtherMark(before: string, text: string, mark: 'point' | 'comma'): boolean {
  const [, whole = '', sign, rest = ''] = /^([+-]?\d+)([.,])(\d{3})$/.exec(before.trim()) ?? [];
  if (sign === undefined || Number(whole + rest) === 0) return false;
  const isDecimal = sign === (mark === 'comma' ? ',' : '.');
  if (isDecimal) return /^[+-]?\d+$/.test(text) && Number(text) === Number(whole + rest);
  return (
    /^[+-]?\d+(?:[.,]\d{1,3})?$/.test(text) && Number(text.replace(',', '.')) === Number(`${whole}.${rest}`)
  );
}

/** One form for all texts that show the same time, or the same percentage. */
function shownForm(text: string): string | undefined {
  const [time, hours, minutes, seconds = 0, half] = TIME.exec(text) ?? [];
  if (time !== undefined) {
    if (Number(minutes) > 59 || Number(seconds) > 59) return undefined;
    const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (/p/i.test(half) ? 12 : 0);
    return `time ${(hour * 60 + Number(minutes)) * 60 + Number(seconds)}`;
  }
  const percent = PERCENTAGE.exec(text)?.[1];
  return percent === undefined ? undefined : `percent ${Number(percent.replace(',', '.'))}`;
}

/** A number in brackets is one below 0, a percentage is a fraction, and signs of currencies and groups are gone. */
function plainForms(text: string): string[] {
  const percent = PERCENTAGE.exec(text)?.[1]?.replace(',', '.');
  if (percent !== undefined) return [String(Number((Number(percent) / 100).toPrecision(KEPT_DIGITS)))];
  const { value, ambiguous } = amountIn(text);
  const number = value ?? ambiguous?.[isComma(text) ? 'comma' : 'point'];
  return [text.replace(IN_BRACKETS, '-$1'), ...(number === undefined ? [] : [plainNumber(number)])];
}

/** `1250` of `1,250`, if the mark separates thousands; undefined for other texts. */
function wholeForm(text: string): string | undefined {
  const { ambiguous } = amountIn(text);
  return ambiguous && plainNumber(ambiguous[isComma(text) ? 'point' : 'comma']);
}

function isComma(text: string): boolean {
  return text.includes(',');
}

function amountIn(text: string): ParsedDecimal {
  const amount = AMOUNT.test(text) ? parseDecimal(text, true) : {};
  return amount instanceof CastProblem ? {} : amount;
}

function isRewrittenNumber(code: string, text: string): boolean {
  const current = code.replace(/^([+-]?\d+),(?=\d+$)/, '$1.');
  const number = Number(current);
  const shown = Number(text.replace(',', '.'));
  if (!DECIMAL.test(current) || !Number.isFinite(number)) return false;
  // Zeros in front, and more digits than a spreadsheet program keeps, were typed by a person.
  if (/^[+-]?0\d/.test(text) || significantDigits(text) > KEPT_DIGITS) return false;
  if (!Number.isFinite(shown) || !/\d/.test(text)) return false;
  if (number === shown || Number(number.toPrecision(KEPT_DIGITS)) === shown || cutNumber(current) === shown)
    return true;
  const digits = text.replace(/E.*$/i, '').replace(/\D/g, '').length;
  return SCIENTIFIC.test(text) && Number(number.toPrecision(digits)) === shown;
}

function significantDigits(text: string): number {
  return text
    .replace(/E.*$/i, '')
    .replace(/\D/g, '')
    .replace(/^0+|0+$/g, '').length;
}

/** Digits of a long number that spreadsheet programs show, and how many digits are too many for them. */
const SHOWN_DIGITS = 6;
const TOO_LONG = 1e11;

/** What the codes of a file have kept, so that no spreadsheet program has rewritten them. */
export interface KeptCodes {
  zeros: boolean;
  dates: boolean;
}

/** Forms by which a code is found in a file that was saved by a spreadsheet program; none if the code stays as it is. */
export function formsOf(code: string): string[] {
  const shown = shownForm(code);
  return [...(shown === undefined ? [] : [shown]), ...numberForms(code), ...dateForms(code)];
}

function numberForms(code: string): string[] {
  const forms = [...plainForms(code), wholeForm(code) ?? ''].flatMap((plain) => {
    if (!DECIMAL.test(plain)) return [];
    const number = Number(plain);
    const short = String(Number(number.toPrecision(KEPT_DIGITS)));
    return [short, String(cutNumber(plain)), ...longForm(number)];
  });
  return [...new Set(forms)].filter((form) => form !== code);
}

function dateForms(code: string): string[] {
  const pieces = datePieces(code);
  // Nobody numbers things by whole dates.
  if (pieces?.length !== 2) return [];
  return datesOf(pieces, 'day').flatMap(({ month, day, year }) => {
    // A program takes a month of a year only for what is no day.
    const isDay = year !== undefined && year > 0 && year <= daysOf(month);
    return isDay ? [] : [dateForm(month, day, year)];
  });
}

/** Forms of the codes of which a spreadsheet program may have made a text. */
export function formsBefore(text: string, kept: KeptCodes): string[] {
  const shown = shownForm(text);
  if (shown !== undefined) return [shown];
  const point = text.replace(',', '.');
  if (SCIENTIFIC.test(text)) return [String(Number(point)), ...longForm(Number(point))];
  if (DECIMAL.test(point)) return kept.zeros || String(Number(point)) !== point ? [] : [point];
  const pieces = kept.dates ? undefined : datePieces(text);
  if (pieces === undefined) return [];
  const dates = DATE_ORDERS.flatMap((order) => datesOf(pieces, order));
  return dates.flatMap(({ month, day, year }) => [
    dateForm(month, day, year),
    ...(isOfToday(year) ? [dateForm(month, day, undefined)] : []),
    ...(day === 1 ? [dateForm(month, undefined, year)] : []),
  ]);
}

/** True for `4.00687E+12`, of which nobody knows all digits. */
export function isRounded(text: string): boolean {
  return SCIENTIFIC.test(text);
}

/** What a code says of the programs that have saved its file. */
export function keptIn(code: string): KeptCodes {
  return {
    zeros: DECIMAL.test(code) && /^0\d|\.\d*0$/.test(code),
    dates: /^\d+[-/]\d+$/.test(code) && formsOf(code).length > 0,
  };
}

function longForm(number: number): string[] {
  return number < TOO_LONG ? [] : [`long ${number.toPrecision(SHOWN_DIGITS)}`];
}

function dateForm(month: number, day = 0, year?: number): string {
  return `date ${month} ${day} ${year === undefined ? '' : year % 100}`;
}

function daysOf(month: number): number {
  return new Date(Date.UTC(2024, month, 0)).getUTCDate();
}

/** As Excel reads a long number: zeros in place of the digits that it cannot keep. */
function cutNumber(digits: string): number {
  return Number(digits.slice(0, KEPT_DIGITS) + digits.slice(KEPT_DIGITS).replace(/\d/g, '0'));
}

/** The parts of a date that a text gives; years may have two digits. */
interface DateParts {
  month: number;
  day?: number;
  year?: number;
}

/** Day or month first, as on the computer that has read and written the file. */
type DateOrder = 'day' | 'month';
const DATE_ORDERS: readonly DateOrder[] = ['day', 'month'];
/** A program adds the year in which it opens a file, and no file of ours is older. */
const FIRST_YEAR = 2026;

function isRewrittenDate(current: string, text: string): boolean {
  const [before, after] = [datePieces(current), datePieces(text)];
  if (before === undefined || after === undefined || before.length < 2) return false;
  // Programs write the name of the month (`4-Mar`, `Mar-04`), or a date with its year.
  const isWritten = after.some((piece) => !DIGITS.test(piece))
    ? after.length === before.length
    : after.length === 3;
  return (
    isWritten &&
    DATE_ORDERS.some((order) =>
      datesOf(before, order).some((from) => datesOf(after, order).some((to) => mayBecome(from, to))),
    )
  );
}

function mayBecome(from: DateParts, to: DateParts): boolean {
  if (from.month !== to.month || (from.day ?? to.day) !== to.day) return false;
  // Programs take a month of a year for its first day, and a day without a year for one of this year.
  if (from.day === undefined) return isSameYear(from.year, to.year) && (to.day ?? 1) === 1;
  if (from.year === undefined) return to.year === undefined || isOfToday(to.year);
  return to.year === undefined || isSameYear(from.year, to.year);
}

/** True for a year that a program may have added to a day. */
function isOfToday(year = 0): boolean {
  return year >= FIRST_YEAR && year <= new Date().getFullYear();
}

/** A year of four digits may equal one of two. */
function isSameYear(a = Number.NaN, b = Number.NaN): boolean {
  return a === b || (Math.min(a, b) < 100 && a % 100 === b % 100);
}

function isDate({ month, day = 1, year = 0 }: DateParts): boolean {
  const isYear = year < 100 || (year >= 1900 && year < 2100);
  return month >= 1 && month <= 12 && day >= 1 && day <= 31 && isYear;
}

const DIGITS = /^\d{1,4}$/;

/** The two or three numbers of a date, with at most one name among them. */
function datePieces(text: string): string[] | undefined {
  const [date = ''] = text.trim().split(/T|\s(?=\d\d?:)/, 1);
  if (!/^(?:\p{L}{3,9}|\d{1,4})(?:[./ ,-]{0,2}(?:\p{L}{3,9}|\d{1,4})\.?){1,2}$/u.test(date)) return undefined;
  const pieces = date.match(/\p{L}+|\d+/gu) ?? [];
  return pieces.filter((piece) => !DIGITS.test(piece)).length > 1 ? undefined : pieces;
}

function datesOf(pieces: readonly string[], order: DateOrder): DateParts[] {
  const name = pieces.find((piece) => !DIGITS.test(piece));
  const [a = 0, b = 0, c] = pieces.filter((piece) => piece !== name).map(Number);
  const dates: DateParts[] = [];
  if (name !== undefined) {
    const month = monthNamed(name);
    if (pieces.length === 3) dates.push({ month, day: a, year: b });
    else dates.push({ month, day: a }, { month, year: a });
  } else if (c === undefined) {
    for (const [month, other] of [
      [a, b],
      [b, a],
    ] as const)
      dates.push({ month, day: other }, { month, year: other });
  } else if (a > 31) dates.push({ year: a, month: b, day: c });
  else dates.push(order === 'day' ? { day: a, month: b, year: c } : { month: a, day: b, year: c });
  return dates.filter(isDate);
}

const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'sv', 'pl', 'cs'];
/** As Excel abbreviates them, and `Intl` does not. */
const OTHER_NAMES = { mrz: 3, sep: 9 };
let months: ReadonlyMap<string, number> | undefined;

/** The number of a month in one of some languages; 0 for other words. */
function monthNamed(name: string): number {
  months ??= new Map([
    ...LANGUAGES.flatMap((language) =>
      (['short', 'long'] as const).map(
        (month) => new Intl.DateTimeFormat(language, { month, timeZone: 'UTC' }),
      ),
    ).flatMap((format) =>
      Array.from({ length: 12 }, (_, month): [string, number] => [
        fold(format.format(Date.UTC(2026, month, 15))),
        month + 1,
      ]),
    ),
    ...Object.entries(OTHER_NAMES),
  ]);
  return months.get(fold(name)) ?? 0;
}

/** What one key has kept says nothing of the others: somebody may have typed it since. */
const NONE_KEPT: KeptCodes = { zeros: false, dates: false };

/** The keys of a file that a spreadsheet program may have made of others, or others of them. */
export class RewrittenKeys {
  readonly #keys: { has(key: string): boolean };
  /** Keys by the forms of what they may have been, where that differs from the key itself. */
  readonly #made = new Map<string, string[]>();
  /** Keys by what a program may have made of them. */
  readonly #whole = new Map<string, string[]>();

  constructor(keys: { has(key: string): boolean; keys(): Iterable<string> }) {
    this.#keys = keys;
    for (const key of keys.keys()) {
      for (const form of formsBefore(key, NONE_KEPT)) if (form !== key) put(this.#made, form, key);
      for (const form of formsOf(key)) put(this.#whole, form, key);
    }
  }

  /** @param key of an item */
  of(key: string): string[] {
    const made = formsOf(key).flatMap((form) => {
      const isKey = this.#keys.has(form) && formsBefore(form, NONE_KEPT).includes(form);
      return [...(isKey ? [form] : []), ...(this.#made.get(form) ?? [])];
    });
    // An earlier file may have lost what this one has: then the item has the key of the earlier file.
    const whole = formsBefore(key, NONE_KEPT).flatMap((form) => this.#whole.get(form) ?? []);
    return [...made, ...whole].filter((other) => other !== key);
  }
}

function put(map: Map<string, string[]>, form: string, key: string): void {
  const keys = map.get(form);
  if (keys === undefined) map.set(form, [key]);
  else keys.push(key);
}
