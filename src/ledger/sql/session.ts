/**
 * The operations that the parts of the ledger need from a database. Statements are written once, in PostgreSQL's SQL;
 * SQLite's session replaces the few words that SQLite spells differently (sqlite/dialect.ts). Only staging and moving
 * rows, which determine the speed of an import, are written for each database.
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

/** A statement with the values of many lines. */
export interface Insertion {
  /** Name of the table without its schema. */
  table: string;
  /** Column → its type. */
  columns: Readonly<Record<string, string>>;
  /** Lines with distinct keys, in an order that prevents deadlocks between two statements that insert the same keys. */
  lines: readonly (readonly (string | number | null)[])[];
  /** `NOTHING`, or `UPDATE SET …`. */
  onConflict: string;
}

export interface ChangeOptions {
  durable?: Durability | undefined;
  /** Longest wait for a store in an outage, ms. */
  withinMs?: number | undefined;
  /** Never repeated after a lost answer, because the caller needs to know what this attempt changed. */
  once?: true;
}

export type Line = Record<string, string | number | null>;

/** Statements that depend on the answers to earlier ones: each is yielded, and the yield returns its lines. */
export type Steps<T> = Generator<Statement | Insertion, T, Line[]>;

export interface Session {
  /** Prefix of a table's quoted name: `${schema}.rows`. */
  readonly schema: string;
  /** SQL: the current time, ms since the epoch, by the clock that all users of the store share. */
  readonly now: string;
  /** The store is a file on the machine of the processes that use it. */
  readonly isFile: boolean;
  /** Identifies the machine of a process; undefined if that is not possible. */
  machineOf(identity: ProcessIdentity): string | undefined;
  read<Row>(statement: Statement, withinMs?: number): Promise<Row[]>;
  /**
   * Runs a statement in one transaction. It is sent again if its answer is lost, so unless `once` is set, sending it
   * twice must have the same effect and answer.
   */
  change<Row>(statement: Statement | Insertion, options?: ChangeOptions): Promise<Row[]>;
  /**
   * Runs several statements in one transaction. @param steps is started again if the commit fails, or if its outcome is
   * unknown
   */
  together<T>(steps: () => Steps<T>, options?: ChangeOptions): Promise<T>;
  /** SQL: true if a column is among the results of a query, which are few and are found first. */
  among(query: string): string;
  /** SQL: a part of a JSON text, as text. */
  json(column: string, ...path: string[]): string;
  /** Converts free text to its stored form, and back. */
  toText(text: string): string;
  fromText(text: string): string;
}
