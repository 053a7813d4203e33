/** Escapes untrusted text for HTML and SVG. */

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Characters that a page cannot contain, and those that change text direction (a name with U+202E would reverse its
 * neighbours). Built from a string because a linter rejects control characters in a regex.
 */
const UNSHOWN = new RegExp(
  String.raw`[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069\uFFFE\uFFFF]`,
  'gu',
);

/** For text, and for attributes in double or single quotes. */
export function escapeHtml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(UNSHOWN, '\uFFFD')
    .replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
