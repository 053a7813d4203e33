import { limits } from '../sheets/limits.ts';

/**
 * Normalises words that people type for comparison, ignoring case, accents, spaces and punctuation, so that
 * `Release-Year`, `release_year` and `RELEASE YEAR` are the same word. `+` stays, because `C9+` is not
 * `C9`. A text that is too long to be a word is compared unchanged.
 */
export function fold(text: string): string {
  if (text.length > limits.wordCharacters) return text;
  const folded = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/[^\p{L}\p{N}+]+/gu, '');
  // `?` and `-` are all punctuation, so they are compared unchanged.
  return folded === '' ? text.trim().toLowerCase() : folded;
}
