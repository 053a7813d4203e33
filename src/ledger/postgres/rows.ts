/** Rows in PostgreSQL: staged in bulk, moved by one function call per batch. */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { ShelfliftError } from '../../base/errors.ts';
import {
  AlreadyClaimedError,
  JobCancelledError,
  type Lease,
  LeaseLostError,
  type MoveOptions,
  type MoveResult,
  type NewRow,
  type RowMove,
} from '../ledger.ts';
import { rowNameText } from '../row-name.ts';
import type { SqlJobs } from '../sql/jobs.ts';
import { SqlRows } from '../sql/rows.ts';
import { stagingLost } from '../staging.ts';
import { checkMoveOfOther, ROW_MOVES, ROW_STATES } from '../states.ts';
import { issuesText, NEVER_SENT, notesText, wasSent } from '../stored-row.ts';
import type { Database } from './database.ts';
import { codeOf } from './errors.ts';
import { MOVE_ERRORS } from './move-rows.ts';

const MOVES = ROW_STATES.flatMap((from) => ROW_MOVES[from].map((to) => `${from}>${to}`));

/**
 * Each turn takes some rows of every page. The space that the first turn frees on a page takes the rows of the next
 * turns, whose indexes are then not written. An import that runs meanwhile has at least half of the time.
 */
const FORGETTING = { part: 2_000, turns: 4, pauseMs: (tookMs: number) => tookMs };
const FOREIGN_KEY_VIOLATION = '23503';
const DIVISION_BY_ZERO = '22012';

export class PostgresRows extends SqlRows {
  readonly #db: Database;
  readonly #jobs: SqlJobs;
  readonly #clock: Clock;
  /** Identifies a commit, together with its number: if it is repeated after a lost answer, it is not applied twice. */
  readonly #writer = randomUUID();
  #commits = 0;
  /** The last batch of each job: batches are committed in the order of the calls. */
  readonly #last = new Map<string, Promise<unknown>>();

  constructor(db: Database, jobs: SqlJobs, clock: Clock) {
    super(db, FORGETTING);
    this.#db = db;
    this.#jobs = jobs;
    this.#clock = clock;
  }

