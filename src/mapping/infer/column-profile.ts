/** Statistics about the cells of one column: counts from a bounded sample, the basis of inference. Pure. */
import { RELEASE_YEAR_MIN } from '../../api/schemas.ts';
import { type Cell, cellText } from '../../sheets/cell.ts';
import { CastProblem, type Meaning } from '../casts/cast.ts';
import { readAmount } from '../casts/approximate.ts';
import { currencyOf } from '../../base/currency-signs.ts';
import { castId } from '../casts/id.ts';
import { TAG_SEPARATORS } from '../casts/tags.ts';
import { offeredMeanings } from '../grades.ts';
import { isCardNumber, isToken } from '../secrets.ts';
import type { WordList } from '../casts/words.ts';
import { yesOrNo } from '../casts/yes-no.ts';
import { yearCast } from '../casts/year.ts';
import { builtInWords, isBlankWord, WORD_FIELDS, type WordField } from '../word-lists.ts';

/** Counts of cells; all counts except `filled` concern filled cells. */
export interface ColumnProfile {
  /** Filled cells: neither blank nor words such as `n/a`. */
  filled: number;
  /** Different texts. */
  distinct: number;
  /** Years from 1000 to 2100, as a number, a date, or written out. */
  years: number;
  /** Zeros, which programs write for no year. */
  zeros: number;
  /** Years before the first year that the service accepts. */
  oldYears: number;
  /** Years of three digits, as on old coins. */
  earlyYears: number;
  /** Years of one or two digits. */
  shortYears: number;
  /** Years that are whole dates. */
  dates: number;
  /** Uncertain years: `c. 1985`. */
  uncertain: number;
  /** Amounts of 0 or more. */
  amounts: number;
  /** Inexact amounts: `ca. 20 €`, `20-25`. */
  approximate: number;
  /** Amounts with the sign or code of a currency. */
  currencies: number;
  /** Signs, codes and names of currencies, without an amount. */
  units: number;
  /** Whole numbers from 0 to 1,000. */
  counts: number;
  /** Ids as the service writes them. */
  ids: number;
  /** Cells that say yes or no. */
  answers: number;
  /** Answers that say no, and yes or no as programs write them: `0`, `1`, `false`, `true`. */
  refusals: number;
  flags: number;
  /** Cells that contain a separator of tags. */
  lists: number;
  /** Cells with a letter. */
  texts: number;
  /** Texts that may be the name of an item: not an address, file, code, amount, id or date. */
  names: number;
  /** Texts that are codes: `GT40`, `R2-D2`. */
  codes: number;
  /** Words of the scales by which collectors grade: `NM`, `C8`, `very good`, `9.8`. */
  grades: number;
  /** Numbers of payment cards, and access tokens. */
  secrets: number;
  /** Characters of all cells. */
  length: number;
  /** Words of the contract, and words whose meaning is certain. */
  words: Record<WordField, number>;
  /** Texts that mean a value of a field, with their counts: `words`, and words whose meaning is likely. */
  understood: Record<WordField, Map<string, number>>;
  /**
   * Texts that the field's list does not contain, with their counts; texts that differ only in case or
   * accents are counted separately.
   */
  unknownWords: Record<WordField, Map<string, number>>;
  /** The first different texts, at most three. */
  examples: string[];
}

const WORDS: readonly WordField[] = Object.keys(WORD_FIELDS) as WordField[];
const WORD_LISTS: readonly (readonly [WordField, WordList<Meaning>])[] = WORDS.map((field) => [
  field,
  builtInWords(field),
]);
/** Maximum number of different texts to remember of one column. */
const REMEMBERED = 200;
const YEAR = /^\d{4}$/;
/** Letters, and emoji, which are names too. */
const LETTER = /[\p{L}\p{So}]/u;
/** Addresses, paths and files. */
const ADDRESS =
  /^(?:https?:|www\.|\/\/)|^[\w%+.-]+@[\w-]+\.\w+$|[^\s]\.(?:jpe?g|png|gif|webp|pdf|html?|heic|bmp|tiff?)$/i;
