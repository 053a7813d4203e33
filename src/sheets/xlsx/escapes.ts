/**
 * `_xHHHH_`, by which XLSX writes characters that XML cannot hold (ECMA-376 part 1, 22.9.2.19 ST_Xstring).
 */
const ESCAPE = /_x([0-9a-fA-F]{4})_/gu;
// Built from text, because a linter reports control characters in a literal expression as mistakes.
const UNSAFE = new RegExp(
  [
    String.raw`[\u0000-\u0008\u000B-\u001F\uFFFE\uFFFF]`,
    String.raw`[\uD800-\uDBFF](?![\uDC00-\uDFFF])`,
    String.raw`(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]`,
    '_(?=x[0-9a-fA-F]{4}_)',
  ].join('|'),
  'g',
);

/** `_x000D_` → CR, `_x005F_` → `_`. */
export function decodeEscapes(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replaceAll(ESCAPE, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** The inverse: control characters, lone surrogates, and text that itself looks like an escape. */
export function encodeEscapes(text: string): string {
  return text.replaceAll(
    UNSAFE,
    (found) => `_x${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
  );
}
