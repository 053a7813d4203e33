/**
 * Words that are understood without a template: the contract's own, and those with only one meaning, in English,
 * German, French, Spanish, Italian and Dutch. `mint`, `good` and `C8` are not among them (carded or loose? on which
 * scale?): grades.ts offers their meanings.
 */
import { ITEM_CONDITIONS, ITEM_PACKAGINGS, ITEM_STATUSES } from '../api/item-words.ts';
import type { ItemCondition, ItemPackaging, ItemStatus } from '../api/schemas.ts';
import type { Meaning } from './casts/cast.ts';
import { WordList } from './casts/words.ts';
import { fold } from './fold.ts';
import cells from './words/cells.json' with { type: 'json' };

/** Fields that have a word list, with the values of the contract (§2, §4). */
export const WORD_FIELDS = {
  condition: ITEM_CONDITIONS,
  packaging: ITEM_PACKAGINGS,
  status: ITEM_STATUSES,
} as const;
export type WordField = keyof typeof WORD_FIELDS;

/** Whether a field has a word list. */
export function isWordField(name: string): name is WordField {
  return Object.hasOwn(WORD_FIELDS, name);
}

const words: {
  condition: Record<ItemCondition, readonly string[]>;
  packaging: Record<ItemPackaging, readonly string[]>;
  status: Record<ItemStatus, readonly string[]>;
} = cells;

/** The words of the contract, and unless `withSynonyms` is false those with only one meaning. */
export function builtInWords(field: WordField, withSynonyms = true): WordList<Meaning> {
  const list = new WordList<Meaning>();
  for (const value of WORD_FIELDS[field]) {
    const meaning: Meaning = { value };
    list.add(value, meaning);
    if (!withSynonyms) continue;
    const synonyms: Partial<Record<string, readonly string[]>> = words[field];
    for (const word of synonyms[value] ?? []) list.add(word, meaning);
  }
  return list;
}

/** Words for "unknown": blank in fields of dates, numbers and fixed values, but not in texts. */
const NOTHING_WORDS: ReadonlySet<string> = new Set(cells.unknown.map(fold));
const ONLY_MARKS = /^[-–—?_.*/ ]+$/;

/** True for `n/a`, `-`, `?`, `unknown` and the like. */
export function isBlankWord(text: string): boolean {
  return ONLY_MARKS.test(text) || (text.length <= 20 && NOTHING_WORDS.has(fold(text)));
}

/**
 * True for cells without the text of a brand, a series or tags: only marks and `n/a` count, because
 * `unknown` may be such a text.
 */
export function isBlankText(text: string): boolean {
  return ONLY_MARKS.test(text) || /^n\/?a$/i.test(text);
}
