/** PostgreSQL's text holds every character but NUL, which a cell or a value may hold: it is written as another. */

/** The last character of the private use planes: nobody's, and doubled where somebody's after all. */
const ESCAPE = '\u{10fffd}';

export function toText(text: string): string {
  return text.replaceAll(ESCAPE, `${ESCAPE}1`).replaceAll('\0', `${ESCAPE}0`);
}

export function fromText(text: string): string {
  return text.replaceAll(`${ESCAPE}0`, '\0').replaceAll(`${ESCAPE}1`, ESCAPE);
}
