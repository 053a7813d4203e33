/**
 * What inference says of a column.
 */
import { message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';
import type { COLUMNS } from '../../messages/params/columns.ts';
import type { ColumnOptions } from '../template/template-column.ts';
import type { WordField } from '../word-lists.ts';
import type { ColumnProfile } from './column-profile.ts';

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
  /** No other column has its header, case and punctuation aside. */
  isAlone: boolean;
  /** Why, without the column's name: `48 of 50 cells are years`. */
  reason: Message;
  /** Decided by a flag, or by a header that leaves nothing to interpret. */
  byFlag?: true;
  /** No other column can be its field. */
  isOnly?: true;
  /** Its cells are read together with those of another column of the field. */
  isPart?: true;
  /** tags: the column is one that is ticked. */
  ticked?: true;
  /** The field that its header names, where its words do not fit it. */
  unfit?: WordField;
  /** How its cells are to be read, where the field alone does not say. */
  options?: ColumnOptions;
}

export interface Inference {
  /** One a column, in the order of the file. */
  columns: ColumnGuess[];
  /** Rows that were looked at. */
  rows: number;
}

/** A column as a template names it: by its header, or by its letter where the header is none, or another's too. */
export function sourceOf(column: ColumnGuess): ColumnOptions {
  if (column.options?.join !== undefined) return {};
  return hasOwnHeader(column) ? { from: column.header } : { column: column.letter };
}

/** How flags and templates name the column: by its header, or by its letter where that is not enough. */
export function nameOf(column: ColumnGuess): string {
  return hasOwnHeader(column) ? column.header : column.letter;
}

/** Whether the header alone says which column it is. */
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
