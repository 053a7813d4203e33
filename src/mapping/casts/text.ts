/** Text fields: brand and series, and the checks that names share. `007` stays `007`. */
import { message } from '../../messages/message.ts';
import type { Cell } from '../../sheets/cell.ts';
import { CastProblem, cut } from './cast.ts';

// oxlint-disable-next-line no-control-regex -- finds NUL and similar characters; tab and line ends may stay
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** How spreadsheet programs save a long number as CSV: the last digits are gone. */
const SHORTENED = /^[+-]?\d(?:[.,]\d+)?E\+\d{2,3}$/;

/** Spreadsheet programs keep 15 digits of a number. */
const DIGITS_KEPT = 1e15;

/** The problem of the text; undefined if JSON can carry the text and people can read it. */
export function checkText(text: string): CastProblem | undefined {
  if (CONTROL.test(text)) {
    return new CastProblem(
      'control_character',
      message('has_control_character', {
        sign: `U+${(CONTROL.exec(text)?.[0] ?? '').charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`,
      }),
      message('want_clean_text', {}),
    );
  }
  if (!text.isWellFormed()) {
    return new CastProblem(
      'broken_character',
      message('has_half_character', {}),
      message('want_unicode', {}),
    );
  }
  return undefined;
}

/** The problem of a number that has already lost digits in a spreadsheet program. They cannot be recovered here. */
export function checkNumberLost(text: string, cell: Cell): CastProblem | undefined {
  const lost = typeof cell === 'number' ? Math.abs(cell) >= DIGITS_KEPT : SHORTENED.test(text);
  if (!lost) return undefined;
  return new CastProblem(
    'number_lost',
    message('has_lost_digits', { text: cut(text) }),
    message('want_all_digits', {}),
  );
}

/** Accepts any text. */
export function castText(text: string, cell: Cell): string | CastProblem {
  return checkText(text) ?? checkNumberLost(text, cell) ?? text;
}

/** Text in our own exports, which shorten nothing. */
export function castExactText(text: string): string | CastProblem {
  return checkText(text) ?? text;
}
