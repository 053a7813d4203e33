/** What the cells of one column look like: counts of a bounded sample, on which inference rests. Pure. */
import { type Cell, cellText } from '../../sheets/cell.ts';
import { CastProblem } from '../casts/cast.ts';
import { parseDecimal } from '../casts/decimal.ts';
import { castId } from '../casts/id.ts';
import { TAG_SEPARATORS } from '../casts/tags.ts';
import { yesOrNo } from '../casts/yes-no.ts';
import { yearCast } from '../casts/year.ts';
import { builtInWords, isBlankWord, WORD_FIELDS, type WordField } from '../word-lists.ts';

/** Counts of cells; all but `filled` are of the filled ones. */
export interface ColumnProfile {
  /** Cells that say something: not blank, not `n/a` and the like. */
  filled: number;
  /** Different texts. */
  distinct: number;
  /** Years of 1968 to 2100, as a number, a date, or written out. */
  years: number;
  /** Of these, more than a bare year: dates. */
  dates: number;
  /** Of these, years that are not certain: `c. 1985`. */
  uncertain: number;
  /** Amounts of 0 or more. */
  amounts: number;
  /** Amounts with the sign or code of a currency. */
  currencies: number;
  /** Whole numbers from 0 to 1,000. */
  counts: number;
  /** Ids as the service writes them. */
  ids: number;
  /** Cells that say yes or no. */
  answers: number;
  /** Cells that hold a separator of tags. */
  lists: number;
  /** Cells with a letter. */
  texts: number;
  /** Characters of all cells. */
  length: number;
  /** Words of the contract, and those whose meaning is safe. */
  words: Record<WordField, number>;
  /** Folded alike or not: the texts that a field's list does not know, with their counts. */
  unknownWords: Record<WordField, Map<string, number>>;
  /** The first different texts, at most three. */
  examples: string[];
}

const WORDS: readonly WordField[] = Object.keys(WORD_FIELDS) as WordField[];
/** Different texts that are remembered of one column. */
const REMEMBERED = 200;
const YEAR = /^\d{4}$/;
const LETTER = /\p{L}/u;

/** Profiles one column of the sample. */
export function profileColumn(rows: readonly (readonly Cell[])[], index: number): ColumnProfile {
  const profile = emptyProfile();
  const year = yearCast({ isBlankWord });
  const lists = WORDS.map((field) => [field, builtInWords(field)] as const);
  const seen = new Set<string>();
  for (const cells of rows) {
    const cell = cells[index] ?? null;
    const text = cellText(cell).trim();
    if (text === '' || isBlankWord(text)) continue;
    profile.filled += 1;
    profile.length += text.length;
    if (seen.size < rows.length) seen.add(text);
    if (profile.examples.length < 3 && !profile.examples.includes(text)) profile.examples.push(text);
    if (LETTER.test(text)) profile.texts += 1;
    if (yesOrNo(text) !== undefined) profile.answers += 1;
    if (TAG_SEPARATORS.some((separator) => text.includes(separator))) profile.lists += 1;
    if (!(castId(text) instanceof CastProblem)) profile.ids += 1;
    countNumber(profile, text, cell, year);
    for (const [field, list] of lists) {
      if (list.find(text) !== undefined) profile.words[field] += 1;
      else remember(profile.unknownWords[field], text);
    }
  }
  profile.distinct = seen.size;
  return profile;
}

function countNumber(
  profile: ColumnProfile,
  text: string,
  cell: Cell,
  year: ReturnType<typeof yearCast>,
): void {
  const asYear = year(text, cell);
  const uncertain = asYear instanceof CastProblem && asYear.code === 'uncertain_year';
  if (uncertain) profile.uncertain += 1;
  if (uncertain || typeof asYear === 'number') {
    profile.years += 1;
    if (!uncertain && !YEAR.test(text)) profile.dates += 1;
  }
  const amount = parseDecimal(text);
  if (amount instanceof CastProblem) return;
  profile.amounts += 1;
  if (amount.currency !== undefined) profile.currencies += 1;
  if (amount.value !== undefined && Number.isInteger(amount.value) && amount.value <= 1000)
    profile.counts += 1;
}

function remember(words: Map<string, number>, text: string): void {
  const count = words.get(text);
  if (count !== undefined) words.set(text, count + 1);
  else if (words.size < REMEMBERED) words.set(text, 1);
}

function emptyProfile(): ColumnProfile {
  return {
    filled: 0,
    distinct: 0,
    years: 0,
    dates: 0,
    uncertain: 0,
    amounts: 0,
    currencies: 0,
    counts: 0,
    ids: 0,
    answers: 0,
    lists: 0,
    texts: 0,
    length: 0,
    words: { condition: 0, packaging: 0, status: 0 },
    unknownWords: { condition: new Map(), packaging: new Map(), status: new Map() },
    examples: [],
  };
}
