/** Chooses the cast for a target by its field, the template's options, and whether the file is our own export. */
import type { DecimalStyle } from '../casts/decimal.ts';
import { integerCast } from '../casts/integer.ts';
import { lookupCast, lookupEach } from '../casts/lookup.ts';
import { NO_WORDS, YES_WORDS, yesNoCast } from '../casts/yes-no.ts';
import { AmountColumn, exactAmountCast } from '../casts/amount.ts';
import { Approximations } from '../casts/approximate.ts';
import { type Cast, BLANK, CastProblem, cut, type Meaning } from '../casts/cast.ts';
import { castExactCustomField, customFieldCast, LostDigits } from '../casts/custom-field.ts';
import { currencyOf } from '../../base/currency-signs.ts';
import { currencyOfHeader } from '../casts/currency.ts';
import { castId } from '../casts/id.ts';
import { quantityCast } from '../casts/quantity.ts';
import { castExactTags, CommaTags, TAG_SEPARATORS, tagsCast } from '../casts/tags.ts';
import { castExactName, castName } from '../casts/name.ts';
import { castExactText, castText } from '../casts/text.ts';
import { exactWordCast, unknownWord, wordCast, WordList } from '../casts/words.ts';
import { KEPT_DATE, saysMore, yearCast } from '../casts/year.ts';
import { CUSTOM_PREFIX } from '../custom-prefix.ts';
import { type Cell, isMoney } from '../../sheets/cell.ts';
import type { MappingOptions } from '../mapping.ts';
import type { ColumnOptions } from '../template/template-column.ts';
import { gradesOf, offeredMeanings } from '../grades.ts';
import { message } from '../../messages/message.ts';
import { LikelyReadings } from './likely-readings.ts';
import {
  isWordField,
  builtInWords,
  isBlankText,
  isBlankWord,
  WORD_FIELDS,
  type WordField,
} from '../word-lists.ts';

export interface CastContext {
  spec: ColumnOptions;
  /** The source column's header; '' for a default or constant. */
  header: string;
  exact: boolean;
  /** `--decimal`: takes precedence over the template. */
  decimal: DecimalStyle | undefined;
  /** `--rate`, for estimated_value. */
  rates?: MappingOptions['rates'];
}

export interface ColumnCast {
  cast: Cast;
  /** For amounts only: the decimal styles and currencies that the column has shown. */
  amounts?: AmountColumn;
  /** Present if approximate cells are read. */
  approximations?: Approximations | undefined;
  /** The likely readings of its cells. */
  likely: LikelyReadings;
  /** For tags only, if nobody has set their separator. */
  commas?: CommaTags;
  /** Custom fields that keep numbers with lost digits. */
  lostDigits?: LostDigits | undefined;
  /** The cast gives a Meaning, not the value itself. */
  meanings?: true;
  /** Some cells set another field too. */
  setsOthers?: boolean;
  /** The value differs from the cell's text, so the text form of the value is compared with the item. */
  ownText?: true;
}

/** A cast, without the count of its likely readings. */
type FieldCast = Omit<ColumnCast, 'likely'>;

/** The cast for one target. The template's `blankWords` come before any other reading. */
export function columnCast(target: string, context: CastContext): ColumnCast {
  const { blankWords = [] } = context.spec;
  const likely = new LikelyReadings(blankWords);
  const column = castOf(target, context);
  if (blankWords.length === 0) return { ...column, likely };
  const cast: Cast = (text, cell) => (likely.isNamed(text) ? BLANK : column.cast(text, cell));
  return { ...column, likely, cast };
}

