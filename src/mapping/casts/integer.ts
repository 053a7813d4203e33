/** Whole numbers, for custom fields that are read so. */
import { BLANK, type Cast, CastProblem, quoted } from './cast.ts';

/** Digits with or without thousands, and `2.0`; 15 digits are what a spreadsheet keeps of a number. */
const PLAIN = /^([+-]?\d{1,15})(?:[.,](?:0{1,2}|0{4,}))?$/;
const GROUPED = /^[+-]?\d{1,3}(?:([,.'’ \u00a0])\d{3})(?:\1\d{3})*$/;

/**
 * Compiles the cast. `1,234` and `1.234` are 1234: in a column of whole numbers, a mark before three digits can
 * only stand for thousands.
 */
export function integerCast(isBlankWord: (text: string) => boolean): Cast {
  return (text) => {
    const plain = PLAIN.exec(text);
    if (plain === null && isBlankWord(text)) return BLANK;
    const value = Number(plain?.[1] ?? (GROUPED.test(text) ? text.replace(/[^\d-]/g, '') : Number.NaN));
    if (Number.isSafeInteger(value)) return value === 0 ? 0 : value;
    return new CastProblem('not_an_integer', `${quoted(text)} is not a whole number`, 'a whole number');
  };
}
