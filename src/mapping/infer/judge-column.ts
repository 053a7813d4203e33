/**
 * Rates one column for one field: weighs the values against how clearly the header points to the field.
 *
 * A header that names the field outweighs any value, but only if the values do not contradict it: nothing that may
 * be wrong is certain.
 */
import { message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';
import { isNumberHeader } from '../synonyms.ts';
import type { ColumnOptions } from '../template/template-column.ts';
import { type ColumnGuess, type Confidence, shareOf } from './column-guess.ts';
import type { ColumnProfile } from './column-profile.ts';
import {
  type HintedField,
  hintsAtCents,
  isBareYear,
  isOtherMatter,
  isRuledOut,
  mayBeName,
  mayRepeat,
} from './header-hints.ts';
import type { WordField } from '../word-lists.ts';

/** Share of the cells that counts as most of them. */
export const MIN_SHARE = 0.8;
const NEARLY_ALL = 0.9;
/** Fewer cells than this prove nothing against a header that names the field. */
const FEW_CELLS = 4;

/**
 * How strongly a header points to a field: the field's own name, a safe word, a word with several meanings, part of a
 * word.
 */
export const STRENGTHS = ['none', 'hint', 'weak', 'usual', 'strong', 'exact'] as const;
export type Strength = (typeof STRENGTHS)[number];

/** True if the header identifies the column, unless values or another column contradict it. */
export function isKnownWord(strength: Strength): boolean {
  return strength === 'exact' || strength === 'strong' || strength === 'usual';
}

/** How well the values of a column fit a field. */
export interface Fit {
  confidence: Confidence;
  /** From 0 to 1: decides between columns whose headers are equally strong. */
  share: number;
  /** A description of the values, if there is one. */
  reason?: Message;
  options?: ColumnOptions;
}

type FitOf = (column: ColumnGuess, strength: Strength, rows: number) => Fit | undefined;

/** The fit for each field; undefined if the values rule the field out. */
export const FITS: Record<HintedField, FitOf> = {
  name: fitName,
  brand: (column, strength) => fitGroup(column, strength, 'brand'),
  series: (column, strength) => fitGroup(column, strength, 'series'),
  release_year: fitYear,
  condition: (column, strength) => fitWords(column, strength, 'condition'),
  packaging: fitPackaging,
  status: (column, strength) => fitWords(column, strength, 'status'),
  tags: fitTags,
  collection: fitCollection,
  estimated_value: fitValue,
};

/** Names look like names and differ from each other: 7 texts in 530 cells are a set. */
function fitName(column: ColumnGuess, strength: Strength, rows: number): Fit | undefined {
  const { header, profile } = column;
  const { filled, names, distinct, length, lists } = profile;
  const share = names / filled;
  const unlike = distinct / filled;
  const isSet = filled >= 10 && (unlike < 0.1 || distinct <= 2);
  const mean = length / filled;
  const reason = message('different_texts', { texts: distinct, cells: filled });
  // A single cell may be anything; a column of answers contains no names.
  if (profile.answers === filled && filled > 1 && (isKnownWord(strength) || header === 'name'))
    return { confidence: 'likely', share, reason: shareOf(column, filled, 'yes_or_no') };
  // This is the contract's own word for the field, so it is meant as such.
  if (header === 'name') return { confidence: 'certain', share: unlike, reason };
  const isKnown = isKnownWord(strength);
  if (isKnown && filled < FEW_CELLS && (share > 0 || strength === 'exact')) {
    return { confidence: share > 0 ? 'certain' : 'likely', share: unlike, reason };
  }
  // Some things have codes as names (GT40, R2-D2): under a header that names the field, they need confirmation.
  if (isKnown && !isSet && share < 0.5 && (names + profile.codes) / filled >= MIN_SHARE && unlike >= 0.3)
    return { confidence: 'likely', share: unlike, reason };
  if (share < 0.5 || (isSet && !(isKnown && mayRepeat(header)))) return undefined;
  if (isKnown) {
    const isSure = share >= MIN_SHARE && !isSet;
    return { confidence: isSure ? 'certain' : 'likely', share: isSet ? unlike - 1 : unlike, reason };
  }
  // Under any other header, the column may hold a property that few items have, such as a nickname.
  if (strength !== 'weak' && filled < rows * MIN_SHARE) return undefined;
  if (isNumberHeader(header) || mean < 2 || mean > 120 || share < MIN_SHARE || lists / filled > 0.5)
    return undefined;
  if (strength === 'weak') return { confidence: 'likely', share: unlike, reason };
  if (strength === 'hint' ? unlike < 0.3 || isRuledOut(header, 'name') : unlike < 0.5 || !mayBeName(header))
    return undefined;
  return {
    confidence: 'likely',
    share: unlike,
    reason: strength === 'hint' ? message('header_points', { what: reason }) : reason,
  };
}

/** For a brand or a series, the texts alone show little, so the header decides. */
function fitGroup(column: ColumnGuess, strength: Strength, field: 'brand' | 'series'): Fit | undefined {
  const { header, profile } = column;
  const { filled, texts, names, distinct, length } = profile;
  if (strength === 'none' || isNumberHeader(header)) return undefined;
  // A series may be a code (EMD) or a number; a maker is a word.
  const share = (field === 'brand' ? names : texts) / filled;
  const reason = message('different_texts', { texts: distinct, cells: filled });
  const isKnown = isKnownWord(strength);
  if (share < 0.5) {
    if (!isKnown || profile.answers === filled) return undefined;
    // A series may be a number, and in a file of three rows a cell may be anything.
    if (strength === 'exact' && (field === 'series' || filled < FEW_CELLS))
      return { confidence: 'certain', share, reason };
    return field === 'series' || filled < FEW_CELLS ? { confidence: 'likely', share, reason } : undefined;
  }
  if (length / filled > 60 || (strength === 'hint' && isOtherMatter(header))) return undefined;
  // A different set in each row is rather the name of the item.
  const isEach = field === 'series' && strength !== 'exact' && filled >= 10 && distinct / filled >= MIN_SHARE;
  if (isKnown) return { confidence: isEach ? 'likely' : 'certain', share, reason };
  const hinted = strength === 'hint' ? message('header_points', { what: reason }) : reason;
  // Only likely, and weaker if the texts may be the name.
  return { confidence: 'likely', share: isEach ? share - 0.5 : share, reason: hinted };
}

function fitYear(column: ColumnGuess, strength: Strength): Fit | undefined {
  const { header, profile } = column;
  const { filled, years, zeros, dates, earlyYears, shortYears } = profile;
  const share = years === 0 ? 0 : years / (filled - zeros);
  const what = dates > filled / 2 ? 'dates_with_year' : 'years';
  const reason = shareOf(column, years, what);
  const isKnown = isKnownWord(strength);
  if (isOtherMatter(header)) return undefined;
  if (isKnown) {
    // A value that is not a year becomes an issue of its row, so no wrong value is sent.
    if (strength !== 'exact' && filled >= FEW_CELLS && share < 0.3) return undefined;
    // Beside more years of three digits, as on old coins, 98 is not 1998.
    const isOld = earlyYears > Math.max(1, shortYears) && shortYears > 0;
    return { confidence: 'certain', share, reason, ...(isOld ? { options: { twoDigitYears: 0 } } : {}) };
  }
  if (share < MIN_SHARE || isNumberHeader(header) || profile.distinct < 2) return undefined;
  if (strength === 'none') {
    if (isBareYear(header) && share === 1 && dates === 0) return { confidence: 'likely', share, reason };
    return dates > filled / 2 ? undefined : { confidence: 'guess', share, reason };
  }
  return { confidence: 'likely', share, reason };
}

function fitValue(column: ColumnGuess, strength: Strength): Fit | undefined {
  const { header, profile } = column;
  const { filled, amounts, approximate, currencies } = profile;
  const share = amounts / filled;
  const all = shareOf(column, amounts, currencies > 0 ? 'amounts_with_currency' : 'amounts');
  const reason = approximate > 0 ? message('approximate_too', { what: all, cells: approximate }) : all;
  if (isNumberHeader(header) || isOtherMatter(header)) return undefined;
  if (isKnownWord(strength)) {
    if (strength !== 'exact' && filled >= FEW_CELLS && share < 0.3) return undefined;
    return { confidence: 'certain', share, reason };
  }
  if (share < MIN_SHARE || profile.dates > filled / 2) return undefined;
  if (strength !== 'none') {
    const cents = hintsAtCents(header);
    const about = message(cents ? 'hundredths' : 'may_be_paid', { what: reason });
    // Prices of another country's market come after those in dollars.
    return { confidence: 'likely', share, reason: about, ...(cents ? { options: { cents: true } } : {}) };
  }
  if (currencies / filled < MIN_SHARE || isRuledOut(header, 'estimated_value')) return undefined;
  return { confidence: 'guess', share, reason };
}

/** Whether half of the cells, and of the different words, mean values of the field. */
export function hasWordsOf(field: WordField, { understood, filled, distinct }: ColumnProfile): boolean {
  const words = understood[field];
  return 2 * sum(words) >= filled && 2 * words.size >= distinct;
}

export function sum(words: ReadonlyMap<string, number>): number {
  return words.values().reduce((all, times) => all + times, 0);
}

function fitWords(column: ColumnGuess, strength: Strength, field: 'condition' | 'status'): Fit | undefined {
  const { filled, words, grades, distinct, length, amounts, approximate, answers } = column.profile;
  const known = words[field] / filled;
  const graded = field === 'condition' ? Math.max(words[field], grades) / filled : known;
  const reason =
    field === 'condition' && grades > words[field]
      ? shareOf(column, grades, 'words_of_grading')
      : shareOf(column, words[field], `words_of_${field}`);
  if (words.packaging > words[field] && strength === 'none') return undefined;
  if (isKnownWord(strength)) {
    // Unknown words become issues of their rows; notes and amounts are never conditions.
    const isOther = length / filled > 60 || amounts - approximate + answers >= filled;
    if (field === 'condition' && strength !== 'exact' && filled >= FEW_CELLS && isOther) {
      // Grades of comics and coins are numbers, though.
      return strength === 'usual' && length / filled <= 60 && distinct <= 40
        ? { confidence: 'likely', share: graded, reason }
        : undefined;
    }
    return { confidence: 'certain', share: graded, reason };
  }
  if (isNumberHeader(column.header)) return undefined;
  // Grades of comics and coins are numbers.
  const isScale = field === 'condition' && strength === 'weak' && distinct <= 40;
  if (strength === 'weak' && (graded >= 0.3 || isScale))
    return { confidence: 'likely', share: graded, reason };
  if (strength === 'hint' && (known >= 0.5 || graded >= 0.5))
    return { confidence: 'likely', share: graded, reason };
  if (strength !== 'none' || known < 0.5) return undefined;
  return { confidence: known >= NEARLY_ALL && filled >= 3 ? 'likely' : 'guess', share: known, reason };
}

/** `Boxed: yes` means the same as `in_package`, once a person has confirmed this. */
function fitPackaging(column: ColumnGuess, strength: Strength): Fit | undefined {
  const { filled, words, answers, flags } = column.profile;
  const share = words.packaging / filled;
  const reason = shareOf(column, words.packaging, 'words_of_packaging');
  const isAnswered = answers > 0 && (flags < filled || filled < FEW_CELLS);
  if (strength !== 'none' && isAnswered && (answers + words.packaging) / filled >= 0.6) {
    const said = shareOf(column, answers, 'yes_or_no_packaging');
    return { confidence: 'likely', share: 0.9, reason: said, options: { yes: 'in_package', no: 'loose' } };
  }
  if (isKnownWord(strength)) {
    // `Box: 12` is the place where an item is stored.
    if (strength === 'usual' && share === 0) return undefined;
    return { confidence: 'certain', share, reason };
  }
  if (isNumberHeader(column.header) || share < 0.5 || words.condition > words.packaging) return undefined;
  const sure = strength !== 'none' || (share >= NEARLY_ALL && filled >= 3);
  return { confidence: sure ? 'likely' : 'guess', share, reason };
}

function fitTags(column: ColumnGuess, strength: Strength): Fit | undefined {
  const { filled, texts, distinct, answers, length } = column.profile;
  const share = texts / filled;
  if (strength === 'none' || share < 0.5 || answers === filled || length / filled > 120) return undefined;
  if (isNumberHeader(column.header)) return undefined;
  const reason = message('different_texts', { texts: distinct, cells: filled });
  if (isKnownWord(strength)) return { confidence: 'certain', share, reason };
  return { confidence: strength === 'weak' ? 'likely' : 'guess', share, reason };
}

function fitCollection(column: ColumnGuess, strength: Strength): Fit | undefined {
  const { filled, distinct, texts, ids, answers } = column.profile;
  const reason = message('different_texts', { texts: distinct, cells: filled });
  if (strength === 'none' || answers === filled || (texts + ids) / filled < 0.5) return undefined;
  if (isKnownWord(strength)) {
    const isGroup = strength === 'exact' || filled < 10 || distinct <= filled / 2;
    return { confidence: isGroup ? 'certain' : 'likely', share: 1, reason };
  }
  return distinct <= Math.max(3, filled / 3) ? { confidence: 'likely', share: 1, reason } : undefined;
}
