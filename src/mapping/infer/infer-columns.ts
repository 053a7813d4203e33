/**
 * Proposes what each column of a file is, by its header and its values together, with a confidence and a reason.
 * The same for `template infer`, which prints it, and for an import without a template, which uses what is certain
 * and asks about what is likely. Pure.
 *
 * Each field scores each column; the best pair is taken first. A header that names the field outweighs any value,
 * but only where the values do not contradict it: nothing that may be wrong is certain.
 */
import { counted } from '../../counted.ts';
import type { Cell } from '../../sheets/cell.ts';
import { fieldOfHeader, fixedColumns, NOT_KNOWN } from '../columns/columns.ts';
import { fold } from '../fold.ts';
import { isOwnExport, isResultsFile } from '../headers.ts';
import type { ColumnUse, MappingOptions } from '../mapping.ts';
import { findSynonyms, isNumberHeader, type Synonym } from '../synonyms.ts';
import type { ColumnOptions } from '../template/template-column.ts';
import { type ColumnProfile, profileColumn } from './column-profile.ts';
import {
  type HintedField,
  hintsAt,
  hintsAtCents,
  hintsAtMoney,
  isOtherMatter,
  isOwnership,
  isRuledOut,
  mayBeName,
} from './header-hints.ts';

/**
 * `certain`: the header names the field, the values agree, and no other column competes; or a flag says so.
 * `likely`: used, but a person is asked first. `guess`: worth a look; never used unasked.
 */
export type Confidence = 'certain' | 'likely' | 'guess';

export interface ColumnGuess {
  index: number;
  header: string;
  letter: string;
  profile: ColumnProfile;
  /** Absent where the column is left out. */
  target?: string;
  confidence?: Confidence;
  /** For people, without the column's name: `48 of 50 cells are years`. */
  reason: string;
  /** Decided by a flag, or by a header that leaves nothing to interpret. */
  byFlag?: true;
  /** tags: the column is one that is ticked. */
  ticked?: true;
  /** How its cells are to be read, where the field alone does not say. */
  options?: ColumnOptions;
}

export interface Inference {
  /** One a column, in the order of the file. */
  columns: ColumnGuess[];
  /** Rows that were looked at. */
  rows: number;
}

/** Rows that inference looks at: more do not make it surer, and a file of any size takes the same time. */
export const SAMPLE_ROWS = 1000;

const MOST = 0.8;
const NEARLY_ALL = 0.9;
/** Fewer cells than this prove nothing against a header that names the field. */
const FEW_CELLS = 4;

/** How a header speaks of a field: the field's own name, a safe word, a word of several meanings, a part of it. */
const STRENGTHS = ['none', 'hint', 'weak', 'usual', 'strong', 'exact'] as const;
type Strength = (typeof STRENGTHS)[number];

/** The header says what the column is, unless values or another column speak against it. */
function isKnownWord(strength: Strength): boolean {
  return strength === 'exact' || strength === 'strong' || strength === 'usual';
}

interface Candidate {
  column: ColumnGuess;
  field: HintedField;
  strength: Strength;
  score: number;
  confidence: Confidence;
  reason: string;
  options?: ColumnOptions;
}

/** What the values say about a column being a field; undefined where they rule it out. */
interface Fit {
  confidence: Confidence;
  /** From 0 to 1: decides between columns whose headers are equally strong. */
  share: number;
  /** What the values are; '' where there is nothing to say. */
  reason: string;
  options?: ColumnOptions;
}

/**
 * Infers all columns from headers and sample.
 *
 * @param rows the first rows of the file, at most SAMPLE_ROWS
 * @throws UsageError as chooseColumns does, for flags that name no column
 */
