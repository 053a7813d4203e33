/** release_year: 1968 to 2100 (contract §8), from a number, a date cell, or a date written out. */
import { message } from '../../messages/message.ts';
import { RELEASE_YEAR_MAX, RELEASE_YEAR_MIN } from '../../api/schemas.ts';
import type { Cell } from '../../sheets/cell.ts';
import { CUSTOM_PREFIX } from '../custom-prefix.ts';
import cells from '../words/cells.json' with { type: 'json' };
import { type Approximations, approximateYear, MAX_LENGTH } from './approximate.ts';
import { BLANK, type Cast, CastProblem, cut } from './cast.ts';

/** `27 BC`, `AD 98`: one of the words before or after the rest. */
function eraIn(words: readonly string[]): RegExp {
  const any = words.map((word) => word.replaceAll(/[. ]+/g, '[. ]{0,2}')).join('|');
  return new RegExp(`^(?:${any}) ?(?=\\d)|(?:(?<=\\d)| )(?:${any})$`, 'iu');
}
const BEFORE_CHRIST = eraIn(cells.beforeChrist);
const ERA = eraIn(cells.era);

export interface YearOptions {
  /** If given, `c. 1985` and `1985/86` are read as 1985, `1970s` as 1970, and counted here; otherwise they are issues. */
  approximate?: Approximations | undefined;
  /** Custom fields: the contract's bounds do not apply. */
  anyYear?: boolean;
  /** The first of the hundred years that two digits can mean; absent: they are issues. */
  twoDigitYears?: number | undefined;
  isBlankWord: (text: string) => boolean;
}

