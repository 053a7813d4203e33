/** Looks up a cell's text in a template's `words`, for fields that take any text. */
import { message } from '../../messages/message.ts';
import type { ColumnOptions } from '../template/template-column.ts';
import { BLANK, type Cast, CastProblem, cut } from './cast.ts';
import { WordList } from './words.ts';

/** How many words a message lists. */
const LISTED = 12;

/** Compiles `words` and `unknownWords`; `otherwise` casts texts that are not listed but kept. */
export function lookupCast(spec: ColumnOptions, otherwise: Cast): Cast {
  const { list, unknown } = lookupOf(spec);
  return (text, cell) => list.find(text)?.value ?? unknown(text) ?? otherwise(text, cell);
}

/** Looks up each entry of a list; blank entries are left out. */
export function lookupEach(spec: ColumnOptions, split: Cast): Cast {
  const { list, unknown } = lookupOf(spec);
  return (text, cell) => {
    const entries = split(text, cell);
    if (!Array.isArray(entries)) return entries;
    const found: unknown[] = [];
    for (const entry of entries as string[]) {
      const value = list.find(entry)?.value ?? unknown(entry) ?? entry;
      if (value instanceof CastProblem) return value;
      if (value !== BLANK && !found.includes(value)) found.push(value);
    }
    return found.length === 0 ? BLANK : found;
  };
}

function lookupOf({ words = {}, unknownWords = 'keep' }: ColumnOptions) {
  // Wrapped in an object, because false and 0 are values too.
  const list = new WordList<{ value: unknown }>();
  for (const [word, value] of Object.entries(words)) list.add(word, { value });
  const names = Object.keys(words);
  const more = names.length > LISTED ? ['…'] : [];
  const expected = message('want_one_of', { words: [...names.slice(0, LISTED), ...more] });
  const unknown = (text: string) => {
    if (unknownWords === 'keep') return undefined;
    if (unknownWords === 'blank') return BLANK;
    return new CastProblem('unknown_word', message('word_not_known', { text: cut(text) }), expected);
  };
  return { list, unknown };
}
