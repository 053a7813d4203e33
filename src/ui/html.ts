/** The building blocks of every view: hono's escaping template, and spreadsheet texts made safe to read. */
import { html } from 'hono/html';

export { html };
export type Html = ReturnType<typeof html>;

/** Longer texts of cells are cut; the whole text is in the results file. */
const MAX_SHOWN = 300;

/**
 * Characters that a page cannot hold, and those that change the direction of the text around them. Built from a string
 * because the linter rejects control characters in a regular expression.
 */
const UNSHOWN = new RegExp(
  String.raw`[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069\uFFFE\uFFFF]`,
  'gu',
);

/** Text that came from outside, as text: escaped by the template, isolated in direction, cut. */
export function foreign(text: string | null | undefined, longest = MAX_SHOWN): Html {
  const shown = shownText(text ?? '', longest);
  return html`<bdi>${shown}</bdi>`;
}

/** The same text for attributes and titles, in which no elements are allowed. */
export function shownText(text: string, longest = MAX_SHOWN): string {
  const whole = text.toWellFormed().replaceAll(UNSHOWN, '\uFFFD');
  return whole.length <= longest ? whole : `${[...whole].slice(0, longest).join('')}…`;
}