function castOf(target: string, context: CastContext): FieldCast {
  const { spec, exact } = context;
  if (target.startsWith(CUSTOM_PREFIX)) return customColumn(context);
  if (isWordField(target)) {
    return exact ? { cast: exactWordCast(WORD_FIELDS[target]) } : wordColumn(target, context);
  }
  switch (target) {
    case 'id':
    case 'collection_id':
      return { cast: castId };
    case 'name':
      return textColumn(exact ? castExactName : castName, spec);
    case 'release_year': {
      const approximations = approximationsOf(spec);
      const cast = yearCast({
        approximate: approximations,
        twoDigitYears: spec.twoDigitYears,
        isBlankWord: exact ? () => false : isBlankWord,
      });
      return { ...yearColumn(cast, spec), approximations };
    }
    case 'estimated_value': {
      const approximations = exact ? undefined : approximationsOf(spec);
      const amounts = new AmountColumn({
        style: context.decimal ?? spec.decimal,
        currency: codesOf(spec.currency) ?? currencyOfHeader(context.header),
        rates: spec.rates ?? context.rates,
        ...(spec.cents === true ? { cents: true } : {}),
        approximate: approximations,
        isBlankWord: exact ? () => false : isBlankAmount,
      });
      if (exact && context.decimal !== undefined) {
        const plain = exactAmountCast(context.decimal);
        return { cast: (text, cell) => (isMoney(cell) ? amounts.cast : plain)(text, cell), amounts };
      }
      return spec.cents === true
        ? { cast: fromCents(amounts.cast), amounts, approximations, ownText: true }
        : { cast: amounts.cast, amounts, approximations };
    }
    case 'tags':
      if (exact) return { cast: castExactTags };
      return spec.separators === undefined ? splitTags(spec) : listColumn(spec);
    case 'quantity': {
      const approximations = approximationsOf(spec);
      return { cast: quantityCast(isBlankWord, approximations), approximations };
    }
    case 'brand':
    case 'series':
      return textColumn(exact ? castExactText : castGroup, spec);
    default:
      return textColumn(exact ? castExactText : castText, spec);
  }
}

function customColumn({ spec, exact, header, decimal }: CastContext): FieldCast {
  const approximations = approximationsOf(spec);
  switch (spec.as) {
    case undefined: {
      if (exact) return textColumn(castExactCustomField, spec);
      const lostDigits = spec.lostDigits === 'keep' ? new LostDigits() : undefined;
      return { ...textColumn(customFieldCast(header, lostDigits), spec), lostDigits };
    }
    case 'text':
      return textColumn(castText, spec);
    case 'integer':
      return {
        cast: listed(integerCast(isBlankWord, approximations), spec),
        approximations,
        ownText: true,
      };
    case 'year': {
      const cast = yearCast({ approximate: approximations, anyYear: true, isBlankWord });
      return { cast: listed(cast, spec), approximations, ownText: true };
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
        currency: codesOf(spec.currency),
        rates: spec.rates,
        signed: true,
        ...(spec.cents === true ? { cents: true } : {}),
        bare: spec.as === 'decimal',
        approximate: approximations,
        isBlankWord,
      });
      const cast = spec.cents === true ? fromCents(amounts.cast) : amounts.cast;
      return { cast: listed(cast, spec), amounts, approximations, ownText: true };
    }
  }
}

function approximationsOf(spec: ColumnOptions): Approximations | undefined {
  return spec.approximate === 'read' ? new Approximations() : undefined;
}

/**
 * Applies `outOfRange` and `dates`: the part that the year alone would lose is an issue, is lost, or is kept in a
 * custom field.
 */
function yearColumn(cast: Cast, { outOfRange = 'issue', dates }: ColumnOptions): FieldCast {
  if (outOfRange === 'issue' && dates !== 'keep') return { cast };
  const accepted = (value: unknown): unknown => {
    if (!(value instanceof CastProblem) || value.code !== 'out_of_range') return value;
    return value.offers.find(({ accept }) => accept.outOfRange === outOfRange) ?? value;
  };
  return {
    meanings: true,
    setsOthers: outOfRange === 'keep' || dates === 'keep',
    cast: (text, cell) => {
      const value = accepted(cast(text, cell));
      if (value instanceof CastProblem || value === BLANK) return value;
      const meaning: Meaning = typeof value === 'number' ? { value } : (value as Meaning);
      const isWhole = meaning.also?.[0]?.value === text;
      if (dates === 'keep' && !isWhole && saysMore(text, cell)) {
        const also = [{ field: KEPT_DATE, value: text }];
        return { ...meaning, also, note: message('date_kept', { text: cut(text) }) };
      }
      const isKept = meaning.also !== undefined;
      return isKept ? { ...meaning, note: message('year_kept', { text: cut(text) }) } : meaning;
    },
  };
}

