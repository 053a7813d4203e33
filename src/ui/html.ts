/** The building blocks of every view: hono's escaping template, and spreadsheet texts made safe to read. */
import { html } from 'hono/html';
import { showable } from '../base/shown-text.ts';

export { html };
export type Html = ReturnType<typeof html>;

/** Longer cell texts are truncated; the results file has the whole text. */
const MAX_SHOWN = 300;

/** Foreign text for a page: escaped by the template, isolated in its direction, and truncated. */
export function foreign(text: string | null | undefined, longest = MAX_SHOWN): Html {
  const shown = shownText(text ?? '', longest);
  return html`<bdi>${shown}</bdi>`;
}

/** The same text for attributes and titles, in which no elements are allowed. */
export function shownText(text: string, longest = MAX_SHOWN): string {
  const whole = showable(text);
  return whole.length <= longest ? whole : `${[...whole].slice(0, longest).join('')}…`;
}
