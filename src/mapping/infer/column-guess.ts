/** The result of inference for a column. */
import { message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';
import type { COLUMNS } from '../../messages/params/columns.ts';
import type { ColumnOptions } from '../template/template-column.ts';
import type { WordField } from '../word-lists.ts';
import type { ColumnProfile } from './column-profile.ts';

/**
 * `certain`: the header names the field, the values agree, and no other column competes; or a flag says so.
 * `likely`: used once a person has confirmed it. `guess`: only suggested, and never used without confirmation.
 */
export type Confidence = 'certain' | 'likely' | 'guess';

export interface ColumnGuess {
  index: number;
  header: string;
  letter: string;
  profile: ColumnProfile;
  /** Absent if the column is left out. */
  target?: string;
  confidence?: Confidence;
  /** True if no other column has the same header, ignoring case and punctuation. */
  isAlone: boolean;
  /** Why, without the column's name: `48 of 50 cells are years`. */
  reason: Message;
  /** Decided by a flag, or by a header that leaves nothing to interpret. */
  byFlag?: true;
  /** No other column can be its field. */
  isOnly?: true;
  /** Its cells are read together with those of another column of the field. */
  isPart?: true;
  /** True for a ticked column, which gives tags. */
  ticked?: true;
  /** The field that its header names, if its words do not fit that field. */
  unfit?: WordField;
  /** Options for reading its cells, if the field alone does not determine them. */
  options?: ColumnOptions;
}

export interface Inference {
  /** A guess for each column, in the order of the file. */
  columns: ColumnGuess[];
  /** Number of rows that were examined. */
  rows: number;
}

/** A column as a template names it: by its header, or by its letter if the header is blank or not unique. */
export function sourceOf(column: ColumnGuess): ColumnOptions {
  if (column.options?.join !== undefined) return {};
  return hasOwnHeader(column) ? { from: column.header } : { column: column.letter };
}

/** How flags and templates name the column: by its header, or by its letter if the header is not enough. */
export function nameOf(column: ColumnGuess): string {
  return hasOwnHeader(column) ? column.header : column.letter;
}

/** Whether the header alone identifies the column. */
export function hasOwnHeader({ header, isAlone }: ColumnGuess): boolean {
  return header !== '' && isAlone;
}

/** A message without parameters. */
type Plain = { [C in keyof Known]: keyof Known[C] extends never ? C : never }[keyof Known];
type Known = typeof COLUMNS;

/** `48 of 50 filled cells are years` */
export function shareOf(column: ColumnGuess, cells: number, what: Plain): Message {
  return message('cells_are', { cells, of: column.profile.filled, what: message(what, {}) });
}