export function inferColumns(options: MappingOptions, rows: readonly (readonly Cell[])[]): Inference {
  const fixed = fixedColumns(options);
  const columns = fixed.uses.map((use, index) => byFlag(use, index, profileColumn(rows, index)));
  const taken = new Set([
    ...fixed.sources.map(({ target }) => (target === 'collection_id' ? 'collection' : target)),
    ...Object.keys(options.map),
  ]);
  const open = columns.filter((column) => column.reason === NOT_KNOWN);
  // Files of ours have headers of ours: their cells need prove nothing.
  const trusted = isOwnExport(options.headers) || isResultsFile(options.headers);
  const candidates = FIELDS.flatMap((field) => {
    const found = open.flatMap((column) => candidate(column, field, { trusted, mode: options.mode }));
    // Only a create needs a name; an update would rename its items.
    const named = options.mode === 'create' && options.defaults['name'] === undefined;
    return withRivals(
      field,
      field === 'name' && !named
        ? found.filter(({ strength }) => strength !== 'none' && strength !== 'hint')
        : found,
      columns,
    );
  });
  candidates.sort((a, b) => b.score - a.score);
  for (const each of candidates) {
    if (each.column.target !== undefined || taken.has(each.field)) continue;
    propose(each.column, each);
    if (each.confidence !== 'guess') taken.add(each.field);
  }
  takeId(open, options, taken);
  const rest = open.filter((column) => column.target === undefined && column.profile.filled > 0);
  inferForSale(rest, taken);
  inferTicked(rest.filter((column) => column.target === undefined));
  return { columns, rows: rows.length };
}

function byFlag(use: ColumnUse, index: number, profile: ColumnProfile): ColumnGuess {
  const { header, letter, target, reason } = use;
  const known = { index, header, letter, profile, reason };
  return target === undefined ? known : { ...known, target, confidence: 'certain', byFlag: true };
}

function propose(column: ColumnGuess, { field, confidence, reason, options }: Candidate): void {
  // The id of a collection is told from its name by the header alone.
  column.target =
    field === 'collection' && fieldOfHeader(column.header) === 'collection_id' ? 'collection_id' : field;
  column.confidence = confidence;
  column.reason = reason;
  if (options !== undefined) column.options = options;
}

function candidate(
  column: ColumnGuess,
  field: HintedField,
  file: { trusted: boolean; mode: MappingOptions['mode'] },
): Candidate[] {
  const { strength, word } = strengthOf(column.header, field);
  const isKnown = isKnownWord(strength);
  if (file.trusted && !isKnown) return [];
  // A file of changes is often an export of ours that was cut to some columns.
  const trusted = file.trusted || (file.mode !== 'create' && strength === 'exact');
  const { filled } = column.profile;
  if (filled === 0 && !isKnown) return [];
  const fit = trusted || filled === 0 ? SURE : FITS[field](column, strength);
  if (fit === undefined) return [];
  const named = strength === 'exact' ? 'by name' : word === undefined ? '' : `synonym "${word.word}"`;
  const reason = [named, fit.confidence === 'certain' ? '' : fit.reason]
    .filter((part) => part !== '')
    .join('; ');
  const rank = word === undefined ? 0 : word.rank / 1000;
  return [
    {
      column,
      field,
      strength,
      score:
        10 * STRENGTHS.indexOf(strength) + fit.share - rank - column.index / 1e6 - (filled === 0 ? 15 : 0),
      confidence: fit.confidence,
      reason: reason === '' ? fit.reason : reason,
      ...(fit.options === undefined ? {} : { options: fit.options }),
    },
  ];
}

const SURE: Fit = { confidence: 'certain', share: 0, reason: '' };

function strengthOf(header: string, field: HintedField): { strength: Strength; word?: Synonym } {
  const exact = fieldOfHeader(header);
  if (exact === field || (field === 'collection' && exact === 'collection_id')) return { strength: 'exact' };
  const word = findSynonyms(header).find((synonym) => synonym.field === field);
  if (word !== undefined) return { strength: word.safety, word };
  if (header === '' || isNumberHeader(header) || !hintsAt(header, field)) return { strength: 'none' };
  return { strength: 'hint' };
}

