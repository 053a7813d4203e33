/**
 * Text that a spreadsheet program would take for a formula, made safe in CSV.
 *
 * A `'` before text that begins with `= + - @`, tab or CR, after OWASP's page on CSV injection. A program may split the
 * file at another character than the file's own delimiter (Excel takes that of the user's language), and then each part
 * of a text is a cell: every part is escaped.
 */

/** Where a program may begin a cell, whatever the delimiter of the file. */
const START = String.raw`(?<=^|[,;|\t\r\n])`;
/** Apostrophes count, so that the escape can be told from those of the text; quotes and spaces may be dropped. */
const FORMULA = String.raw`(?='*["\p{Zs}]*[=+@\t\r＝＋－＠-])`;
const TO_ESCAPE = new RegExp(START + FORMULA, 'gu');
const ESCAPED = new RegExp(`${START}'${FORMULA}`, 'gu');

/** Most texts have neither, which takes a tenth of the time to see. */
const FIRST = /^['"\p{Zs}=+@\t\r＝＋－＠-]/u;
const WITHIN = /[,;|\t\r\n]['"\p{Zs}]*[=+@\t\r＝＋－＠-]/u;

const NUMBER = /^[-+](?:\p{Sc}|[A-Z]{3})?[\d.,'’\u00a0\u202f ]+(?:[%\p{Sc}]|[A-Z]{3})?$/u;

/** Adds a `'` wherever a cell may begin with `= + - @`, tab or CR, alone or behind apostrophes, quotes and spaces. */
export function escapeText(text: string): string {
  return FIRST.test(text) || WITHIN.test(text) ? text.replace(TO_ESCAPE, "'") : text;
}

/** Takes away exactly what `escapeText` adds: `unescapeText(escapeText(x)) === x`. */
export function unescapeText(text: string): string {
  return text.includes("'") ? text.replace(ESCAPED, '') : text;
}

/** True for a number with a sign, in any locale: `-5`, `+3.5 %`, `-1’234.50`, `-€5`. No program computes anything of it. */
export function isSignedNumber(text: string): boolean {
  return NUMBER.test(text) && /\d/.test(text);
}
