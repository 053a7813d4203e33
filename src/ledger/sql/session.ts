/**
 * What the parts of the ledger ask of a database. Their statements are written once, in PostgreSQL's SQL; SQLite's session
 * changes the few words that SQLite spells otherwise (sqlite/dialect.ts). Only staging and moving rows, which decide how
 * fast an import is, are written for each database.
 */
import type { Durability } from '../key-values.ts';
import type { ProcessIdentity } from '../process-identity.ts';

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
  lines: readonly (readonly (string | number | null)[])[];
  /** `NOTHING`, or `UPDATE SET …`. */
  onConflict: string;
}

export interface ChangeOptions {
  durable?: Durability | undefined;
  /** Longest wait for a store in an outage, ms. */
  withinMs?: number | undefined;
  /** Never repeated after a lost answer: the caller needs to know what this attempt changed. */
  once?: true;
}

export type Line = Record<string, string | number | null>;

/** Statements that depend on the answers to earlier ones: each is yielded, and its lines come back. */
export type Steps<T> = Generator<Statement | Insertion, T, Line[]>;

export interface Session {
  /** Of all tables, quoted: `${schema}.rows`. */
  readonly schema: string;
  /** SQL: now, ms since the epoch, by the clock that all who use the store share. */
  readonly now: string;
  /** The store is a file beside the processes that use it. */
  readonly isFile: boolean;
  /** What tells the machine of a process from others; undefined where nothing does. */
  machineOf(identity: ProcessIdentity): string | undefined;
  read<Row>(statement: Statement, withinMs?: number): Promise<Row[]>;
  /** One transaction. Sent again when its answer is lost: so it must have the same effect and answer twice, if not `once`. */
  change<Row>(statement: Statement | Insertion, options?: ChangeOptions): Promise<Row[]>;
  /** The same with several statements. @param steps begun anew if they cannot be committed, or that is not known */
  together<T>(steps: () => Steps<T>, options?: ChangeOptions): Promise<T>;
  /** SQL: a column is among what a query finds, which is few and found first. */
  among(query: string): string;
  /** SQL: a part of a JSON text, as text. */
  json(column: string, ...path: string[]): string;
  /** Free text as it is stored, and back. */
  toText(text: string): string;
  fromText(text: string): string;
}
