/** Fields with few values (condition, packaging, status): words are looked up, never guessed. */
import { message } from '../../messages/message.ts';
import { fold } from '../fold.ts';
import { remembered } from '../remembered.ts';
import { BLANK, type Cast, CastProblem, type Meaning, cut, type OfferedMeaning } from './cast.ts';

/**
 * Words and their meanings. A text is looked up as it is, ignoring case, and then folded. Words that fold
 * alike but stand for different things (`C-` and `C`) are found only in their exact form.
 */
export class WordList<T> {
  readonly #exact = new Map<string, T>();
  readonly #folded = new Map<string, T | undefined>();
  readonly #fallback: WordList<T> | undefined;

  /** @param fallback used for words that are not in this list */
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

  /** The meaning of the text; undefined if it is unknown. Call it once all words are added. */
  readonly find = remembered(
    (text): T | undefined =>
      this.#exact.get(text.trim().toLowerCase()) ??
      this.#folded.get(fold(text)) ??
      this.#fallback?.find(text),
  );
}

/** Compiles a cast for words. `otherwise` handles words that are neither listed nor blank. */
export function wordCast(
  list: WordList<Meaning>,
  isBlankWord: (text: string) => boolean,
  otherwise: (text: string) => Meaning | typeof BLANK | CastProblem,
): Cast {
  return (text) => list.find(text) ?? (isBlankWord(text) ? BLANK : otherwise(text));
}

/** The issue for an unknown word or, with offers, for a word without an exact counterpart. */
export function unknownWord(
  text: string,
  values: readonly string[],
  offers: readonly OfferedMeaning[] = [],
): CastProblem {
  const expected = message('want_one_of', { words: values });
  const about = { text: cut(text) };
  if (offers.length === 0) return new CastProblem('unknown_word', message('word_not_known', about), expected);
  return new CastProblem('inexact_word', message('word_not_exact', about), expected, offers);
}

/** Accepts only the contract's own words; for our own exports. */
export function exactWordCast(values: readonly string[]): Cast {
  const known = new Set(values);
  return (text) => (known.has(text) ? text : unknownWord(text, values));
}
