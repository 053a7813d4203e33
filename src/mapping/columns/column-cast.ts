/** Chooses the cast of a target: by the field, the template's parameters, and whose file it is. */
import type { DecimalStyle } from '../casts/decimal.ts';
import { integerCast } from '../casts/integer.ts';
import { lookupCast, lookupEach } from '../casts/lookup.ts';
import { NO_WORDS, YES_WORDS, yesNoCast } from '../casts/yes-no.ts';
import { AmountColumn, exactAmountCast } from '../casts/amount.ts';
import { type Cast, BLANK } from '../casts/cast.ts';
import { castExactCustomField, customFieldCast } from '../casts/custom-field.ts';
import { castId } from '../casts/id.ts';
import { quantityCast } from '../casts/quantity.ts';
import { castExactTags, TAG_SEPARATORS, tagsCast } from '../casts/tags.ts';
import { castExactName, castName } from '../casts/name.ts';
import { castExactText, castText } from '../casts/text.ts';
import { exactWordCast, wordCast, WordList } from '../casts/words.ts';
import { yearCast } from '../casts/year.ts';
import { fold } from '../fold.ts';
import { CUSTOM_PREFIX } from '../custom-prefix.ts';
import { isWordField } from '../targets.ts';
import type { ColumnOptions } from '../template/template-column.ts';
import {
  builtInWords,
  isBlankTags,
  isBlankWord,
  WORD_FIELDS,
  type WordField,
  type WordMeaning,
} from '../word-lists.ts';

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
  /** The value is another than the cell's text says: its own text form is compared with the item. */
  ownText?: true;
}

/** The cast for one target. Texts that the template says are blank are so whatever they would be read as. */
export function columnCast(target: string, context: CastContext): ColumnCast {
  const column = castOf(target, context);
  return context.spec.blankWords === undefined
    ? column
    : { ...column, cast: withBlankWords(column.cast, context.spec.blankWords) };
}

function castOf(target: string, context: CastContext): ColumnCast {
  const { spec, ownExport } = context;
  if (target.startsWith(CUSTOM_PREFIX)) return customColumn(context);
  if (isWordField(target)) {
    return ownExport ? { cast: exactWordCast(WORD_FIELDS[target]) } : wordColumn(target, spec);
  }
  switch (target) {
    case 'id':
    case 'collection_id':
      return { cast: castId };
    case 'name':
      return textColumn(ownExport ? castExactName : castName, spec);
    case 'release_year':
      return {
        cast: yearCast({
          approximate: spec.approximate === true,
          isBlankWord: ownExport ? () => false : isBlankWord,
        }),
      };
    case 'estimated_value': {
      if (ownExport) return { cast: exactAmountCast(context.decimal ?? 'point') };
      const amounts = new AmountColumn({
        style: context.decimal ?? spec.decimal,
        currency: spec.currency,
        isBlankWord: isBlankAmount,
      });
      return spec.cents === true
        ? { cast: fromCents(amounts.cast), amounts, ownText: true }
        : { cast: amounts.cast, amounts };
    }
    case 'tags':
      if (ownExport) return { cast: castExactTags };
      return listColumn(spec);
    case 'quantity':
      return { cast: quantityCast(isBlankWord) };
    default:
      return textColumn(ownExport ? castExactText : castText, spec);
  }
}

function customColumn({ spec, ownExport, header, decimal }: CastContext): ColumnCast {
  switch (spec.as) {
    case undefined:
      return textColumn(ownExport ? castExactCustomField : customFieldCast(header), spec);
    case 'text':
      return textColumn(castText, spec);
    case 'integer':
      return { cast: listed(integerCast(isBlankWord), spec), ownText: true };
    case 'year': {
      const cast = yearCast({ approximate: spec.approximate === true, anyYear: true, isBlankWord });
      return { cast: listed(cast, spec), ownText: true };
    }
    case 'yes_no':
      return {
        cast: listed(yesNoCast(spec.yes ?? true, spec.no ?? false, isBlankWord), spec),
        ownText: true,
      };
    case 'list':
      return listColumn(spec);
    default: {
      const amounts = new AmountColumn({
        style: decimal ?? spec.decimal,
        currency: spec.currency,
        signed: true,
        bare: spec.as === 'decimal',
        isBlankWord,
      });
      const cast = spec.cents === true ? fromCents(amounts.cast) : amounts.cast;
      return { cast: listed(cast, spec), amounts, ownText: true };
    }
  }
}

function listColumn(spec: ColumnOptions): ColumnCast {
  const cast = tagsCast(spec.separators ?? TAG_SEPARATORS, isBlankTags);
  return spec.words === undefined ? { cast } : { cast: lookupEach(spec, cast), ownText: true };
}

function textColumn(cast: Cast, spec: ColumnOptions): ColumnCast {
  return spec.words === undefined ? { cast } : { cast: lookupCast(spec, cast), ownText: true };
}

/** Words come before the kind: `words: { gratis: 0 }` in a column of money. */
function listed(cast: Cast, spec: ColumnOptions): Cast {
  return spec.words === undefined ? cast : lookupCast(spec, cast);
}

function isBlankAmount(text: string): boolean {
  return isBlankWord(text) || /^none$/i.test(text);
}

function wordColumn(field: WordField, spec: ColumnOptions): ColumnCast {
  const list = new WordList<WordMeaning>(builtInWords(field, spec.builtInWords !== false));
  let setsOthers = false;
  const answers = [
    ...(spec.yes === undefined ? [] : YES_WORDS.map((word) => [word, spec.yes] as const)),
    ...(spec.no === undefined ? [] : NO_WORDS.map((word) => [word, spec.no] as const)),
  ];
  for (const [word, said = ''] of [...answers, ...Object.entries(spec.words ?? {})]) {
    const pairs = typeof said === 'object' ? Object.entries(said) : [[field, String(said)] as const];
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
  // A word that is not known says nothing, where the template says so.
  const cast = wordCast(list, WORD_FIELDS[field], spec.unknownWords === 'blank' ? () => true : isBlankWord);
  return { cast, words: true, setsOthers };
}

function withBlankWords(cast: Cast, words: readonly string[]): Cast {
  const blank = new Set(words.map(fold));
  return (text, cell) => (blank.has(fold(text)) ? BLANK : cast(text, cell));
}

/** Whole hundredths, divided once: the nearest number to what the digits say, as if they had been written so. */
function fromCents(cast: Cast): Cast {
  return (text, cell) => {
    const value = cast(text, cell);
    return typeof value === 'number' ? value / 100 : value;
  };
}
