/**
 * Characters that a page cannot hold, and those that change the direction of the text around them: a name with U+202E would
 * reverse its neighbours. Built from a string because the linter rejects control characters in a regular expression.
 */
const UNSHOWN = new RegExp(
  String.raw`[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069\uFFFE\uFFFF]`,
  'gu',
);

/** A text as a page can show it, not yet escaped. */
export function showable(text: string): string {
  return text.toWellFormed().replaceAll(UNSHOWN, '\uFFFD');
}
