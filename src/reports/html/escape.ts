/** Values of strangers inside HTML and SVG. */

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Characters that a page cannot hold, and those that turn the direction of the text after them (a name with U+202E
 * would turn its neighbours round). Built from text: a linter takes control characters for a slip of the pen.
 */
const UNSHOWN = new RegExp(
  String.raw`[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069\uFFFE\uFFFF]`,
  'gu',
);

/** For text and for attributes in double or single quotes. */
export function escapeHtml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(UNSHOWN, '\uFFFD')
    .replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
