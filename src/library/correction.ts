/**
 * One correction of how a staged job is read, as `jobs.mend` takes it. A column is named by its header, or by its letter where
 * it has none of its own; a row as a spreadsheet program shows it.
 */
export type Correction =
  /** The column that holds a field. */
  | { type: 'map'; field: string; column: string }
  /** A column that is not used. */
  | { type: 'ignore'; column: string }
  /** A column that becomes a custom field. */
  | { type: 'keep'; column: string }
  /** What a word means: a value, '' for nothing, or a value for each of several fields. */
  | { type: 'word'; field: string; word: string; means: string | Record<string, string> }
  /** The value of rows without one. */
  | { type: 'default'; field: string; value: string }
  /** An option of a column, as templates have it; null removes it. */
  | { type: 'option'; field: string; option: string; value: Json }
  /** Values for rows that pass a test. */
  | { type: 'condition'; when: RowCondition; set: Record<string, string | number | boolean> }
  /** Leaves out rows that pass a test. */
  | { type: 'skip'; when: RowCondition }
  /** The text of one cell. */
  | { type: 'cell'; row: number; sheet?: string | undefined; column: string; text: string }
  /** Leaves one row out. */
  | { type: 'omit'; row: number; sheet?: string | undefined }
  /** The item that one row means, by its id: one of those that were shown for it. */
  | { type: 'item'; row: number; sheet?: string | undefined; item: string }
  /** Leaves out every row that has this problem, in the column with this letter if one is given. */
  | { type: 'omitReason'; code: string; column?: string | undefined };

/** Whatever JSON can hold. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** One test of a row, or several that must all be true. */
export type RowCondition = RowTest | { all: RowTest[] };

/** A test of one cell of a row: exactly one of `is`, `isNot`, `blank`, `filled` and `matches`. */
export interface RowTest {
  /** Header, or several: the first one that the table has. */
  from?: string | string[] | undefined;
  /** Letter of a column, or its position from 1, in place of `from`. */
  column?: string | number | undefined;
  /** True if the cell is one of these words. */
  is?: (string | number | boolean)[] | undefined;
  /** True if the cell is none of these words. */
  isNot?: (string | number | boolean)[] | undefined;
  /** True if the cell is blank. */
  blank?: true | undefined;
  /** True if the cell is not blank. */
  filled?: true | undefined;
  /** True if this regular expression (RE2) matches. */
  matches?: string | undefined;
  /** A table without the column: the test is false instead of an error. */
  optional?: boolean | undefined;
}
