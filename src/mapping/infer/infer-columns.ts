/**
 * Proposes what each column of a file is: by its header where that is certain, else by its values, with how sure
 * that is and why. The same for `template infer`, which prints it, and for an import without a template, which
 * uses what is certain or likely. Pure.
 */
import type { Cell } from '../../sheets/cell.ts';
import { type ColumnChoice, chooseColumns, NOT_KNOWN } from '../columns/columns.ts';
import type { ColumnUse, MappingOptions } from '../mapping.ts';
import type { ColumnOptions } from '../template/template-column.ts';
import type { WordField } from '../word-lists.ts';
import { type ColumnProfile, profileColumn } from './column-profile.ts';
import { hintsAt, isOtherMatter } from './header-hints.ts';
import { counted } from '../../counted.ts';

/**
 * `certain`: the header is the field's own name or a usual one, or a flag says so. `likely`: the values, mostly
 * with the header, say so: used, but a person is asked. `guess`: worth a look; never used unasked.
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

/**
 * Infers all columns from headers and sample.
 *
 * @param rows the first rows of the file, at most SAMPLE_ROWS
 * @throws UsageError as chooseColumns does, for flags that name no column
 */
export function inferColumns(options: MappingOptions, rows: readonly (readonly Cell[])[]): Inference {
  const choice = chooseColumns(options);
  const columns = choice.uses.map((use, index) => byHeader(use, index, profileColumn(rows, index)));
  const taken = new Set([...targetsOf(choice), ...Object.keys(options.map)]);
  const open = columns.filter((column) => column.reason === NOT_KNOWN && column.profile.filled > 0);
  // In the order of how much the values alone can say.
  inferWords(open, taken);
  for (const infer of [inferYear, inferValue, inferTexts, inferForSale, inferTicked]) {
    infer(open.filter(isOpen), taken);
  }
  // Only a create needs a name; an update would rename its items.
  if (options.mode === 'create' && options.defaults['name'] === undefined)
    inferName(open.filter(isOpen), taken);
  return { columns, rows: rows.length };
}

function isOpen(column: ColumnGuess): boolean {
  return column.target === undefined;
}

function targetsOf(choice: ColumnChoice): string[] {
  return choice.sources.map(({ target }) => target);
}

function byHeader(use: ColumnUse, index: number, profile: ColumnProfile): ColumnGuess {
  const { header, letter, target, reason } = use;
  const known = { index, header, letter, profile, reason };
  return target === undefined ? known : { ...known, target, confidence: 'certain' };
}

function propose(column: ColumnGuess, target: string, confidence: Confidence, reason: string): void {
  column.target = target;
  column.confidence = confidence;
  column.reason = reason;
}

/** The best of several columns for one field, where there is any; the field is taken then. */
function take(
  target: string,
  taken: Set<string>,
  candidates: { column: ColumnGuess; score: number; confidence: Confidence; reason: string }[],
): void {
  const [best] = candidates.sort((a, b) => b.score - a.score);
  if (best === undefined || taken.has(target)) return;
  propose(best.column, target, best.confidence, best.reason);
  if (best.confidence !== 'guess') taken.add(target);
}

/** `MOC` alone is a word of two fields: of the condition it says more. */
const WORD_ORDER: readonly WordField[] = ['condition', 'packaging', 'status'];

function inferWords(open: ColumnGuess[], taken: Set<string>): void {
  for (const field of WORD_ORDER) {
    const candidates = open.flatMap((column) => {
      const { filled, words } = column.profile;
      const share = words[field] / filled;
      const hint = hintsAt(column.header, field);
      // `MOC` is a word of two fields: the one that knows more of the column's words has it.
      const better = WORD_ORDER.some(
        (other) => other !== field && !taken.has(other) && words[other] > words[field],
      );
      if (column.target !== undefined || better || share < 0.5) return [];
      const sure = hint || (share >= NEARLY_ALL && filled >= 3);
      const confidence: Confidence = sure ? 'likely' : 'guess';
      return [
        {
          column,
          score: share + (hint ? 1 : 0),
          confidence,
          reason: shareText(column, words[field], `words of ${field}`),
        },
      ];
    });
    take(field, taken, candidates);
  }
}

