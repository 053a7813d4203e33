/**
 * Rows that an import of this store has sent before, found again by hashes of what they hold.
 *
 * The hashes have a table of their own, so that they survive the pruning of a job's cells and inputs. They are
 * filled in job by job, when an import first needs them: stores of any age get them, and a first import pays nothing.
 * The import decides what is hashed (import/history); the store only compares.
 */
import { z } from 'zod';
import { storedParser } from '../base/stored-json.ts';
import type { RowState } from './states.ts';

/** `hashedTo` of a job all of whose rows have hashes, whatever their number. */
export const HASHED_WHOLE = 2 ** 31 - 1;

/** One hash of a row; a row has several. */
export interface RowHash {
  hash: string;
  ordinal: number;
}

/** A create row of another job that was sent, or may still be; or that a person has left out (`skipped`). */
export interface KnownRow {
  /** The hash by which the row was found. */
  hash: string;
  jobId: string;
  ordinal: number;
  /** Row as a spreadsheet program shows it. */
  sheetRow: number;
  state: RowState;
  attempts: number;
  itemId: string | null;
  /** Collection as written; null for the job's default. */
  collection: string | null;
}

/** The parts of a job that decide which cells of its rows count. */
export interface FileColumns {
  source: { headers: string[] };
  plan: { quantityColumn?: number | undefined };
}

/** As the store has them: JSON texts. */
export interface StoredColumns {
  headers: string;
  quantity: string | number | null;
}

const readHeaders = storedParser('the columns of a file', () => z.array(z.string()));

export function toFileColumns({ headers, quantity }: StoredColumns): FileColumns {
  return {
    source: { headers: readHeaders(headers) },
    plan: quantity === null ? {} : { quantityColumn: Number(quantity) },
  };
}

export interface KnownRows {
  /** Adds hashes (existing ones are ignored), and stores up to which ordinal they are complete. */
  note(jobId: string, hashes: readonly RowHash[], hashedTo: number): Promise<void>;
  /** Removes the job's hashes, because its rows are judged again. */
  forget(jobId: string): Promise<void>;
  /**
   * Rows of this address with one of the hashes, except those of `exceptJob`, that count as sent before: created,
   * sending, unknown, or held after they were sent; and planned rows of a job that owns its rows (`own`) and was not
   * cancelled since; and rows that a job which has sent others was to leave out. Whether an undo has taken them back,
   * import/history says.
   */
  find(apiUrl: string, hashes: readonly string[], exceptJob: string): Promise<KnownRow[]>;
  /**
   * The columns of the files whose rows are compared, each once, the newest first: of jobs that have created items, or own
   * rows to create.
   */
  columns(apiUrl: string): Promise<FileColumns[]>;
  /** From now on, other imports find the job's planned rows. A reopened job calls it again. */
  own(jobId: string, at: number): Promise<void>;
}

/** SQL: whether row `r` of job `j` counts as sent before. */
export const COUNTS_AS_SENT = `r.action = 'create' AND (
  r.state IN ('done', 'sending', 'unknown') OR (r.state = 'held' AND r.attempts > 0)
  OR (r.state = 'skipped' AND r.issues LIKE '%"skipped_by_rule"%' AND j.first_sent_at IS NOT NULL)
  OR (r.state = 'planned' AND j.owned_at IS NOT NULL AND j.state <> 'cancelled'))`;
