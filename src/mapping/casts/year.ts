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
const YEAR_FIRST = /^(\d{4})[-/.]\d{1,2}(?:[-/.]\d{1,2})?(?:[T ]\d{1,2}:\d{2}.*)?$/;
/** `05/1999`, `1.5.1999`, `5/1/1999`: day and month may be either way, the year is certain. */
const YEAR_LAST = /^(?:\d{1,2}[-/.] ?){1,2}(\d{4})(?: \d{1,2}:\d{2}.*)?$/;
/** `May 1999`, `12 May 1999`, `May 12, 1999`, `May-1999`. */
const MONTH_NAME =
  /^(?:\d{1,2}[. -]{1,2})?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?[ -](?:\d{1,2}(?:st|nd|rd|th)?,? )?(\d{4})$/i;
const APPROXIMATE = /^(?:(?:c|ca|circa|about|approx|um|vers|~|≈)\.? ?(\d{4})|(\d{4}) ?\(?\?+\)?)$/i;
const TWO_DIGITS = /^(?:['’]?\d{2}|.*[-/.' ’]\d{2})$/;

/** Compiles the year cast. Two-digit years are an issue: 22 may be 1922 or 2022. */
export function yearCast(options: YearOptions): Cast {
  return (text, cell) => {
    if (typeof cell === 'string') return fromText(text, options);
    return fromCell(text, cell, options);
  };
}

function fromCell(text: string, cell: Cell, options: YearOptions): number | CastProblem {
  if (typeof cell === 'number')
    return Number.isInteger(cell) ? inBounds(cell, text, options) : notAYear(text);
  if (typeof cell === 'object' && cell?.kind === 'date' && cell.date !== '') {
    return inBounds(Number(cell.date.slice(0, 4)), text, options);
  }
  return notAYear(text);
}

function fromText(text: string, options: YearOptions): number | CastProblem | typeof BLANK {
  if (PLAIN.test(text)) return inBounds(Number(text), text, options);
  if (options.isBlankWord(text)) return BLANK;
  const match =
    WITH_ZEROS.exec(text) ?? YEAR_FIRST.exec(text) ?? YEAR_LAST.exec(text) ?? MONTH_NAME.exec(text);
  if (match !== null) return inBounds(Number(match[1]), text, options);
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

function inBounds(year: number, text: string, { anyYear }: YearOptions): number | CastProblem {
  if (anyYear === true ? year > 0 && year <= 9999 : year >= RELEASE_YEAR_MIN && year <= RELEASE_YEAR_MAX) {
    return year;
  }
  return new CastProblem('out_of_range', `${quoted(text)} is outside the years allowed`, EXPECTED);
}

function notAYear(text: string): CastProblem {
  return new CastProblem('not_a_year', `${quoted(text)} is not a year`, EXPECTED);
}
