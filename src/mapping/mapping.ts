/**
 * The interface between sheets and import: a compiled mapping turns a row's cells into fields of the contract.
 *
 * Pure: it uses no file, clock or network. A collection is still a name or an id here; the import stage resolves it.
 */
import type { WritableField } from '../api/schemas.ts';
import type { Message } from '../messages/params.ts';
import type { Cell } from '../sheets/cell.ts';
import type { SheetTable } from '../sheets/table.ts';
import type { AmountSource } from '../base/money.ts';
import type { DecimalStyle } from './casts/decimal.ts';
import type { RowIssue } from './issue.ts';

/** Represents `<clear>` until the plan determines its meaning for the field. */
export const CLEAR: unique symbol = Symbol('clear');

export interface MappedValue {
  /** The value as the contract accepts it, or CLEAR. For custom fields, the cell's own value. */
  value: unknown;
  /** The cell's text before any cast: compared with the text form of the item's current value. */
  text: string;
  /** True in our own exports, whose texts were unescaped as they were read: `text` is compared as it is. */
  exact?: true;
  /** A text in a custom field: the decimal mark that was given for the file. */
  decimal?: DecimalStyle;
  /**
   * Only for updates and upserts, in our own exports and in columns that have a field's exact name: the cell cannot be
   * cast, and `value` is undefined. This is an issue of the row unless the cell equals the text form of the current
   * value: an item can hold a value that the contract no longer accepts, or that is ambiguous by itself.
   */
  issue?: RowIssue;
}

export interface MappedRow {
  /** Fields of the contract that the row sets, except collection_id and custom_fields. Blank cells are absent. */
  fields: Partial<Record<Exclude<WritableField, 'collection_id' | 'custom_fields'>, MappedValue>>;
  /** Custom fields that the row sets, by key. */
  customFields: Record<string, MappedValue>;
  /** Name or id of the collection, if a column or default gives one. */
  collection?: string;
  /** The item's id, if an id column is mapped and filled. */
  id?: string;
  /** Which of several matching items the row means, as a person has decided in our rejects file. */
  chosen?: string;
  /** In our own exports: `updated_at` of the item at the time of the export. */
  exported?: string;
  /** Fields that the row changes from the item's own value (`set --from`), and by how much: plain digits, and the cell. */
  operands?: Record<string, { operand: string; shown: string }>;
  /** How many items the row makes: from a quantity column, otherwise 1. */
  copies: number;
  /** Why the row is left out: by a rule of the template, or because nobody has filled it in. */
  skip?: Message;
  /** Notes on how inexact cells were read. */
  notes?: Message[];
  /** All problems of the row; empty if the row is valid. */
  issues: RowIssue[];
}

/** The row's cells including the filled ones, with a note for each of these. */
export type RowFiller = (cells: readonly Cell[]) => { cells: Cell[]; notes: Message[] };

/** The use of a column. */
export interface ColumnUse {
  /** '' for a column without a header. */
  header: string;
  /** As a spreadsheet program shows it. */
  letter: string;
  /**
   * Target: a field, `custom_fields.NAME`, `id`, `collection`, `quantity`; undefined if the column is
   * ignored.
   */
  target?: string;
  /** The reason: its name, a synonym, a flag, the template, unknown, read-only … */
  reason: Message;
}

export interface Mapping {
  /** One entry for each column of the table, in order: its use, or the reason why it is ignored. */
  columns: ColumnUse[];
  /** True if the headers are those of our own export, which is read by stricter rules (design §6). */
  ownExport: boolean;
  /**
   * Fills blank cells of columns with `fillDown` in, from the row above: a new one for each reading of the table, called
   * for every row in order before `mapRow`. Undefined if no column has it.
   */
  filler(): RowFiller | undefined;
  /** Columns whose blank cells are filled in, by place in the table. */
  filledColumns: readonly number[];
  /** Casts one row. Never throws on data. */
  mapRow(cells: Cell[]): MappedRow;
  /**
   * Turns a mapped row into one that creates an item: fills in defaults, removes CLEAR, and requires a name. Rows of
   * `--mode create` have been through it already; for upsert the plan calls it for rows that match no item. Changes
   * the given row and returns it.
   */
  asCreate(row: MappedRow): MappedRow;
  /**
   * Called once, after the last row of the file: decides the decimal mark of each column from all of its cells.
   * Returns true if a row with the issue `ambiguous_number` would now be mapped differently: map those rows again.
   */
  resolveDecimals(): boolean;
  /** After the last row: the decimal mark of each amount column that shows one, by its target. */
  decimals(): ReadonlyMap<string, DecimalStyle>;
  /** After the last row: undefined if neither an amount nor the template shows a currency. */
  amountSource(): AmountSource | undefined;
  /**
   * Notes to report once at the end: "3 values in C (Price) had a currency sign, which was stripped".
   *
   * @param jobId of the job that the rows belong to. It compares currencies with those of the items, which needs no note,
   *   and it can be mended.
   */
  notes(jobId?: string): Message[];
  /** The notes about likely readings. */
  likely(jobId?: string): Message[];
}

export interface MappingOptions {
  headers: string[];
  letters: string[];
  format: SheetTable['format'];
  /**
   * Field or custom_fields.NAME → header text or column letter; from `--map`. Takes precedence over the
   * template.
   */
  map: Record<string, string>;
  /** Field → value, from `--default` as text: for new items without one; in an update, for fields without a column. */
  defaults: Record<string, string | number | boolean>;
  mode: 'create' | 'update' | 'upsert';
  /** Fields of `--match`; a custom field named here maps a header of the same name. */
  match: string[];
  /** From `--decimal`; otherwise decided per column. */
  decimal?: 'point' | 'comma';
  /** `--rate`: currency code → value of one unit in the currency of the items. */
  rates?: Readonly<Record<string, string>>;
  /** The template is explicit (explicit-template.ts): it has the decimal mark of each column. */
  explicit?: true;
  /**
   * Unmapped columns become custom fields named by their header; `unasked`: except numbers of pieces. Default false: they
   * are ignored, and listed.
   */
  keepUnknown?: boolean | 'unasked';
  /** For new items of a file that nobody has described: likely readings are used, and reported. */
  likely?: true;
  /** Column → the one text of its first rows, which does not show that a row without a name was filled in. */
  repeated?: Readonly<Record<string, string>>;
}
