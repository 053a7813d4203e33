import type { Message } from '../../messages/params.ts';

/** A difference between two exports. */

export interface DiffRow {
  /** In both files with different values, only in the second file, or only in the first. */
  what: 'changed' | 'added' | 'gone';
  /** Number of the row in the second file, or in the first file for a removed item. */
  row: number;
  /** The id, or the values of the key fields, without regard to case and surrounding spaces. */
  key: string;
  /** '' unless both files have a column of names. */
  name: string;
  /** Values in text form; '' is blank. `from` is blank for an added item, `to` for a removed one. */
  changes: {
    /** A field, or `custom_fields.NAME`. */
    field: string;
    /** Value in the earlier export. */
    from: string;
    /** Value in the later export. */
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
  /** Only in the first file. */
  gone: number;
  /** In both files, with different values. A different `updated_at` alone does not count. */
  changed: number;
  /** In both files, with the same values. */
  unchanged: number;
  /** Number of changed items with another value in each field; most first. */
  fields: {
    /** A field, or `custom_fields.NAME`. */
    field: string;
    /** Number of items with another value in the field. */
    items: number;
  }[];
  /** Limits of the comparison, one sentence each. */
  warnings: string[];
  /** The warnings as messages: `textOf(said, 'de')` gives one in German. */
  said: Message[];
  /** Absolute path of the file for review. */
  out?: string;
}

/** One of the two compared files. */
export interface DiffSide {
  /** Absolute path. */
  file: string;
  /** Rows of the file. */
  rows: number;
  /** Rows whose key fields are all blank: they are not counted elsewhere. */
  withoutKey: number;
  /** Rows that its manifest counts but the file no longer has: it is unknown whether their items are gone. */
  missing: number;
}