/** One word with digits and few small letters: `HKK12`, `SN-00123`, `75192-1`. */
const CODE = /^(?=\S*\d)[\p{Lu}\d._/#-]+$/u;
const GRADE =
  /^(?:near[ -]?)?(?:mint|new|used|poor|fair|good|excellent|fine|sealed|opened|loose|boxed|played|damaged|worn|broken|complete|incomplete|uncirculated|proof)\b|^(?:very|extremely|almost|about|like|lightly|moderately|heavily|slightly|brand|loose|factory) |^(?:nm|m|lp|mp|hp|dmg|vg|g|f|vf|xf|ef|au|unc|bu|fn|ex|p|n|u)(?:[+\-/ ]|$)|^(?:ms|pr|pf|au|c|psa|bgs|cgc|sgc)[ -]?\d|^(?:neu|gut|sehr gut|gebraucht|bespielt|defekt|neuf|occasion|bon|très bon|nuevo|usado|bueno|nuovo|usato|ottimo|buono|discreto|nieuw|goed|redelijk|matig|gebruikt|novo|bom|nowy|dobry|bardzo dobry|idealny|uszkodzony|używany|новый|новое|хорошее|отличное|среднее|新品|美品|良品|中古|ジャンク|未開封)/iu;

/** Profiles one column of the sample. */
export function profileColumn(rows: readonly (readonly Cell[])[], index: number, header = ''): ColumnProfile {
  const profile = emptyProfile();
  const year = yearCast({ anyYear: true, isBlankWord });
  const seen = new Set<string>();
  for (const [cell, times] of cellsOf(rows, index)) {
    const text = cellText(cell).trim();
    if (text === '' || isBlankWord(text)) continue;
    profile.filled += times;
    profile.length += text.length * times;
    seen.add(text);
    if (profile.examples.length < 3 && !profile.examples.includes(text)) profile.examples.push(text);
    const answer = yesOrNo(text);
    if (answer !== undefined) profile.answers += times;
    if (answer === false) profile.refusals += times;
    if (/^(?:[01]|true|false)$/i.test(text)) profile.flags += times;
    if (TAG_SEPARATORS.some((separator) => text.includes(separator))) profile.lists += times;
    const isId = !(castId(text) instanceof CastProblem);
    if (isId) profile.ids += times;
    const isNumber = countNumber(profile, { text, cell, times }, year);
    if (LETTER.test(text)) {
      profile.texts += times;
      const isThing = !isId && !isNumber && !ADDRESS.test(text);
      if (isThing && CODE.test(text)) profile.codes += times;
      else if (isThing) profile.names += times;
    }
    if (currencyOf(text) !== undefined) profile.units += times;
    if (GRADE.test(text)) profile.grades += times;
    if (isCardNumber(text) || isToken(text)) profile.secrets += times;
    for (const [field, list] of WORD_LISTS) {
      const isKnown = list.find(text) !== undefined;
      if (isKnown) profile.words[field] += times;
      else countWord(profile.unknownWords[field], text, times);
      if (isKnown || offeredMeanings(field, text, header).length > 0)
        countWord(profile.understood[field], text, times);
    }
  }
  profile.distinct = seen.size;
  return profile;
}

/**
 * The different cells of a column in file order, and how often each occurs: most columns repeat a few cells, which are
 * examined once.
 */
function cellsOf(rows: readonly (readonly Cell[])[], index: number): Map<Cell, number> {
  const times = new Map<Cell, number>();
  for (const cells of rows) {
    const cell = cells[index] ?? null;
    times.set(cell, (times.get(cell) ?? 0) + 1);
  }
  return times;
}

/** Counts one text of a word field that its list does not know. */
export function countWord(words: Map<string, number>, text: string, times = 1): void {
  const count = words.get(text);
  if (count !== undefined) words.set(text, count + times);
  else if (words.size < REMEMBERED) words.set(text, times);
}

/** True for amounts and for dates. */
function countNumber(
  profile: ColumnProfile,
  { text, cell, times }: { text: string; cell: Cell; times: number },
  year: ReturnType<typeof yearCast>,
): boolean {
  const asYear = year(text, cell);
  const uncertain = asYear instanceof CastProblem && asYear.code === 'uncertain_year';
  const isShort =
    asYear instanceof CastProblem && asYear.code === 'two_digit_year' && /^['’]\d\d$/.test(text);
  const isYear = typeof asYear === 'number' && asYear >= 1000 && asYear <= 2100;
  const isDate = isYear && !YEAR.test(text);
  if (uncertain) profile.uncertain += times;
  if (isDate) profile.dates += times;
  if (isYear && asYear < RELEASE_YEAR_MIN) profile.oldYears += times;
  if (uncertain || isYear || isShort) profile.years += times;
  if (/^[1-9]\d{2}$/.test(text)) profile.earlyYears += times;
  if (/^[1-9]\d?$/.test(text)) profile.shortYears += times;
  if (text === '0') profile.zeros += times;
  const read = readAmount(text);
  if (read instanceof CastProblem) return isDate;
  const { amount, approximately } = read;
  // `um 1985` is a year, not an amount of 1985.
  if (approximately !== undefined) {
    if (isYear || isDate || uncertain) return isDate;
    profile.approximate += times;
  }
  profile.amounts += times;
  if (amount.currency !== undefined) profile.currencies += times;
  if (amount.value !== undefined && Number.isInteger(amount.value) && amount.value <= 1000)
    profile.counts += times;
  return true;
}

function emptyProfile(): ColumnProfile {
  return {
    filled: 0,
    distinct: 0,
    years: 0,
    zeros: 0,
    oldYears: 0,
    earlyYears: 0,
    shortYears: 0,
    dates: 0,
    uncertain: 0,
    amounts: 0,
    approximate: 0,
    currencies: 0,
    units: 0,
    counts: 0,
    ids: 0,
    answers: 0,
    refusals: 0,
    flags: 0,
    lists: 0,
    texts: 0,
    names: 0,
    codes: 0,
    grades: 0,
    secrets: 0,
    length: 0,
    words: { condition: 0, packaging: 0, status: 0 },
    understood: { condition: new Map(), packaging: new Map(), status: new Map() },
    unknownWords: { condition: new Map(), packaging: new Map(), status: new Map() },
    examples: [],
  };
}
