/**
 * The port between sheets and import: a compiled mapping turns a row's cells into fields of the contract.
 *
 * Pure: it reads no file, no clock and no network. A collection is still a name or an id here; the import
 * stage resolves it.
 */
import type { WritableField } from '../api/schemas.ts';
import type { Cell } from '../sheets/cell.ts';
import type { AmountSource } from '../money.ts';
import type { RowIssue } from './issue.ts';

/** The value that `<clear>` stands for until the plan knows what it means for the field. */
export const CLEAR: unique symbol = Symbol('clear');

export interface MappedValue {
  /** Cast value as the contract wants it, or CLEAR. For custom fields the cell's own value. */
  value: unknown;
  /** The cell's text before any cast: compared with the text form of the item's current value. */
  text: string;
  /** True in our own exports: `text` is already unescaped, and is compared without unescaping it again. */
  exact?: true;
  /**
   * Outside of creates, in our own exports and under the headers of one that was cut to other columns: the cell
   * cannot be cast. It is an issue of the row unless the cell equals the text form of the current value (an item may
   * hold what the contract no longer accepts, or what would be ambiguous by itself); `value` is undefined then.
   */
  issue?: RowIssue;
}

export interface MappedRow {
  /** Fields of the contract that the row sets; blank cells are absent. Without collection_id and custom_fields. */
  fields: Partial<Record<Exclude<WritableField, 'collection_id' | 'custom_fields'>, MappedValue>>;
  /** Custom fields that the row sets, by their literal key. */
  customFields: Record<string, MappedValue>;
  /** Name or id of the collection, where a column or default gives one. */
  collection?: string;
  /** The item's id, where an id column is mapped and filled. */
  id?: string;
  /** How many items the row stands for (a quantity column); 1 otherwise. */
  copies: number;
  /** Why a rule of the template skips the row, where one does. */
  skip?: string;
  /** Everything wrong with the row; empty when it is good. */
  issues: RowIssue[];
}

export interface ColumnUse {
  header: string;
  letter: string;
  /** Target: a field, `custom_fields.NAME`, `id`, `collection`, `quantity`; undefined when ignored. */
  target?: string;
  /** Why: `by name`, `synonym "maker"`, `--map`, `template`, `not known`, `read-only`, `ours (_row)` … */
  reason: string;
}

export interface Mapping {
  /** One entry a column of the table, in order: what is used as what, and what is ignored. */
  columns: ColumnUse[];
  /** True when the headers are those of our own export: read by our own rules (design §6). */
  ownExport: boolean;
  /** Casts one row. Never throws on data. */
  mapRow(cells: Cell[]): MappedRow;
  /**
   * Makes of a mapped row one that creates an item: defaults where the row has none, nothing to clear, and a
   * name required. Rows of `--mode create` went through it already; for upsert the plan calls it on the rows
   * that match no item. Changes and returns the row given.
   */
  asCreate(row: MappedRow): MappedRow;
  /**
   * Called once, after the last row of the file: decides the decimal style of each column from all that was
   * seen. Returns true when a row that got the issue `ambiguous_number` would now be mapped otherwise: map those
   * again.
   */
  settleNumbers(): boolean;
  /** After the last row: undefined where no amount said anything of a currency, and no template did. */
  amountSource(): AmountSource | undefined;
  /** What to tell a person once at the end: "3 values in C (Price) had a currency sign, which was stripped". */
  notes(): string[];
}

export interface MappingOptions {
  headers: string[];
  letters: string[];
  format: 'csv' | 'xlsx';
  /** Field or custom_fields.NAME → header text or column letter; from `--map`. Wins over the template. */
  map: Record<string, string>;
  /** Field → value as text, used where the row has none; from `--default`. Only for creates. */
  defaults: Record<string, string>;
  mode: 'create' | 'update' | 'upsert';
  /** Fields of `--match`; a custom field named here maps a header of the same name. */
  match: string[];
  /** `--decimal`; decided per column otherwise. */
  decimal?: 'point' | 'comma';
  /** Columns nobody mapped become custom fields under their header. Default false: ignored, and said. */
  keepUnknown?: boolean;
}
