/**
 * Rows that an import of this store has sent before, found again by hashes of what they hold.
 *
 * The hashes stand in a table of their own: pruning a job's cells and payloads leaves them. They are filled in when
 * an import first asks for them, job by job, so that a store of any age has them and a first import pays nothing.
 * What is hashed is the import's to say (import/known-rows); the store only compares.
 */
import type { RowState } from './states.ts';

/** One thing that a row is known by; a row has several. */
export interface RowHash {
  hash: string;
  ordinal: number;
}

/** A create row of another job that was sent, or may still be. */
export interface KnownRow {
  /** The hash that it was found by. */
  hash: string;
  jobId: string;
  ordinal: number;
  /** Row as a spreadsheet program shows it. */
  sheetRow: number;
  state: RowState;
  itemId: string | null;
  /** Collection as written; null for the job's default. */
  collection: string | null;
}

export interface KnownRows {
  /** The last ordinal of the job up to which all its rows have their hashes; 0 before. */
  hashedTo(jobId: string): Promise<number>;
  /** Adds hashes, those that are there already too, and notes up to which ordinal they are whole. */
  note(jobId: string, hashes: readonly RowHash[], hashedTo: number): Promise<void>;
  /**
   * Rows of this address with one of the hashes, without those of `exceptJob`, that count as sent before: created and
   * not taken back by an undo, sending, unknown, or held after they were sent; and planned ones of a job that may
   * send them, which is one that has taken its rows for its own (`own`) and was not cancelled since.
   */
  find(apiUrl: string, hashes: readonly string[], exceptJob: string): Promise<KnownRow[]>;
  /** The job's planned rows are its own to send from now on: other imports find them. A reopened job does it again. */
  own(jobId: string, at: number): Promise<void>;
  /**
   * Marks the created rows of `jobId` whose items `undoJob` has archived (or, with `undone` false, has brought back).
   * Once some are undone, the job's claim on its file ends: the same file may be imported again.
   */
  noteUndone(jobId: string, undoJob: string, undone: boolean): Promise<void>;
}

/** SQL: whether row `r` of job `j` counts as sent before. */
export const COUNTS_AS_SENT = `r.action = 'create' AND r.undone = 0 AND (
  r.state IN ('done', 'sending', 'unknown') OR (r.state = 'held' AND r.attempts > 0)
  OR (r.state = 'planned' AND j.owned_at IS NOT NULL AND j.state <> 'cancelled'))`;