  async stage(jobId: string, rows: readonly NewRow[]): Promise<void> {
    const staged = this.#put(
      'stage',
      `id = $1 AND ($17::text IS NULL OR owner_token = $17)`,
      jobId,
      rows,
      this.#jobs.stagingToken(jobId) ?? null,
    );
    const found = await staged.catch((error: unknown) => {
      // The job was removed meanwhile.
      if (codeOf((error as Error).cause) === FOREIGN_KEY_VIOLATION) return false;
      throw error;
    });
    if (!found) throw stagingLost(jobId);
  }

  async rejudge(jobId: string, rows: readonly NewRow[], lease: Lease): Promise<void> {
    const { schema } = this.#db;
    const found = await this.#put(
      'rejudge',
      `id = $1 AND EXISTS (SELECT 1 FROM ${schema}.lanes WHERE token = $17)`,
      jobId,
      rows,
      lease.token,
    );
    if (!found) throw new LeaseLostError();
  }

  /**
   * Adds rows, or replaces their judgement.
   *
   * @param job condition that the job must meet; $17 is `token`
   * @returns false without such a job
   * @throws if a row was sent: the division by zero undoes the statement
   */
  async #put(
    name: string,
    job: string,
    jobId: string,
    rows: readonly NewRow[],
    token: string | null,
  ): Promise<boolean> {
    const { schema } = this.#db;
    const column = <T>(of: (row: NewRow) => T): T[] => rows.map(of);
    const put = this.#db.repeatable({
      name,
      text: `WITH j AS (SELECT number, target FROM ${schema}.jobs WHERE ${job}),
             put AS (INSERT INTO ${schema}.rows AS rows (job, target, ordinal, state, action, sheet_row, sheet, copy, item_id,
               collection, issues, input, operation, source, kinds, notes, reverts)
             SELECT j.number, j.target, r.* FROM j, unnest($2::integer[], $3::text[], $4::text[],
               $5::integer[], $6::text[], $7::integer[], $8::text[], $9::text[], $10::text[], $11::text[], $12::text[],
               $13::text[], $14::text[], $15::text[], $16::text[]) AS r
             ON CONFLICT (job, ordinal) DO UPDATE SET state = excluded.state, item_id = excluded.item_id,
               action = excluded.action, collection = excluded.collection, issues = excluded.issues,
               input = excluded.input, operation = excluded.operation, notes = excluded.notes WHERE ${NEVER_SENT}
             RETURNING 1)
             SELECT 1 / (CASE WHEN (SELECT count(*) FROM put) = cardinality($2::integer[]) THEN 1 ELSE 0 END) FROM j`,
      values: [
        jobId,
        column((row) => row.ordinal),
        column((row) => row.state),
        column((row) => row.action),
        column((row) => row.sheetRow),
        column((row) => (row.sheet === undefined ? null : this.#db.toText(row.sheet))),
        column((row) => row.copy),
        column((row) => row.itemId),
        column((row) => (row.collection === null ? null : this.#db.toText(row.collection))),
        column((row) => issuesText(row.issues)),
        column((row) => row.input),
        column((row) => row.operation),
        column((row) => row.source),
        column((row) => row.kinds ?? null),
        column((row) => notesText(row.notes)),
        column((row) => (row.reverts === undefined ? null : rowNameText(row.reverts))),
        token,
      ],
    });
    const found = await put.catch((error: unknown) => {
      throw codeOf((error as Error).cause) === DIVISION_BY_ZERO ? wasSent(jobId) : error;
    });
    return found.length > 0;
  }

  async move(jobId: string, moves: readonly RowMove[], options: MoveOptions = {}): Promise<MoveResult> {
    if (options.by !== undefined && options.by !== jobId) moves.forEach(checkMoveOfOther);
    // On two connections, a later batch could overtake an earlier one.
    const before = this.#last.get(jobId) ?? Promise.resolve();
    const moved = before.then(() => this.#move(jobId, moves, options));
    const settled = moved.catch(() => undefined);
    this.#last.set(jobId, settled);
    try {
      return await moved;
    } finally {
      if (this.#last.get(jobId) === settled) this.#last.delete(jobId);
    }
  }

  async #move(jobId: string, moves: readonly RowMove[], { lease, claim }: MoveOptions): Promise<MoveResult> {
    this.#commits += 1;
    const column = <T>(of: (move: RowMove) => T): T[] => moves.map(of);
    try {
      const [row] = await this.#db.repeatable<MoveResult>({
        name: 'move',
        // Returns no row if the job was cancelled. The lock makes a cancel wait for intents that are being committed.
        text: `WITH job AS MATERIALIZED (SELECT 1 FROM ${this.#db.schema}.jobs
                 WHERE id = $1 AND (state <> 'cancelled' OR NOT $21) FOR SHARE)
               SELECT v_contested AS contested, v_missed AS missed, v_stale AS stale FROM job, LATERAL ${this.#db.schema}.move_rows(
                 $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $22,
                 $23, $24, $25)`,
        values: [
          jobId,
          lease?.token ?? null,
          claim?.fingerprint ?? null,
          claim?.force === true,
          this.#writer,
          this.#commits,
          this.#clock.now(),
          MOVES,
          column((move) => move.ordinal),
          column((move) => move.from ?? null),
          column((move) => move.to),
          column((move) => move.action ?? null),
          column((move) => move.operation ?? null),
          column((move) => move.itemId !== undefined),
          column((move) => move.itemId ?? null),
          column((move) => move.requestId !== undefined),
          column((move) => move.requestId ?? null),
          column((move) => move.issues !== undefined),
          column((move) => issuesText(move.issues ?? [])),
          column((move) => move.mark ?? null),
          moves.some((move) => move.to === 'sending'),
          column((move) => move.attempts ?? null),
          column((move) => move.quietMs ?? null),
          column((move) => move.accounted ?? null),
          column((move) => (move.reliesOn === undefined ? null : `{${move.reliesOn.join()}}`)),
        ],
      });
      if (row === undefined) throw new JobCancelledError(jobId);
      return row;
    } catch (error) {
      throw moveError(error);
    }
  }
}

/** Turns the function's error into the port's error. */
function moveError(error: unknown): unknown {
  const cause = error instanceof ShelfliftError ? error.cause : error;
  const message = cause instanceof Error ? cause.message : '';
  switch (codeOf(cause)) {
    case MOVE_ERRORS.leaseLost:
      return new LeaseLostError();
    case MOVE_ERRORS.claimed:
      return new AlreadyClaimedError(message);
    case MOVE_ERRORS.forbidden:
      return new Error(message);
    default:
      return error;
  }
}