function inferYear(open: ColumnGuess[], taken: Set<string>): void {
  const candidates = open.flatMap((column) => {
    const { filled, years, dates } = column.profile;
    const hint = hintsAt(column.header, 'release_year');
    if (years / filled < MOST || isOtherMatter(column.header)) return [];
    if (!hint && dates > filled / 2) return [];
    const what = dates > filled / 2 ? 'dates with a year' : 'years';
    return [
      {
        column,
        score: years / filled + (hint ? 1 : 0),
        confidence: hint ? ('likely' as const) : ('guess' as const),
        reason: shareText(column, years, what),
      },
    ];
  });
  take('release_year', taken, candidates);
}

function inferValue(open: ColumnGuess[], taken: Set<string>): void {
  const candidates = open.flatMap((column) => {
    const { filled, amounts, currencies } = column.profile;
    const hint = hintsAt(column.header, 'estimated_value');
    if (amounts / filled < MOST || isOtherMatter(column.header)) return [];
    if (!hint && currencies / filled < MOST) return [];
    const what = currencies > 0 ? 'amounts, with a currency' : 'amounts';
    return [
      {
        column,
        score: amounts / filled + (hint ? 1 : 0) + currencies / filled,
        confidence: hint ? ('likely' as const) : ('guess' as const),
        reason: shareText(column, amounts, what),
      },
    ];
  });
  take('estimated_value', taken, candidates);
}

function inferTexts(open: ColumnGuess[], taken: Set<string>): void {
  for (const field of ['brand', 'series', 'tags'] as const) {
    const candidates = open.flatMap((column) => {
      const { filled, texts, distinct } = column.profile;
      if (!isOpen(column) || !hintsAt(column.header, field) || texts / filled < MOST) return [];
      // A theme may be a series, and a category a tag; a maker is a brand.
      const confidence: Confidence = field === 'brand' ? 'likely' : 'guess';
      const reason = `the header points to it, and ${shareText(column, texts, 'texts')}, ${distinct} different`;
      return [{ column, score: texts / filled, confidence, reason }];
    });
    take(field, taken, candidates);
  }
}

/** `For sale? yes` is a status, if no column says more. */
function inferForSale(open: ColumnGuess[], taken: Set<string>): void {
  if (taken.has('status')) return;
  const column = open.find(
    ({ header, profile }) => hintsAt(header, 'status') && profile.answers === profile.filled,
  );
  if (column === undefined) return;
  propose(column, 'status', 'guess', shareText(column, column.profile.answers, 'yes or no'));
  column.options = { yes: 'sell', no: 'keep' };
}

/** Columns of yes and no beside each other are tags, one a column. */
function inferTicked(open: ColumnGuess[]): void {
  const ticked = open.filter(({ profile, header }) => {
    if (header === '' || hintsAt(header, 'status')) return false;
    return profile.answers === profile.filled && profile.distinct <= 2;
  });
  const confidence = ticked.length >= 2 ? 'likely' : 'guess';
  for (const column of ticked) {
    propose(
      column,
      'tags',
      confidence,
      `a tag where it is ticked: ${column.profile.filled === 1 ? 'its one cell says' : `all ${column.profile.filled} cells say`} yes or no`,
    );
    column.ticked = true;
  }
}

function inferName(open: ColumnGuess[], taken: Set<string>): void {
  const candidates = open.flatMap((column) => {
    const { filled, texts, distinct, length, lists } = column.profile;
    const mean = length / filled;
    if (texts / filled < MOST || mean < 2 || mean > 120 || lists / filled > 0.5) return [];
    const hint = hintsAt(column.header, 'name');
    const unlike = distinct / filled;
    if (!hint && unlike < 0.5) return [];
    const reason = `${hint ? 'the header points to it, and ' : ''}${counted(distinct, 'different text')} in ${counted(filled, 'cell')}`;
    const score = unlike + (hint ? 1 : 0) - column.index / 1000;
    return [{ column, score, confidence: 'likely' as const, reason }];
  });
  take('name', taken, candidates);
}

function shareText(column: ColumnGuess, count: number, what: string): string {
  const { filled } = column.profile;
  return count === filled
    ? `all ${filled} filled cells are ${what}`
    : `${count} of ${filled} filled cells are ${what}`;
}

/** A column as a template names it: by its header, or by its letter where the header is none, or another's too. */
export function sourceOf(column: ColumnGuess, all: readonly ColumnGuess[]): ColumnOptions {
  const alone =
    all.filter((other) => other.header.toLowerCase() === column.header.toLowerCase()).length === 1;
  return column.header !== '' && alone ? { from: column.header } : { column: column.letter };
}
