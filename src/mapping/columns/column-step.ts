/** One compiled column: reads its cell of a row, casts it, and puts the value or the issue into the row. */
import { type Cell, cellText } from '../../sheets/cell.ts';
import { unescapeText } from '../../sheets/escape.ts';
import { BLANK, CastProblem, cut } from '../casts/cast.ts';
import type { CellSource } from './cell-source.ts';
import type { ColumnCast } from './column-cast.ts';
import type { RowIssue } from '../issue.ts';
import { CLEAR, type MappedRow, type MappedValue } from '../mapping.ts';
import { CUSTOM_PREFIX } from '../custom-prefix.ts';
import { isWordField } from '../targets.ts';
import type { RowCode } from '../../row-catalogue.ts';
import { textForm } from '../text-form.ts';
import type { WordMeaning } from '../word-lists.ts';

/** What stands for "make it null" in a cell, exactly so (design §6). */
const CLEAR_WORD = '<clear>';

export interface StepOptions {
  target: string;
  index: number;
  header: string;
  letter: string;
  /** Where the cell is not simply that of `index`. */
  source?: CellSource | undefined;
  column: ColumnCast;
  create: boolean;
  /** Items are matched by it. */
  isKey: boolean;
  ownExport: boolean;
  /** Texts are escaped with `'`: our own CSV files. */
  unescape: boolean;
  /** Updates: a blank cell clears the field (a template's `blank: clear`). */
  blankClears: boolean;
}

export type ColumnStep = (cells: readonly Cell[], row: MappedRow) => void;

/** Fields that cannot be null (contract §4), and what is no field. */
const NOT_CLEARABLE: ReadonlySet<string> = new Set([
  'name',
  'status',
  'id',
  'collection',
  'collection_id',
  'quantity',
]);

/** Compiles the step of one column. */
export function columnStep(options: StepOptions): ColumnStep {
  const { index, target, source, column, create, ownExport } = options;
  // A source of several cells has unescaped them itself.
  const unescape = options.unescape && source === undefined;
  const { cast } = column;
  const put = putter(target);
  const fail = failer(options, put);
  const clears = options.blankClears && !create && !NOT_CLEARABLE.has(target);

  return (cells, row) => {
    const cell = source === undefined ? cells[index] : source(cells);
    let raw: string;
    if (cell instanceof CastProblem) {
      fail(row, cell, cellText(cells[index] ?? null));
      return;
    }
    if (typeof cell === 'string') raw = unescape ? unescapeText(cell) : cell;
    else if (cell === null || cell === undefined) raw = '';
    else if (typeof cell === 'object' && cell.kind === 'error') {
      fail(row, new CastProblem('cell_error', `the cell is in error: ${cell.text}`, 'a value'), cell.text);
      return;
    } else raw = cellText(cell);

    const text = ownExport ? raw : raw.trim();
    if (text === '') {
      if (clears) put(row, mappedValue(CLEAR, raw, ownExport));
      return;
    }
    if (text === CLEAR_WORD) {
      if (create) return;
      if (NOT_CLEARABLE.has(target)) {
        fail(
          row,
          new CastProblem('not_clearable', 'cannot be empty', 'a value, or a blank cell to leave it alone'),
          raw,
        );
      } else put(row, mappedValue(CLEAR, raw, ownExport));
      return;
    }
    const value = cast(text, cell as Cell);
    if (value instanceof CastProblem) fail(row, value, raw);
    else if (value === BLANK) {
      if (clears) put(row, mappedValue(CLEAR, raw, ownExport));
    } else if (column.words === true) putMeaning(row, value as WordMeaning, raw, put);
    else put(row, mappedValue(value, column.ownText === true ? textForm(target, value) : raw, ownExport));
  };
}

export type Put = (row: MappedRow, mapped: MappedValue) => void;

/** How a target's value enters a row. */
export function putter(target: string): Put {
  if (target.startsWith(CUSTOM_PREFIX)) {
    const key = target.slice(CUSTOM_PREFIX.length);
    return (row, mapped) => {
      row.customFields[key] = mapped;
    };
  }
  switch (target) {
    case 'id':
      return (row, mapped) => {
        row.id = mapped.value as string;
      };
    case 'collection':
    case 'collection_id':
      return (row, mapped) => {
        row.collection = mapped.value as string;
      };
    case 'quantity':
      return (row, mapped) => {
        row.copies = mapped.value as number;
      };
    default: {
      const field = target as keyof MappedRow['fields'];
      return (row, mapped) => {
        row.fields[field] = mapped;
      };
    }
  }
}

/** A word's own value, and what it says of other fields where the row has nothing of theirs. */
export function putMeaning(row: MappedRow, meaning: WordMeaning, raw: string, put: Put): void {
  if (meaning.value !== undefined) put(row, { value: meaning.value, text: raw });
  for (const { field, value } of meaning.also ?? []) row.fields[field] ??= { value, text: raw };
}

function mappedValue(value: unknown, text: string, exact: boolean): MappedValue {
  return exact ? { value, text, exact: true } : { value, text };
}

/** Problems of cells that are the text form of what some item really holds. */
const MAY_BE_HELD: ReadonlySet<string> = new Set<RowCode>([
  'ambiguous_number',
  'number_lost',
  'control_character',
  'broken_character',
  'not_clearable',
]);

/** Whether a problem waits until the item is known (see MappedValue.issue). */
function deferral({ target, header, source, column, create, isKey, ownExport }: StepOptions) {
  const isField = !['id', 'collection', 'collection_id', 'quantity'].includes(target);
  if (create || !isField) return () => false;
  if (ownExport) return () => true;
  // An export cut to other columns has the fields' own names for headers; so may a file made by hand. A key finds the
  // item, and so has nothing to be compared with: two numbers that were shortened to one are no item's.
  if (header !== target || source !== undefined || isKey || isWordField(target)) return () => false;
  return (problem: CastProblem) =>
    MAY_BE_HELD.has(problem.code) &&
    // Before that, other cells may yet tell.
    (problem.code !== 'ambiguous_number' || column.amounts?.isSettled === true);
}

/** How a problem enters a row: as an issue, or beside the value until the item is known. */
function failer(options: StepOptions, put: Put) {
  const { target, header, letter, ownExport } = options;
  const waits = deferral(options);
  return (row: MappedRow, problem: CastProblem, raw: string): void => {
    const issue: RowIssue = {
      code: problem.code,
      message: `${target} ${problem.message}`,
      field: target,
      header,
      column: letter,
      found: cut(raw),
    };
    if (problem.expected !== undefined) issue.expected = problem.expected;
    if (waits(problem)) put(row, { ...mappedValue(undefined, raw, ownExport), issue });
    else row.issues.push(issue);
  };
}
