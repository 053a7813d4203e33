/** release_year: 1968 to 2100 (contract §8), from a number, a date cell, or a date written out. */
import { RELEASE_YEAR_MAX, RELEASE_YEAR_MIN } from '../../api/schemas.ts';
import type { Cell } from '../../sheets/cell.ts';
import { BLANK, type Cast, CastProblem, quoted } from './cast.ts';

export interface YearOptions {
  /** Take `c. 1985`, `~1985` and `1985?` as 1985. An issue otherwise: the person should decide. */
  approximate?: boolean;
  /** Custom fields: the contract's bounds are not theirs. */
  anyYear?: boolean;
  isBlankWord: (text: string) => boolean;
}

const EXPECTED = `a year from ${RELEASE_YEAR_MIN} to ${RELEASE_YEAR_MAX}`;
const PLAIN = /^\d{4}$/;
/** `1999.0` and `1999,00`: a year that went through a number column. */
const WITH_ZEROS = /^(\d{4})[.,]0+$/;
/** `1999-05-01`, `1999/5`, with a time or not. */
const YEAR_FIRST = /^(?<year>\d{4})[-/.](?<month>\d{1,2})(?:[-/.](?<day>\d{1,2}))?(?:[T ]\d{1,2}:\d{2}.*)?$/;
/** `05/1999`, `1.5.1999`, `5/1/1999`: day and month may be either way, the year is certain. */
const YEAR_LAST = /^(?:(?<day>\d{1,2})[-/.] ?)?(?<month>\d{1,2})[-/.] ?(?<year>\d{4})(?: \d{1,2}:\d{2}.*)?$/;
/** `May 1999`, `12 May 1999`, `May 12, 1999`, `May-1999`. */
const MONTH_NAME =
  /^(?:(?<before>\d{1,2})[. -]{1,2})?(?<name>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?[ -](?:(?<after>\d{1,2})(?:st|nd|rd|th)?,? )?(?<year>\d{4})$/i;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const APPROXIMATE = /^(?:(?:c|ca|circa|about|approx|um|vers|~|≈)\.? ?(\d{4})|(\d{4}) ?\(?\?+\)?)$/i;
const TWO_DIGITS = /^(?:['’]?\d{2}|.*[-/.' ’]\d{2})$/;

/** Compiles the year cast. Two-digit years are an issue: 22 may be 1922 or 2022. */
export function yearCast(options: YearOptions): Cast {
  return (text, cell) => {
    if (typeof cell === 'string') return fromText(text, options);
    return fromCell(text, cell, options);
  };
}

function fromCell(text: string, cell: Cell, options: YearOptions): number | CastProblem | typeof BLANK {
  // Programs write 0 for a year that they do not know.
  if (cell === 0) return BLANK;
  if (typeof cell === 'number')
    return Number.isInteger(cell) ? inBounds(cell, text, options) : notAYear(text);
  if (typeof cell === 'object' && cell?.kind === 'date' && cell.date !== '') {
    return inBounds(Number(cell.date.slice(0, 4)), text, options);
  }
  return notAYear(text);
}

function fromText(text: string, options: YearOptions): number | CastProblem | typeof BLANK {
  if (PLAIN.test(text) && text !== '0000') return inBounds(Number(text), text, options);
  if (/^0+$/.test(text) || options.isBlankWord(text)) return BLANK;
  const decimal = WITH_ZEROS.exec(text);
  if (decimal !== null) return inBounds(Number(decimal[1]), text, options);
  const date = dateIn(text);
  if (date !== undefined) {
    if (date.exists) return inBounds(date.year, text, options);
    return new CastProblem(
      'not_a_year',
      `${quoted(text)} looks like a date, and there is no such day`,
      EXPECTED,
    );
  }
  const about = APPROXIMATE.exec(text);
  if (about !== null) {
    const year = Number(about[1] ?? about[2]);
    if (options.approximate === true) return inBounds(year, text, options);
    return new CastProblem('uncertain_year', `${quoted(text)} is not certain`, EXPECTED);
  }
  if (TWO_DIGITS.test(text)) {
    return new CastProblem('two_digit_year', `${quoted(text)} has a year of two digits`, EXPECTED);
  }
  return notAYear(text);
}

/** The year of a date that is written out; undefined for other texts. */
function dateIn(text: string): { year: number; exists: boolean } | undefined {
  const found = (YEAR_FIRST.exec(text) ?? YEAR_LAST.exec(text) ?? MONTH_NAME.exec(text))?.groups;
  if (found === undefined) return undefined;
  const year = Number(found['year']);
  const month =
    found['name'] === undefined ? Number(found['month']) : MONTHS.indexOf(found['name'].toLowerCase()) + 1;
  const day = Number(found['day'] ?? found['before'] ?? found['after'] ?? 0);
  // Of `1.5.1999` nothing tells which is the month: one reading that exists is enough.
  const eitherWay = YEAR_LAST.test(text);
  return {
    year,
    exists: dayExists(year, month, day) || (eitherWay && day > 0 && dayExists(year, day, month)),
  };
}

/** Programs write 00 for what they do not know of a date: the month and the day, or the day alone. */
function dayExists(year: number, month: number, day: number): boolean {
  if (month === 0) return day === 0;
  return month <= 12 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

function inBounds(year: number, text: string, { anyYear }: YearOptions): number | CastProblem {
  if (anyYear === true ? year > 0 && year <= 9999 : year >= RELEASE_YEAR_MIN && year <= RELEASE_YEAR_MAX) {
    return year;
  }
  return new CastProblem('out_of_range', `${quoted(text)} is outside the years allowed`, EXPECTED);
}

function notAYear(text: string): CastProblem {
  return new CastProblem('not_a_year', `${quoted(text)} is not a year`, EXPECTED);
}