/** Where two columns claim one field equally, or there are two amounts of money, nothing is certain. */
function withRivals(
  field: HintedField,
  candidates: Candidate[],
  columns: readonly ColumnGuess[],
): Candidate[] {
  const [best, second] = [...candidates].sort((a, b) => b.score - a.score);
  if (best?.confidence !== 'certain') return candidates;
  const rival =
    second !== undefined && second.strength === best.strength && second.column.profile.filled > 0
      ? second.column
      : field === 'estimated_value' && best.strength !== 'exact'
        ? columns.find((column) => column !== best.column && isMoney(column))
        : undefined;
  if (rival === undefined) return candidates;
  const what = field === 'estimated_value' ? 'is money too' : `may be the ${field} too`;
  return candidates.map((each) =>
    each === best
      ? { ...each, confidence: 'likely', reason: `${each.reason}; but ${place(rival)} ${what}` }
      : each,
  );
}

function isMoney({ header, profile }: ColumnGuess): boolean {
  const { filled, amounts, currencies } = profile;
  if (filled === 0 || isNumberHeader(header)) return false;
  return currencies / filled >= 0.5 || (hintsAtMoney(header) && amounts / filled >= MOST);
}

function place({ header, letter }: ColumnGuess): string {
  return header === '' ? `column ${letter}` : `"${header}" (column ${letter})`;
}

const FIELDS: readonly HintedField[] = [
  'name',
  'condition',
  'packaging',
  'status',
  'release_year',
  'estimated_value',
  'brand',
  'series',
  'tags',
  'collection',
];

type FitOf = (column: ColumnGuess, strength: Strength) => Fit | undefined;

