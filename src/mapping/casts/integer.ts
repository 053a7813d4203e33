/** Whole numbers, for custom fields with `as: integer`. */
import { message } from '../../messages/message.ts';
import { type Approximations, approximateCount, notExact } from './approximate.ts';
import { BLANK, type Cast, CastProblem, cut } from './cast.ts';

/** Digits, and `2.0`. Spreadsheets keep 15 digits of a number. */
const PLAIN = /^([+-]?\d{1,15})(?:[.,](?:0{1,2}|0{4,}))?$/;
const GROUPED = /^[+-]?[1-9]\d{0,2}(?:([,.'’]|\s)\d{3})(?:\1\d{3})*$/;

/**
 * Compiles the cast. The texts `1,234` and `1.234` are 1234: in a column of whole numbers, a mark before three digits
 * can only separate thousands.
 *
 * @param approximate if given, `ca. 20` and `3 Stk.` are read too, and counted here
 */
export function integerCast(isBlankWord: (text: string) => boolean, approximate?: Approximations): Cast {
  return (text, cell) => {
    const plain = PLAIN.exec(text);
    // A number of a workbook has no thousands separators.
    if (plain === null && typeof cell === 'number') return notAnInteger(text);
    if (plain === null && isBlankWord(text)) return BLANK;
    const value = Number(plain?.[1] ?? (GROUPED.test(text) ? text.replace(/[^\d-]/g, '') : Number.NaN));
    if (Number.isSafeInteger(value)) return value === 0 ? 0 : value;
    const about = approximateCount(text);
    if (about === undefined) return notAnInteger(text);
    if (approximate === undefined) return notExact(text, about.count, message('a_whole_number', {}));
    approximate.add(text, about.count, about.isRange);
    return about.count;
  };
}

export function notAnInteger(text: string): CastProblem {
  return new CastProblem(
    'not_an_integer',
    message('no_whole_number', { text: cut(text) }),
    message('a_whole_number', {}),
  );
}
