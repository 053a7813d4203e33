/** A compiled column: reads its cell, casts it, and puts the value or the issue into the row. */
import { message } from '../../messages/message.ts';
import { type Cell, type CellError, cellText, errorOfCell } from '../../sheets/cell.ts';
import { BLANK, CastProblem, cut, type Meaning, type OfferedMeaning } from '../casts/cast.ts';
import type { DecimalStyle } from '../casts/decimal.ts';
import type { CellSource } from './cell-source.ts';
import type { ColumnCast } from './column-cast.ts';
import { type Offer, rowIssue } from '../issue.ts';
import { CLEAR, type MappedRow, type MappedValue } from '../mapping.ts';
import { CUSTOM_PREFIX } from '../custom-prefix.ts';
import { isWordField } from '../word-lists.ts';
import type { RowCode } from '../../messages/row-codes.ts';
import { textForm } from '../text-form.ts';

/** A cell with exactly this text clears the field (design §6). */
const CLEAR_WORD = '<clear>';

const SPACE = 0x20;
const BEYOND_ASCII = 0x80;

export interface StepOptions {
  target: string;
  index: number;
  header: string;
  letter: string;
  /** Present if the cell is not simply the one at `index`. */
  source?: CellSource | undefined;
  column: ColumnCast;
  create: boolean;
  /** True if items are matched by this column. */
  isKey: boolean;
  exact: boolean;
  /** `--decimal` */
  decimal?: DecimalStyle | undefined;
  /** Updates: a blank cell clears the field (a template's `blank: clear`). */
  blankClears: boolean;
}

export type ColumnStep = (cells: readonly Cell[], row: MappedRow) => void;

/** Fields that cannot be null (contract §4), and targets that are not fields. */
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
  const { index, target, source, column, create, exact } = options;
  // Read once instead of for each cell: columns have different sets of these properties, and such loads are slow.
  const { cast, approximations, amounts, likely, meanings, ownText } = column;
  const put = putter(target);
  const readsLike =
    !create && target.startsWith(CUSTOM_PREFIX) && ownText !== true ? options.decimal : undefined;
  const fail = failer(options, put);
  const clears = options.blankClears && !create && !NOT_CLEARABLE.has(target);

  return (cells, row) => {
    const cell = source === undefined ? cells[index] : source(cells);
    let raw: string;
    if (cell instanceof CastProblem) {
      fail(row, cell, cellText(cells[index] ?? null));
      return;
    }
    if (typeof cell === 'string') raw = cell;
    else if (cell === null || cell === undefined) raw = '';
    else if (typeof cell === 'object' && cell.kind === 'error') {
      fail(row, problemOfCell(cell), cell.text);
      return;
    } else raw = cellText(cell);

    const text = exact ? raw : trimmed(raw);
    if (text === '') {
      if (clears) put(row, mappedValue(CLEAR, raw, exact));
      return;
    }
    if (text === CLEAR_WORD) {
      if (create) return;
      if (NOT_CLEARABLE.has(target)) {
        fail(
          row,
          new CastProblem(
            'not_clearable',
            message('cannot_be_empty', {}),
            message('want_value_or_blank', {}),
          ),
          raw,
        );
      } else put(row, mappedValue(CLEAR, raw, exact));
      return;
    }
    const value = cast(text, cell as Cell);
    const reading = approximations?.takeLatest();
    if (reading !== undefined) (row.notes ??= []).push(message('read_as', { field: target, ...reading }));
    const conversion = amounts?.takeConversion();
    if (conversion !== undefined)
      (row.notes ??= []).push(message('converted', { field: target, ...conversion }));
    if (value instanceof CastProblem) fail(row, value, raw);
    else if (value === BLANK) {
      if (!exact) likely.addBlank(text);
      if (clears) put(row, mappedValue(CLEAR, raw, exact));
    } else if (meanings === true) {
      const { note } = value as Meaning;
      if (note !== undefined) {
        (row.notes ??= []).push(note);
        likely.add(note);
      }
      putMeaning(row, value as Meaning, raw, put);
    } else if (readsLike !== undefined && typeof value === 'string')
      put(row, { ...mappedValue(value, raw, exact), decimal: readsLike });
    else put(row, mappedValue(value, ownText === true ? textForm(target, value) : raw, exact));
  };
}

