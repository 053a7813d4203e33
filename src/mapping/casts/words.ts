/** Fields of few values (condition, packaging, status): words are looked up, never guessed at. */
import { fold } from '../fold.ts';
import { BLANK, type Cast, CastProblem, quoted } from './cast.ts';

/** How many different cell texts a list remembers, so that a column of a million cells folds each word once. */
const REMEMBERED = 5_000;

/**
 * Words and what they stand for. A text is compared as it is (case apart), then folded. Two words that fold
 * alike but stand for different things (`C-` and `C`) are compared as they are only.
 */
export class WordList<T> {
  readonly #exact = new Map<string, T>();
  readonly #folded = new Map<string, T | undefined>();
  readonly #seen = new Map<string, T | undefined>();
  readonly #fallback: WordList<T> | undefined;

  /** @param fallback asked for what this list does not know */
  constructor(fallback?: WordList<T>) {
    this.#fallback = fallback;
  }

  add(word: string, value: T): this {
    const folded = fold(word);
    this.#exact.set(word.trim().toLowerCase(), value);
    const clash = this.#folded.has(folded) && this.#folded.get(folded) !== value;
    this.#folded.set(folded, clash ? undefined : value);
    return this;
  }

  /** What the text stands for; undefined where it is not known. */
  find(text: string): T | undefined {
    const seen = this.#seen.get(text);
    if (seen !== undefined || this.#seen.has(text)) return seen;
    const found =
      this.#exact.get(text.trim().toLowerCase()) ??
      this.#folded.get(fold(text)) ??
      this.#fallback?.find(text);
    if (this.#seen.size < REMEMBERED) this.#seen.set(text, found);
    return found;
  }
}

/** Compiles a cast for a field of `values`, with the words of `list`. */
export function wordCast<T>(
  list: WordList<T>,
  values: readonly string[],
  isBlankWord: (text: string) => boolean,
): Cast {
  const expected = values.join(', ');
  return (text) => {
    const found = list.find(text);
    if (found !== undefined) return found;
    if (isBlankWord(text)) return BLANK;
    return new CastProblem('unknown_word', `${quoted(text)} is not known`, expected);
  };
}

/** The contract's own words and nothing else: for our own exports. */
export function exactWordCast(values: readonly string[]): Cast {
  const known = new Set(values);
  const expected = values.join(', ');
  return (text) =>
    known.has(text) ? text : new CastProblem('unknown_word', `${quoted(text)} is not known`, expected);
}
