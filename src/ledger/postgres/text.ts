/** PostgreSQL's text cannot hold NUL, which cells and values may contain: it is escaped. */

/** The last private use character: hardly anybody uses it, and if somebody does, it is escaped too. */
const ESCAPE = '\u{10fffd}';

export function toText(text: string): string {
  return text.replaceAll(ESCAPE, `${ESCAPE}1`).replaceAll('\0', `${ESCAPE}0`);
}

export function fromText(text: string): string {
  return text.replaceAll(`${ESCAPE}0`, '\0').replaceAll(`${ESCAPE}1`, ESCAPE);
}