const FITS: Record<HintedField, FitOf> = {
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

/** Names look like names and differ: 7 texts in 530 cells are a set. */
function fitName({ header, profile }: ColumnGuess, strength: Strength): Fit | undefined {
  const { filled, names, distinct, length, lists } = profile;
  const share = names / filled;
  const unlike = distinct / filled;
  const isSet = filled >= 10 && (unlike < 0.1 || distinct <= 2);
  const mean = length / filled;
  const reason = `${counted(distinct, 'different text')} in ${counted(filled, 'cell')}`;
  // The contract's own word for it: whoever writes that means it.
  if (header === 'name') return { confidence: 'certain', share, reason };
  const isKnown = isKnownWord(strength);
  if (isKnown && filled < FEW_CELLS && (share > 0 || strength === 'exact')) {
    return { confidence: share > 0 ? 'certain' : 'likely', share, reason };
  }
  if (share < 0.5 || isSet) return undefined;
  if (isKnown) {
    return { confidence: share >= MOST && unlike >= 0.3 ? 'certain' : 'likely', share: unlike, reason };
  }
  if (isNumberHeader(header) || mean < 2 || mean > 120 || share < MOST || lists / filled > 0.5)
    return undefined;
  if (strength === 'weak') return { confidence: 'likely', share: unlike, reason };
  if (strength === 'hint' ? unlike < 0.3 || isRuledOut(header, 'name') : unlike < 0.5 || !mayBeName(header))
    return undefined;
  return {
    confidence: 'likely',
    share: unlike,
    reason: `${strength === 'hint' ? 'the header points to it, and ' : ''}${reason}`,
  };
}

/** A brand or a series: texts that say little by themselves, so that the header decides. */
function fitGroup(column: ColumnGuess, strength: Strength, field: 'brand' | 'series'): Fit | undefined {
  const { header, profile } = column;
  const { filled, texts, names, distinct, length } = profile;
  if (strength === 'none' || isNumberHeader(header)) return undefined;
  // A series may be a code (EMD) or a number; a maker is a word.
  const share = (field === 'brand' ? names : texts) / filled;
  const reason = `${counted(distinct, 'different text')} in ${counted(filled, 'cell')}`;
  const isKnown = isKnownWord(strength);
  if (share < 0.5) {
    if (!isKnown || profile.answers === filled) return undefined;
    // A series may be a number. So may a cell of a file of three rows be anything.
    if (strength === 'exact' && (field === 'series' || filled < FEW_CELLS))
      return { confidence: 'certain', share, reason };
    return field === 'series' || filled < FEW_CELLS ? { confidence: 'likely', share, reason } : undefined;
  }
  if (length / filled > 60 || (strength === 'hint' && isOtherMatter(header))) return undefined;
  if (isKnown) return { confidence: 'certain', share, reason };
  const hint = strength === 'hint' ? 'the header points to it, and ' : '';
  return { confidence: 'likely', share, reason: `${hint}${reason}` };
}

function fitYear(column: ColumnGuess, strength: Strength): Fit | undefined {
  const { header, profile } = column;
  const { filled, years, dates } = profile;
  const share = years / filled;
  const what = dates > filled / 2 ? 'dates with a year' : 'years';
  const reason = shareText(column, years, what);
  const isKnown = isKnownWord(strength);
  if (isOtherMatter(header)) return undefined;
  if (isKnown) {
    // A value that is no year becomes an issue of its row: nothing wrong is sent.
    if (strength !== 'exact' && filled >= FEW_CELLS && share < 0.3) return undefined;
    return { confidence: 'certain', share, reason };
  }
  if (share < MOST || isNumberHeader(header) || profile.distinct < 2) return undefined;
  if (strength === 'none') return dates > filled / 2 ? undefined : { confidence: 'guess', share, reason };
  return { confidence: 'likely', share, reason };
}

function fitValue(column: ColumnGuess, strength: Strength): Fit | undefined {
  const { header, profile } = column;
  const { filled, amounts, currencies } = profile;
  const share = amounts / filled;
  const reason = shareText(column, amounts, currencies > 0 ? 'amounts, with a currency' : 'amounts');
  if (isNumberHeader(header) || isOtherMatter(header)) return undefined;
  if (isKnownWord(strength)) {
    if (strength !== 'exact' && filled >= FEW_CELLS && share < 0.3) return undefined;
    return { confidence: 'certain', share, reason };
  }
  if (share < MOST || profile.dates > filled / 2) return undefined;
  if (strength !== 'none') {
    const cents = hintsAtCents(header);
    const what = `${cents ? 'hundredths (1250 is 12.50), and ' : 'the header may also mean what was paid, and '}${reason}`;
    // Prices of another country's market come after those in dollars.
    return { confidence: 'likely', share, reason: what, ...(cents ? { options: { cents: true } } : {}) };
  }
  if (currencies / filled < MOST || isRuledOut(header, 'estimated_value')) return undefined;
  return { confidence: 'guess', share, reason };
}

function fitWords(column: ColumnGuess, strength: Strength, field: 'condition' | 'status'): Fit | undefined {
  const { filled, words, grades, distinct, length, amounts, answers } = column.profile;
  const known = words[field] / filled;
  const graded = field === 'condition' ? Math.max(words[field], grades) / filled : known;
  const reason =
    field === 'condition' && grades > words[field]
      ? shareText(column, grades, 'words of grading')
      : shareText(column, words[field], `words of ${field}`);
  if (words.packaging > words[field] && strength === 'none') return undefined;
  if (isKnownWord(strength)) {
    // Unknown words become issues of their rows; notes and amounts are no condition at all.
    const isOther = length / filled > 60 || amounts + answers >= filled;
    if (field === 'condition' && strength !== 'exact' && filled >= FEW_CELLS && isOther) {
      // But grades of comics and coins are numbers.
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

/** `Boxed: yes` says as much as `in_package`, once a person has agreed. */
function fitPackaging(column: ColumnGuess, strength: Strength): Fit | undefined {
  const { filled, words, answers, flags } = column.profile;
  const share = words.packaging / filled;
  const reason = shareText(column, words.packaging, 'words of packaging');
  const isAnswered = answers > 0 && (flags < filled || filled < FEW_CELLS);
  if (strength !== 'none' && isAnswered && (answers + words.packaging) / filled >= 0.6) {
    const said = shareText(column, answers, 'yes or no, read as in_package or loose');
    return { confidence: 'likely', share: 0.9, reason: said, options: { yes: 'in_package', no: 'loose' } };
  }
  if (isKnownWord(strength)) {
    // `Box: 12` is where a thing is kept.
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
  const reason = `${counted(distinct, 'different text')} in ${counted(filled, 'cell')}`;
  if (isKnownWord(strength)) return { confidence: 'certain', share, reason };
  return { confidence: strength === 'weak' ? 'likely' : 'guess', share, reason };
}

function fitCollection(column: ColumnGuess, strength: Strength): Fit | undefined {
  const { filled, distinct, texts, ids } = column.profile;
  const reason = `${counted(distinct, 'different text')} in ${counted(filled, 'cell')}`;
  if (strength === 'none' || (texts + ids) / filled < 0.5) return undefined;
  if (isKnownWord(strength)) {
    const isGroup = strength === 'exact' || filled < 10 || distinct <= filled / 2;
    return { confidence: isGroup ? 'certain' : 'likely', share: 1, reason };
  }
  return distinct <= Math.max(3, filled / 3) ? { confidence: 'likely', share: 1, reason } : undefined;
}

/** Updates find their items by an id. */
function takeId(open: ColumnGuess[], { mode }: MappingOptions, taken: Set<string>): void {
  const byWord = (column: ColumnGuess) => findSynonyms(column.header).some(({ field }) => field === 'id');
  const column =
    open.find(({ header }) => header.toLowerCase() === 'id') ??
    open.find((each) => byWord(each) && !taken.has('id'));
  if (column === undefined || taken.has('id')) return;
  if (mode === 'create') column.reason = 'ids are given by the service; used with --mode update or upsert';
  else Object.assign(column, { target: 'id', confidence: 'certain', reason: 'by name' });
}

/** `For sale? yes` is a status, if no column says more. */
function inferForSale(open: ColumnGuess[], taken: Set<string>): void {
  if (taken.has('status')) return;
  const column = open.find(
    ({ header, profile }) => hintsAt(header, 'status') && profile.answers === profile.filled,
  );
  if (column === undefined) return;
  column.target = 'status';
  column.confidence = 'guess';
  column.reason = shareText(column, column.profile.answers, 'yes or no');
  column.options = { yes: 'sell', no: 'keep' };
}

/** Columns of ticks beside each other are tags, one a column. Programs write 0 and 1 of anything. */
function inferTicked(open: ColumnGuess[]): void {
  const ticked = open.filter(({ profile, header }) => {
    if (header === '' || hintsAt(header, 'status') || isOwnership(header)) return false;
    return profile.answers === profile.filled && profile.distinct <= 2 && profile.flags === 0;
  });
  const isSure = ticked.length >= 2 && ticked.every(({ profile }) => profile.refusals === 0);
  for (const column of ticked) {
    const { filled } = column.profile;
    column.target = 'tags';
    column.confidence = isSure ? 'likely' : 'guess';
    column.reason = `a tag where it is ticked: ${filled === 1 ? 'its one cell says' : `all ${filled} cells say`} yes or no`;
    column.ticked = true;
  }
}

function shareText(column: ColumnGuess, count: number, what: string): string {
  const { filled } = column.profile;
  return count === filled
    ? `all ${filled} filled cells are ${what}`
    : `${count} of ${filled} filled cells are ${what}`;
}

/** A column as a template names it: by its header, or by its letter where the header is none, or another's too. */
export function sourceOf(column: ColumnGuess, all: readonly ColumnGuess[]): ColumnOptions {
  const own = fold(column.header);
  const alone = all.filter((other) => fold(other.header) === own).length === 1;
  return column.header !== '' && alone ? { from: column.header } : { column: column.letter };
}
