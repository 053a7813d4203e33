/**
 * Text that a spreadsheet program would take for a formula, made safe in CSV.
 *
 * The rule is design §6's (after OWASP's page on CSV injection): a leading `'` before text that begins with
 * `= + - @`, tab or CR, and before `'` itself, so that the escape can be taken back without loss.
 */

/** Adds a leading `'` where the text begins with one of `= + - @ '`, tab or CR. */
export function escapeText(text: string): string {
  switch (text.charCodeAt(0)) {
    case 0x3d: // =
    case 0x2b: // +
    case 0x2d: // -
    case 0x40: // @
    case 0x27: // '
    case 0x09: // tab
    case 0x0d: // CR
      return `'${text}`;
    default:
      return text;
  }
}

/** The inverse of escapeText: `unescapeText(escapeText(x)) === x`; any other text passes unchanged. */
export function unescapeText(text: string): string {
  if (text.charCodeAt(0) !== 0x27) return text;
  const rest = text.slice(1);
  return escapeText(rest) === text ? rest : text;
}
