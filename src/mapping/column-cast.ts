/** Chooses the cast of a target: by the field, the template's parameters, and whose file it is. */
import type { DecimalStyle } from './casts/decimal.ts';
import { AmountColumn, exactAmountCast } from './casts/amount.ts';
import { type Cast, BLANK } from './casts/cast.ts';
import { castExactCustomField, customFieldCast } from './casts/custom-field.ts';
import { castId } from './casts/id.ts';
import { quantityCast } from './casts/quantity.ts';
import { castExactTags, TAG_SEPARATORS, tagsCast } from './casts/tags.ts';
import { castExactName, castExactText, castName, castText } from './casts/text.ts';
import { exactWordCast, wordCast, WordList } from './casts/words.ts';
import { yearCast } from './casts/year.ts';
import { fold } from './fold.ts';
import { type ColumnOptions, CUSTOM_PREFIX, isWordField } from './template.ts';
import {
  builtInWords,
  isBlankTags,
  isBlankWord,
  WORD_FIELDS,
  type WordField,
  type WordMeaning,
} from './word-lists.ts';

export interface CastContext {
  spec: ColumnOptions;
  /** The source column's header; '' for a default or constant. */
  header: string;
  ownExport: boolean;
  /** `--decimal`: wins over the template. */
  decimal: DecimalStyle | undefined;
}

export interface ColumnCast {
  cast: Cast;
  /** Amounts only: the column's memory of decimal styles and currencies. */
  amounts?: AmountColumn;
  /** Words only: the cast gives a WordMeaning, not the value itself. */
  words?: true;
  /** Words only: some word sets another field too. */
  setsOthers?: boolean;
}

/** The cast for one target. */
export function columnCast(target: string, context: CastContext): ColumnCast {
  const { spec, ownExport } = context;
  if (target.startsWith(CUSTOM_PREFIX)) {
    return withBlankWords(ownExport ? castExactCustomField : customFieldCast(context.header), spec);
  }
  if (isWordField(target)) {
    return ownExport ? { cast: exactWordCast(WORD_FIELDS[target]) } : wordColumn(target, spec);
  }
  switch (target) {
    case 'id':
    case 'collection_id':
      return { cast: castId };
    case 'name':
      return withBlankWords(ownExport ? castExactName : castName, spec);
    case 'release_year':
      return {
        cast: yearCast({
          approximate: spec.approximate === true,
          isBlankWord: ownExport ? () => false : blankWords(spec, isBlankWord),
        }),
      };
    case 'estimated_value': {
      if (ownExport) return { cast: exactAmountCast(context.decimal ?? 'point') };
      const amounts = new AmountColumn({
        style: context.decimal ?? spec.decimal,
        currency: spec.currency,
        isBlankWord: blankWords(spec, isBlankAmount),
      });
      return { cast: amounts.cast, amounts };
    }
    case 'tags':
      if (ownExport) return { cast: castExactTags };
      return { cast: tagsCast(spec.separators ?? TAG_SEPARATORS, blankWords(spec, isBlankTags)) };
    case 'quantity':
      return { cast: quantityCast(blankWords(spec, isBlankWord)) };
    default:
      return withBlankWords(ownExport ? castExactText : castText, spec);
  }
}

function isBlankAmount(text: string): boolean {
  return isBlankWord(text) || /^none$/i.test(text);
}

function wordColumn(field: WordField, spec: ColumnOptions): ColumnCast {
  const list = new WordList<WordMeaning>(builtInWords(field, spec.builtInWords !== false));
  let setsOthers = false;
  for (const [word, said] of Object.entries(spec.words ?? {})) {
    const pairs = typeof said === 'string' ? [[field, said] as const] : Object.entries(said);
    const meaning: WordMeaning = {};
    const also: { field: WordField; value: string }[] = [];
    for (const [name, value] of pairs) {
      if (name === field) meaning.value = value;
      else if (isWordField(name)) also.push({ field: name, value });
    }
    if (also.length > 0) {
      meaning.also = also;
      setsOthers = true;
    }
    list.add(word, meaning);
  }
  const cast = wordCast(list, WORD_FIELDS[field], blankWords(spec, isBlankWord));
  return { cast, words: true, setsOthers };
}

function blankWords(spec: ColumnOptions, builtIn: (text: string) => boolean): (text: string) => boolean {
  if (spec.blankWords === undefined) return builtIn;
  const listed = new Set(spec.blankWords.map(fold));
  return (text) => listed.has(fold(text)) || builtIn(text);
}

/** Text fields have no blank words of their own; a template may name some. */
function withBlankWords(cast: Cast, spec: ColumnOptions): ColumnCast {
  if (spec.blankWords === undefined) return { cast };
  const listed = new Set(spec.blankWords.map(fold));
  return { cast: (text, cell) => (listed.has(fold(text)) ? BLANK : cast(text, cell)) };
}
