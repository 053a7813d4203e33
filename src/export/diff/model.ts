/** A difference between two exports. */

export interface DiffRow {
  /** In both with other values, only in the second file, or only in the first. */
  what: 'changed' | 'added' | 'gone';
  /** Row in the second file; of a gone item in the first. */
  row: number;
  /** The id, or the values of the key fields, without case and outer spaces. */
  key: string;
  /** '' if not both files have names. */
  name: string;
  /** In text form; '' is blank. `from` is blank for an added item, `to` for a removed one. */
  changes: {
    /** A field, or `custom_fields.NAME`. */
    field: string;
    /** In the earlier export. */
    from: string;
    /** In the later export. */
    to: string;
  }[];
}

/** The result of comparing two exports. */
export interface DiffSummary {
  /** The earlier export. */
  a: DiffSide;
  /** The later export. */
  b: DiffSide;
  /** The fields that identified an item. */
  by: string[];
  /** Only in the second file. */
  added: number;
  /** Only in the first. */
  gone: number;
  /** In both, with other values. `updated_at` alone is no change. */
  changed: number;
  /** In both, with the same values. */
  unchanged: number;
  /** How many changed items have another value in each field; most first. */
  fields: {
    /** A field, or `custom_fields.NAME`. */
    field: string;
    /** Number of items with another value in it. */
    items: number;
  }[];
  /** Limits of the comparison, a sentence each. */
  warnings: string[];
  /** Absolute path of the file for review. */
  out?: string;
}

/** One of the two compared files. */
export interface DiffSide {
  /** Absolute path. */
  file: string;
  /** Rows of the file. */
  rows: number;
  /** Rows in which all key fields are blank: they are in no count. */
  withoutKey: number;
  /** Rows that its manifest counts and the file no longer has: nobody can say whether their items are gone. */
  missing: number;
}
