/** Caches results by text, because a column's cells repeat. */

import { limits } from '../sheets/limits.ts';

/** Texts that one function remembers, none of them longer than a word. Bounded, so that memory stays flat. */
const REMEMBERED = 5_000;

/** The same function with its results cached. Results are shared: do not change them. */
export function remembered<T>(read: (text: string) => T): (text: string) => T {
  const seen = new Map<string, T>();
  return (text) => {
    const known = seen.get(text);
    if (known !== undefined || seen.has(text)) return known as T;
    const answer = read(text);
    if (seen.size < REMEMBERED && text.length <= limits.wordCharacters) seen.set(text, answer);
    return answer;
  };
}
