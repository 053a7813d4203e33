/**
 * Column headers by the field that they mean (words/headers.json), compared folded (see fold.ts).
 *
 * `strong` words always mean the field. `usual` words mean it unless another column competes; then inference asks.
 * `weak` words often mean it but can mean something else (a company may be the grader), so inference always asks.
 * Within each list the earlier word wins: a manufacturer is a better brand than a company.
 *
 * `quantity` is missing on purpose: if a row silently became forty items, nothing could undo it, because the API has
 * no delete. It needs `--map` or a template.
 */
import { withoutCurrency } from './casts/currency.ts';
import { limits } from '../sheets/limits.ts';
import { fold } from './fold.ts';
import headers from './words/headers.json' with { type: 'json' };

/** A field that can be guessed from a header. `collection` stands for its name or id. */
export type GuessableField =
  | 'id'
  | 'collection'
  | 'name'
  | 'brand'
  | 'series'
  | 'release_year'
  | 'condition'
  | 'packaging'
  | 'status'
  | 'tags'
  | 'estimated_value';

/** How reliably a word means its field, the most reliable first. */
export const SAFETIES = ['strong', 'usual', 'weak'] as const;
export type Safety = (typeof SAFETIES)[number];

export interface Synonym {
  field: GuessableField;
  /** As written in words/headers.json, for messages: `synonym "maker"`. */
  word: string;
  safety: Safety;
  /** Position among the field's words; the lowest wins. */
  rank: number;
}

const WORDS: Record<GuessableField, Record<Safety, readonly string[]>> = headers.fields;

const listed: readonly [key: string, Synonym][] = (Object.keys(WORDS) as GuessableField[]).flatMap((field) =>
  SAFETIES.flatMap((safety) =>
    WORDS[field][safety].map((word): [string, Synonym] => [
      fold(word),
      { field, word, safety, rank: rankOf(field, word) },
    ]),
  ),
);

/** Position of a word among those of its field. */
function rankOf(field: GuessableField, word: string): number {
  return SAFETIES.flatMap((safety) => WORDS[field][safety]).indexOf(word);
}

/** Folded header → the fields that it can mean, the likeliest first. */
export const SYNONYMS: ReadonlyMap<string, readonly Synonym[]> = new Map(
  [...Map.groupBy(listed, ([key]) => key)].map(([key, entries]) => [
    key,
    entries
      .map(([, synonym]) => synonym)
      .sort((a, b) => SAFETIES.indexOf(a.safety) - SAFETIES.indexOf(b.safety)),
  ]),
);

const VALUE_PHRASES = listed.filter(
  ([, { field, word, safety }]) => field === 'estimated_value' && safety === 'strong' && word.includes(' '),
);

/** The words for a value at the end of a longer header: `Single Current Price`. */
export function findValuePhrase(header: string): Synonym | undefined {
  const folded = fold(header);
  return VALUE_PHRASES.find(([phrase]) => folded.endsWith(phrase))?.[1];
}

/**
 * Headers of numbers, such as `Toy #`, `Item No.` or `ISBN`. Their cells identify items but do not name
 * them.
 */
const NUMBER_HEADER =
  /[#№]|(?:^|[^\p{L}])(?:no|nr|num|number|id|ids|code|sku|upc|ean|isbn|isbn-?1[03]|asin|gtin|barcode|serial|nummer|numero|número|numéro|номер|артикул|штрихкод|番号|型番)(?:$|[^\p{L}])|(?:nummer|number)$/iu;

/** Whether a column holds numbers, codes or ids by its header. Not true of `Set Name and Number`. */
export function isNumberHeader(header: string): boolean {
  if (header.length > limits.wordCharacters) return false;
  return NUMBER_HEADER.test(header) && !/\b(?:name|title)\b/i.test(header.replace(/#.*/, ''));
}

/**
 * Looks up the whole header, then the part before a bracket: `Value (EUR)`, `Year [approx.]`; then amounts without their
 * currency: `price_usd`. Empty for numbers.
 */
export function findSynonyms(header: string): readonly Synonym[] {
  const whole = SYNONYMS.get(fold(header));
  if (whole !== undefined && !/[#№]/u.test(header)) return whole;
  if (isNumberHeader(header) || header.length > limits.wordCharacters) return [];
  const words = SYNONYMS.get(fold(header.replace(/\s*[([][^)\]]*[)\]]\s*$/, '')));
  const amounts = SYNONYMS.get(fold(withoutCurrency(header))) ?? [];
  return words ?? amounts.filter(({ field }) => field === 'estimated_value');
}
