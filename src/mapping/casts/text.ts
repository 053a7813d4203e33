/** Text fields: brand, series, and the part of a name that is the same. `007` stays `007`. */
import type { Cell } from '../../sheets/cell.ts';
import { CastProblem, quoted } from './cast.ts';

// oxlint-disable-next-line no-control-regex -- NUL and its like are what is looked for; tab and line ends may stay
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** What a spreadsheet program makes of a long number when it saves a CSV: the last digits are gone. */
const SHORTENED = /^[+-]?\d(?:[.,]\d+)?E\+\d{2,3}$/;

/** Spreadsheet programs keep 15 digits of a number. */
const DIGITS_KEPT = 1e15;

/** Text that a JSON body can carry and a person can read, or what is wrong with it. */
export function checkText(text: string): CastProblem | undefined {
  if (CONTROL.test(text)) {
    return new CastProblem(
      'control_character',
      `has a control character (U+${(CONTROL.exec(text)?.[0] ?? '').charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()})`,
      'text without control characters other than tab and line ends',
    );
  }
  if (!text.isWellFormed()) {
    return new CastProblem('broken_character', 'has half of a surrogate pair', 'well-formed Unicode text');
  }
  return undefined;
}

/** A number of which a spreadsheet program has already dropped digits: it cannot be put right from here. */
export function checkNumberLost(text: string, cell: Cell): CastProblem | undefined {
  const lost = typeof cell === 'number' ? Math.abs(cell) >= DIGITS_KEPT : SHORTENED.test(text);
  if (!lost) return undefined;
  return new CastProblem(
    'number_lost',
    `${quoted(text)} is a long number that a spreadsheet program has shortened: its last digits are gone`,
    'the whole number: format the column as text, type it again',
  );
}

/** Any text. */
export function castText(text: string, cell: Cell): string | CastProblem {
  return checkText(text) ?? checkNumberLost(text, cell) ?? text;
}

/** Our own exports wrote it: nothing was shortened. */
export function castExactText(text: string): string | CastProblem {
  return checkText(text) ?? text;
}
