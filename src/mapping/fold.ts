/**
 * One way to compare words that people type: case, accents, spaces and punctuation do not count, so that
 * `Release-Year`, `release_year` and `RELEASE YEAR` are one word. `+` stays, because `C9+` is not `C9`.
 */
export function fold(text: string): string {
  const folded = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/[^\p{L}\p{N}+]+/gu, '');
  // `?` and `-` consist of nothing else; they are compared as they are.
  return folded === '' ? text.trim().toLowerCase() : folded;
}