function splitTags(spec: ColumnOptions): FieldCast {
  const commas = new CommaTags();
  return { ...listColumn(spec, commas), commas };
}

function listColumn(spec: ColumnOptions, commas?: CommaTags): FieldCast {
  const cast = tagsCast(spec.separators ?? TAG_SEPARATORS, isBlankText, commas);
  return spec.words === undefined ? { cast } : { cast: lookupEach(spec, cast), ownText: true };
}

function textColumn(cast: Cast, spec: ColumnOptions): FieldCast {
  return spec.words === undefined ? { cast } : { cast: lookupCast(spec, cast), ownText: true };
}

/** Looks up `words` before the cast for the kind: `words: { gratis: 0 }` in a column of money. */
function listed(cast: Cast, spec: ColumnOptions): Cast {
  return spec.words === undefined ? cast : lookupCast(spec, cast);
}

/** Casts a brand or a series; `?` leaves it blank. */
function castGroup(text: string, cell: Cell): ReturnType<Cast> {
  return isBlankText(text) ? BLANK : castText(text, cell);
}

function codesOf(currency: string | undefined): string[] | undefined {
  return currency === undefined ? undefined : [currency.toUpperCase()];
}

/** True for a currency without an amount: `€`, `n/a EUR`. */
function isBlankAmount(text: string): boolean {
  if (isBlankWord(text) || /^none$/i.test(text)) return true;
  if (/\d/.test(text)) return false;
  const words = text.split(/\s+/).filter((word) => currencyOf(word) === undefined);
  return words.length === 0 || isBlankWord(words.join(' '));
}

function wordColumn(field: WordField, { spec, header }: CastContext): FieldCast {
  const known = spec.builtInWords !== false;
  const builtIn = builtInWords(field, known);
  const list = new WordList<Meaning>(spec.grades === undefined ? builtIn : gradesOf(spec.grades, builtIn));
  const takesOffers = spec.offeredWords === 'take';
  let setsOthers = takesOffers || spec.grades !== undefined;
  const answers = [
    ...(spec.yes === undefined ? [] : YES_WORDS.map((word) => [word, spec.yes] as const)),
    ...(spec.no === undefined ? [] : NO_WORDS.map((word) => [word, spec.no] as const)),
  ];
  for (const [word, said = ''] of [...answers, ...Object.entries(spec.words ?? {})]) {
    const pairs = typeof said === 'object' ? Object.entries(said) : [[field, String(said)] as const];
    const own = pairs.find(([name]) => name === field);
    const also = pairs.filter(([name]) => name !== field).map(([name, value]) => ({ field: name, value }));
    if (also.length > 0) setsOthers = true;
    list.add(word, {
      ...(own === undefined ? {} : { value: own[1] }),
      ...(also.length === 0 ? {} : { also }),
    });
  }
  // With `unknownWords: blank`, an unknown word is blank.
  const otherwise = (text: string) => {
    const offers = known ? offeredMeanings(field, text, header) : [];
    const [likeliest] = offers;
    if (takesOffers && likeliest !== undefined) {
      const value = typeof likeliest.value === 'string' ? likeliest.value : '';
      return { ...likeliest, note: message('taken_as', { field, text: cut(text), value }) };
    }
    return spec.unknownWords === 'blank' ? BLANK : unknownWord(text, WORD_FIELDS[field], offers);
  };
  return {
    cast: wordCast(list, isBlankWord, otherwise),
    meanings: true,
    setsOthers,
  };
}

/** Divides hundredths once, which gives the number nearest to the digits, as if it had been written with decimals. */
function fromCents(cast: Cast): Cast {
  return (text, cell) => {
    const value = cast(text, cell);
    return typeof value === 'number' ? value / 100 : value;
  };
}
