/**
 * What the parts of the ledger ask of a database. Their statements are written once, in PostgreSQL's SQL; SQLite's session
 * changes the few words that SQLite spells otherwise (sqlite/dialect.ts). Only staging and moving rows, which decide how
 * fast an import is, are written for each database.
 */
import type { Durability } from '../key-values.ts';

export interface Statement {
  /** On PostgreSQL, prepared once per connection under this name. */
  name?: string;
  text: string;
  /** Arrays for `= ANY ($1::text[])` and `unnest($1::text[]) AS each(value)`. */
  values?: readonly unknown[];
}

/** A statement whose values are those of many lines. */
export interface Insertion {
  /** Without its schema. */
  table: string;
  /** Column → its type. */
  columns: Readonly<Record<string, string>>;
  /** Without two lines of one key; in an order in which two that insert the same do not wait for each other for ever. */
  lines: readonly (readonly unknown[])[];
  /** `NOTHING`, or `UPDATE SET …`. */
  onConflict: string;
}

export interface ChangeOptions {
  durable?: Durability | undefined;
  /** Longest wait for a store in an outage, ms. */
  withinMs?: number | undefined;
}

export interface Session {
  /** Of all tables, quoted: `${schema}.rows`. */
  readonly schema: string;
  read<Row>(statement: Statement, withinMs?: number): Promise<Row[]>;
  /** One transaction. Sent again when its answer is lost: so it must have the same effect and answer twice. */
  change<Row>(statement: Statement, options?: ChangeOptions): Promise<Row[]>;
  /** The same, for one line of a table after another. */
  insert(insertion: Insertion, options?: ChangeOptions): Promise<void>;
  /** Free text as it is stored, and back. */
  toText(text: string): string;
  fromText(text: string): string;
}
