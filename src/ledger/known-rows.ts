/**
 * Rows that an import of this store has sent before, found by hashes of their content.
 *
 * The hashes have a separate table, so that they survive the pruning of a job's cells and inputs. They are computed job
 * by job, when an import first needs them: so stores of any age get them, and a first import costs nothing. The import
 * decides what is hashed (import/history); the store only compares.
 */
import { z } from 'zod';
import { storedParser } from '../base/stored-json.ts';
import type { RowState } from './states.ts';

/** `hashedTo` of a job whose rows all have hashes. */
export const HASHED_WHOLE = 2 ** 31 - 1;

/** One hash of a row; a row has several. */
export interface RowHash {
  hash: string;
  ordinal: number;
}

/** A create row of another job that was sent or may still be sent, or that a person left out (`skipped`). */
export interface KnownRow {
  /** The hash by which the row was found. */
  hash: string;
  jobId: string;
  ordinal: number;
  /** Row as a spreadsheet program shows it. */
  sheetRow: number;
  sheet: string | null;
  state: RowState;
  /** Times that it was sent; another store that seems to have sent it (`store_behind`) counts, too. */
  attempts: number;
  itemId: string | null;
  /** Collection as written; null for the job's default. */
  collection: string | null;
}

export interface FileColumns {
  source: { headers: string[] };
  plan: { quantityColumn?: number | undefined };
}

/** The columns as stored: JSON texts. */
export interface StoredColumns {
  headers: string;
  quantity: string | number | null;
}

const readHeaders = storedParser('columns', () => z.array(z.string()));

export function toFileColumns({ headers, quantity }: StoredColumns): FileColumns {
  return {
    source: { headers: readHeaders(headers) },
    plan: quantity === null ? {} : { quantityColumn: Number(quantity) },
  };
}

export interface KnownRows {
  /** Adds hashes (existing ones are ignored), and stores the ordinal up to which they are complete. */
  note(jobId: string, hashes: readonly RowHash[], hashedTo: number): Promise<void>;
  /** Removes the job's hashes because its rows are judged again. */
  forget(jobId: string): Promise<void>;
  /**
   * Rows of this address with one of the hashes, except those of `exceptJob`, that count as sent before: rows that are
   * created, sending, unknown, or held after they were sent, by this store or by another (`store_behind`); planned
   * rows of a job that owns its rows (`own`) and was not cancelled since; and rows left out of a job that has sent
   * other rows. import/history decides whether an undo has taken them back.
   */
  find(apiUrl: string, hashes: readonly string[], exceptJob: string): Promise<KnownRow[]>;
  /**
   * The distinct columns of the files whose rows are compared, newest first: of jobs that have created items, or own
   * rows to create.
   */
  columns(apiUrl: string): Promise<FileColumns[]>;
  /** Makes other imports find the job's planned rows from now on. A reopened job calls it again. */
  own(jobId: string, at: number): Promise<void>;
}

/** SQL: whether row `r` of job `j` counts as sent before. */
export const COUNTS_AS_SENT = `r.action = 'create' AND (
  r.state IN ('done', 'sending', 'unknown')
  OR (r.state = 'held' AND (r.attempts > 0 OR r.issues LIKE '%"store_behind"%'))
  OR (r.state = 'skipped' AND r.issues LIKE '%"skipped_by_rule"%'
    AND (j.first_sent_at IS NOT NULL OR r.issues LIKE '%"store_behind"%'))
  OR (r.state = 'planned' AND j.owned_at IS NOT NULL AND j.state <> 'cancelled'))`;