/** `trim`, without the call for texts that need no trimming, as most do not. */
function trimmed(text: string): string {
  const first = text.charCodeAt(0);
  const last = text.charCodeAt(text.length - 1);
  return first > SPACE && first < BEYOND_ASCII && last > SPACE && last < BEYOND_ASCII ? text : text.trim();
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

/** Puts the cell's own value, and its values for other fields that the row does not set otherwise. */
export function putMeaning(row: MappedRow, meaning: Meaning, raw: string, put: Put): void {
  if (meaning.value !== undefined) put(row, { value: meaning.value, text: raw });
  for (const { field, value } of meaning.also ?? []) {
    if (field.startsWith(CUSTOM_PREFIX)) {
      row.customFields[field.slice(CUSTOM_PREFIX.length)] ??= { value, text: textForm(field, value) };
    } else row.fields[field as keyof MappedRow['fields']] ??= { value, text: raw };
  }
}

function mappedValue(value: unknown, text: string, exact: boolean): MappedValue {
  return exact ? { value, text, exact: true } : { value, text };
}

function problemOfCell(cell: CellError): CastProblem {
  const error = errorOfCell(cell);
  return error.code === 'has_uncertain_mark'
    ? new CastProblem('uncertain_mark', error, message('want_mark', {}))
    : new CastProblem('cell_error', error, message('want_value', {}));
}

/** Problems of cells that can be the text form of an item's actual value. */
const MAY_BE_HELD: ReadonlySet<string> = new Set<RowCode>([
  'ambiguous_number',
  'number_lost',
  'control_character',
  'broken_character',
  'not_clearable',
]);

/** Whether to defer a problem until the item is known (see MappedValue.issue). */
function deferral({ target, header, source, column, create, isKey, exact }: StepOptions) {
  const isField = !['id', 'collection', 'collection_id', 'quantity'].includes(target);
  if (create || !isField) return () => false;
  if (exact) return () => true;
  // Exports with fewer columns have the fields' exact names as headers, and so may files made by hand. A key column is
  // excluded: it finds the item, so there is no current value to compare with.
  if (header !== target || source !== undefined || isKey || isWordField(target)) return () => false;
  return (problem: CastProblem) =>
    MAY_BE_HELD.has(problem.code) &&
    // Before the last row, other cells may still show the decimal mark.
    (problem.code !== 'ambiguous_number' || column.amounts?.isResolved === true);
}

function offerOf(target: string, { value, also = [], accept }: OfferedMeaning): Offer {
  const set: Record<string, unknown> = value === undefined ? {} : { [target]: value };
  for (const { field, value: other } of also) set[field] = other;
  return { set, accept };
}

/** How a problem enters a row: as an issue, or attached to the value until the item is known. */
function failer(options: StepOptions, put: Put) {
  const { target, header, letter, exact } = options;
  const waits = deferral(options);
  return (row: MappedRow, problem: CastProblem, raw: string): void => {
    const said = message('cell_problem', { field: target, what: problem.what });
    const issue = rowIssue(problem.code, said, {
      field: target,
      header,
      column: letter,
      found: cut(raw),
    });
    if (problem.expected !== undefined) issue.expected = problem.expected;
    if (problem.offers.length > 0) issue.offers = problem.offers.map((offer) => offerOf(target, offer));
    if (problem.rate !== undefined) issue.rate = problem.rate;
    if (waits(problem)) put(row, { ...mappedValue(undefined, raw, exact), issue });
    else row.issues.push(issue);
  };
}