/** The custom field that keeps a year outside the bounds (`outOfRange: keep` in a template). */
const KEPT_YEAR = `${CUSTOM_PREFIX}year`;
/** The custom field that keeps a date that is more precise than its year (`dates: keep`). */
export const KEPT_DATE = `${CUSTOM_PREFIX}release_date`;
const EXPECTED = message('want_year', { first: String(RELEASE_YEAR_MIN), last: String(RELEASE_YEAR_MAX) });
/** Three digits are a year too, as on old coins; a year before Christ has a sign. */
const PLAIN = /^(?:[1-9]\d{2}|\d{4}|-\d{1,4})$/;
/** `1999.0` and `1999,00`, from a column of numbers; `1999年` and `1999 г.` say that the number is a year. */
const NOTHING_MORE = /^(\d{4})(?:[.,]0+| ?(?:年|년|г\.?|р\.))$/iu;
/** `1999-xx-xx`, `1999-05-??`: parts that nobody knows. */
const UNKNOWN_PARTS = /^(\d{4})(?:[-/.]\d{1,2})?(?:[-/.](?:xx?|\?\??)){1,2}$/i;
/** `1999-05-01`, `1999/5`, with or without a time. */
const YEAR_FIRST = /^(?<year>\d{4})[-/.](?<month>\d{1,2})(?:[-/.](?<day>\d{1,2}))?(?:[T ]\d{1,2}:\d{2}.*)?$/;
/** `05/1999`, `1.5.1999`, `5/1/1999`: day and month in either order, but the year is certain. */
const YEAR_LAST = /^(?:(?<day>\d{1,2})[-/.] ?)?(?<month>\d{1,2})[-/.] ?(?<year>\d{4})(?: \d{1,2}:\d{2}.*)?$/;
/** `May 1999`, `12 May 1999`, `May 12, 1999`, `May-1999`. */
const MONTH_NAME =
  /^(?:(?<before>\d{1,2})[. -]{1,2})?(?<name>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?[ -](?:(?<after>\d{1,2})(?:st|nd|rd|th)?,? )?(?<year>\d{4})$/i;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const TWO_DIGITS = /^(?:['’]?|.*[-/.' ’])(\d{2})$/;

/** Compiles the year cast. Two-digit years are issues: 22 may be 1922 or 2022. */
export function yearCast(options: YearOptions): Cast {
  return (text, cell) => {
    if (typeof cell === 'string') return fromText(text, options);
    return fromCell(text, cell, options);
  };
}

function fromCell(text: string, cell: Cell, options: YearOptions): number | CastProblem | typeof BLANK {
  if (typeof cell === 'number') return Number.isInteger(cell) ? fromText(text, options) : notAYear(text);
  if (typeof cell === 'object' && cell?.kind === 'date' && cell.date !== '') {
    return inBounds(Number(cell.date.slice(0, 4)), text, options);
  }
  return notAYear(text);
}

function fromText(text: string, options: YearOptions): number | CastProblem | typeof BLANK {
  // Programs write 0 for an unknown year.
  if (/^0+$/.test(text) || options.isBlankWord(text)) return BLANK;
  if (PLAIN.test(text) || (options.twoDigitYears === 0 && /^\d{1,2}$/.test(text)))
    return inBounds(Number(text), text, options);
  const known = NOTHING_MORE.exec(text) ?? UNKNOWN_PARTS.exec(text);
  if (known !== null) return inBounds(Number(known[1]), text, options);
  const date = dateIn(text);
  if (date?.exists === true) return inBounds(date.year, text, options);
  const isBefore = text.length <= MAX_LENGTH && BEFORE_CHRIST.test(text);
  const rest = text.length > MAX_LENGTH ? text : text.replace(isBefore ? BEFORE_CHRIST : ERA, '');
  if (rest !== text && /\d/.test(rest) && options.anyYear !== true)
    return !isBefore && /^(?:19|20)\d{2}$/.test(rest)
      ? inBounds(Number(rest), text, options)
      : outOfRange(text, text);
  const about = approximateYear(text);
  if (about !== undefined) return fromApproximate(about, text, options);
  if (date !== undefined) {
    return new CastProblem('not_a_year', message('no_such_day', { text: cut(text) }), EXPECTED);
  }
  const digits = TWO_DIGITS.exec(text)?.[1];
  if (digits !== undefined) {
    const first = options.twoDigitYears;
    if (first !== undefined)
      return inBounds(first + ((Number(digits) - (first % 100) + 100) % 100), text, options);
    return new CastProblem('two_digit_year', message('year_of_two_digits', { text: cut(text) }), EXPECTED);
  }
  return notAYear(text);
}

function fromApproximate(
  { year, isRange }: { year: number; isRange: boolean },
  text: string,
  options: YearOptions,
): number | CastProblem {
  const read = inBounds(year, text, options);
  if (options.approximate !== undefined) {
    options.approximate.add(text, year, isRange);
    return read;
  }
  const meaning = typeof read === 'number' ? { value: read } : {};
  const why = message(isRange ? 'several_years' : 'year_not_certain', { text: cut(text) });
  return new CastProblem('uncertain_year', why, EXPECTED, [{ ...meaning, accept: { approximate: 'read' } }]);
}

/** Whether the year alone loses part of the cell: a month, or its uncertainty. */
export function saysMore(text: string, cell: Cell): boolean {
  if (typeof cell === 'object' && cell?.kind === 'date') return cell.date !== '';
  if (typeof cell !== 'string') return false;
  const date = dateIn(text);
  return date === undefined ? !/^\d+$/.test(text) && !NOTHING_MORE.test(text) : date.hasMonth;
}

/** The year of a date that is written out; undefined for other texts. */
function dateIn(text: string): { year: number; exists: boolean; hasMonth: boolean } | undefined {
  const found = (YEAR_FIRST.exec(text) ?? YEAR_LAST.exec(text) ?? MONTH_NAME.exec(text))?.groups;
  if (found === undefined) return undefined;
  const year = Number(found['year']);
  const month =
    found['name'] === undefined ? Number(found['month']) : MONTHS.indexOf(found['name'].toLowerCase()) + 1;
  const day = Number(found['day'] ?? found['before'] ?? found['after'] ?? 0);
  // In `1.5.1999` either number can be the month: one valid reading is enough.
  const eitherWay = YEAR_LAST.test(text);
  return {
    year,
    hasMonth: month > 0,
    exists: dayExists(year, month, day) || (eitherWay && day > 0 && dayExists(year, day, month)),
  };
}

/** Whether the day exists. Programs write 00 for unknown parts of a date: month and day, or only the day. */
function dayExists(year: number, month: number, day: number): boolean {
  if (month === 0) return day === 0;
  return month <= 12 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

function inBounds(year: number, text: string, { anyYear }: YearOptions): number | CastProblem {
  if (anyYear === true ? year > 0 && year <= 9999 : year >= RELEASE_YEAR_MIN && year <= RELEASE_YEAR_MAX) {
    return year;
  }
  return anyYear === true || Math.abs(year) > 9999 ? notAYear(text) : outOfRange(text, year);
}

/** @param kept the year in its custom field: the whole text, if the number alone would lose the era */
function outOfRange(text: string, kept: number | string): CastProblem {
  return new CastProblem('out_of_range', message('year_out_of_range', { text: cut(text) }), EXPECTED, [
    { also: [{ field: KEPT_YEAR, value: kept }], accept: { outOfRange: 'keep' } },
    { accept: { outOfRange: 'blank' } },
  ]);
}

function notAYear(text: string): CastProblem {
  return new CastProblem('not_a_year', message('no_year', { text: cut(text) }), EXPECTED);
}
