/**
 * One correction of how a staged job is read, as `jobs.mend` takes it. A column is named by its header or, if its
 * header is not unique, by its letter; a row by the number in a spreadsheet program.
 */
export type Correction =
  /** The column that holds a field. */
  | {
      type: 'map';
      /** A field, or `custom_fields.NAME`. */
      field: string;
      /** Header or letter. */
      column: string;
    }
  /** A column that is not used. */
  | {
      type: 'ignore';
      /** Header or letter. */
      column: string;
    }
  /** A column that becomes a custom field. */
  | {
      type: 'keep';
      /** Header or letter. */
      column: string;
    }
  /** The meaning of a word: a value, '' for nothing, or a value for each of several fields. */
  | {
      type: 'word';
      /** `condition`, `packaging` or `status`; or a field whose column has words. */
      field: string;
      /** The word as it is in the cells. */
      word: string;
      /** A value of the field; '' for nothing; or a value for each of several fields. */
      means: string | Record<string, string>;
    }
  /** The value of rows whose cell is blank. */
  | {
      type: 'default';
      /** A field, or `custom_fields.NAME`. */
      field: string;
      /** The value as in a cell; '' removes the default. */
      value: string;
    }
  /** An option of a column, as in templates; null removes the option. */
  | {
      type: 'option';
      /** The field whose column has the option. */
      field: string;
      /** A key from docs/templates.md, such as `approximate`. */
      option: string;
      /** Null removes the option. */
      value: Json;
    }
  /** Values for rows that pass a test. */
  | {
      type: 'condition';
      /** The test. */
      when: RowCondition;
      /** Field → value. */
      set: Record<string, string | number | boolean>;
    }
  /** Leaves out rows that pass a test. */
  | {
      type: 'skip';
      /** The test. */
      when: RowCondition;
    }
  /** The text of one cell. */
  | {
      type: 'cell';
      /** Row number, as a spreadsheet program shows it. */
      row: number;
      /** Needed only if several sheets have the row. */
      sheet?: string | undefined;
      /** Header or letter. */
      column: string;
      /** The new text of the cell; '' is blank. */
      text: string;
      /**
       * The type of the value if it is not text: a number (`n`, in plain digits), a date (`d`, as `2020-05-01`), yes or
       * no (`b`, `true`), or a number whose format shows a currency (`m`, as `12.5 €`).
       */
      kind?: 'n' | 'b' | 'd' | 'm';
    }
  /** Leaves one row out. */
  | {
      type: 'omit';
      /** Row number, as a spreadsheet program shows it. */
      row: number;
      /** Needed only if several sheets have the row. */
      sheet?: string | undefined;
    }
  /** One row is an item, although it looks like a total (`summary_row`). */
  | {
      type: 'accept';
      /** Row number, as a spreadsheet program shows it. */
      row: number;
      /** Needed only if several sheets have the row. */
      sheet?: string | undefined;
    }
  /** The item that a row refers to, by its id: one of the candidates that were shown for the row. */
  | {
      type: 'item';
      /** Row number, as a spreadsheet program shows it. */
      row: number;
      /** Needed only if several sheets have the row. */
      sheet?: string | undefined;
      /** UUID of the item. */
      item: string;
    }
  /** Leaves out every row that has this problem, only in the column with this letter if a letter is given. */
  | {
      type: 'omitReason';
      /** A code of a problem, such as `not_a_year`. */
      code: string;
      /** Letter of the column. Default: any. */
      column?: string | undefined;
    }
  /** Every row that has this problem is an item. */
  | {
      type: 'acceptReason';
      /** Only `summary_row`. */
      code: string;
    }
  /** The columns of new items are read as if no template were known. Corrections of columns made before do not apply. */
  | {
      type: 'template';
      /** Only `none`. */
      name: 'none';
    };

/** Any JSON value. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** One test of a row, or several that must all be true. */
export type RowCondition =
  | RowTest
  | {
      /** Tests that must all be true. */
      all: RowTest[];
    };

/** A test of one cell of a row: exactly one of `is`, `isNot`, `blank`, `filled` and `matches`. */
export interface RowTest {
  /** One header, or several: shelflift uses the first that the table has. */
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
  /** If the table lacks the column, the test is false instead of an error. */
  optional?: boolean | undefined;
}
