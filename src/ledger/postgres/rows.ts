/** Rows in PostgreSQL: staged in bulk, moved by one function call a batch. */
import { randomUUID } from 'node:crypto';
import { ShelfliftError } from '../../errors.ts';
import {
  AlreadyClaimedError,
  JobCancelledError,
  LeaseLostError,
  type LedgerRow,
  type MoveOptions,
  type MoveResult,
  type NewRow,
  type RowCounts,
  type RowMove,
  type RowQuery,
  type StoredIssue,
} from '../ledger.ts';
import { stagingLost } from '../staging.ts';
import { ROW_MOVES, ROW_STATES } from '../states.ts';
import { issuesText, ROW_COLUMNS, type StoredRow, tally, toLedgerRow } from '../stored-row.ts';
import type { Database } from './database.ts';
import { codeOf } from './errors.ts';
import type { Jobs } from './jobs.ts';
import { MOVE_ERRORS } from './move-rows.ts';
import { fromText, toText } from './text.ts';

/** Every move of the state machine, as the function takes them. */
const MOVES = ROW_STATES.flatMap((from) => ROW_MOVES[from].map((to) => `${from}>${to}`));

const FORGET_PART = 10_000;
const FOREIGN_KEY_VIOLATION = '23503';

export class Rows {
  readonly #db: Database;
  readonly #jobs: Jobs;
  /** With the number of a commit it tells whether that was made already. */
  readonly #writer = randomUUID();
  #commits = 0;
  /** Of each job the last batch that was handed in: they are committed in the order in which they came. */
  readonly #last = new Map<string, Promise<unknown>>();

  constructor(db: Database, jobs: Jobs) {
    this.#db = db;
    this.#jobs = jobs;
  }

  async stage(jobId: string, rows: readonly NewRow[]): Promise<void> {
    const { schema } = this.#db;
    const column = <T>(of: (row: NewRow) => T): T[] => rows.map(of);
    const staged = this.#db.repeatable({
      name: 'stage',
      text: `WITH j AS (SELECT number, target FROM ${schema}.jobs WHERE id = $1 AND ($13::text IS NULL OR owner_token = $13)),
             staged AS (INSERT INTO ${schema}.rows (job, target, ordinal, state, action, sheet_row, sheet, copy, item_id, collection,
               issues, payload, source)
             SELECT j.number, j.target, r.* FROM j, unnest($2::integer[], $3::text[], $4::text[],
               $5::integer[], $6::text[], $7::integer[], $8::text[], $9::text[], $10::text[], $11::text[], $12::text[]) AS r
             ON CONFLICT (job, ordinal) DO UPDATE SET state = excluded.state, item_id = excluded.item_id,
               action = excluded.action, collection = excluded.collection, issues = excluded.issues,
               payload = excluded.payload)
             SELECT number FROM j`,
      values: [
        jobId,
        column((row) => row.ordinal),
        column((row) => row.state),
        column((row) => row.action),
        column((row) => row.sheetRow),
        column((row) => (row.sheet === undefined ? null : toText(row.sheet))),
        column((row) => row.copy),
        column((row) => row.itemId),
        column((row) => (row.collection === null ? null : toText(row.collection))),
        column((row) => issuesText(row.issues)),
        column((row) => row.payload),
        column((row) => row.source),
        this.#jobs.stagingToken(jobId) ?? null,
      ],
    });
    const found = await staged.catch((error: unknown) => {
      // Removed while the rows were on their way.
      if (codeOf((error as Error).cause) === FOREIGN_KEY_VIOLATION) return [];
      throw error;
    });
    if (found.length === 0) throw stagingLost(jobId);
  }

  async counts(jobId: string): Promise<RowCounts> {
    const groups = await this.#db.repeatable<{ state: string; action: string; count: number }>({
      text: `SELECT state, action, count(*) AS count FROM ${this.#db.schema}.rows WHERE job = ${this.#job(1)}
             GROUP BY state, action`,
      values: [jobId],
    });
    return tally(groups);
  }

  async query(jobId: string, query: RowQuery): Promise<LedgerRow[]> {
    const rows = await this.#db.repeatable<StoredRow>({
      name: 'rows',
      text: `SELECT ${ROW_COLUMNS} FROM ${this.#db.schema}.rows WHERE job = ${this.#job(1)} AND ordinal > $2
               AND ($3::text[] IS NULL OR state = ANY ($3)) AND ($4::text[] IS NULL OR action = ANY ($4))
               AND ($6::boolean IS NOT TRUE OR resent = 1)
             ORDER BY ordinal LIMIT $5`,
      values: [
        jobId,
        query.after ?? 0,
        query.states ?? null,
        query.actions ?? null,
        query.limit,
        query.resent === true,
      ],
    });
    return rows.map(toRow);
  }

  async collectionReferences(jobId: string): Promise<(string | null)[]> {
    const rows = await this.#db.repeatable<{ collection: string | null }>({
      text: `SELECT DISTINCT collection FROM ${this.#db.schema}.rows
             WHERE job = ${this.#job(1)} AND state IN ('planned', 'sending', 'unknown')`,
      values: [jobId],
    });
    return rows.map(({ collection }) => (collection === null ? null : fromText(collection)));
  }

  async invalidateCollection(jobId: string, reference: string | null, issue: StoredIssue): Promise<number> {
    // Not sent again: the second answer would be another number.
    const rows = await this.#db.once({
      text: `UPDATE ${this.#db.schema}.rows SET state = 'invalid', issues = $2
             WHERE job = ${this.#job(1)} AND state = 'planned' AND collection IS NOT DISTINCT FROM $3 RETURNING 1`,
      values: [jobId, issuesText([issue]), reference === null ? null : toText(reference)],
    });
    return rows.length;
  }

  async move(
    jobId: string,
    moves: readonly RowMove[],
    options: MoveOptions,
    now: number,
  ): Promise<MoveResult> {
    // Two connections would let a later batch overtake an earlier one.
    const before = this.#last.get(jobId) ?? Promise.resolve();
    const moved = before.then(() => this.#move(jobId, moves, options, now));
    const settled = moved.catch(() => undefined);
    this.#last.set(jobId, settled);
    try {
      return await moved;
    } finally {
      if (this.#last.get(jobId) === settled) this.#last.delete(jobId);
    }
  }

  async #move(
    jobId: string,
    moves: readonly RowMove[],
    { lease, claim }: MoveOptions,
    now: number,
  ): Promise<MoveResult> {
    this.#commits += 1;
    const column = <T>(of: (move: RowMove) => T): T[] => moves.map(of);
    try {
      const [row] = await this.#db.repeatable<MoveResult>({
        name: 'move',
        // No row of the job's own: it was cancelled. The lock makes a cancel wait for intents that are being committed.
        text: `WITH job AS MATERIALIZED (SELECT 1 FROM ${this.#db.schema}.jobs
                 WHERE id = $1 AND (state <> 'cancelled' OR NOT $21) FOR SHARE)
               SELECT v_contested AS contested, v_missed AS missed FROM job, LATERAL ${this.#db.schema}.move_rows(
                 $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $22,
                 $23)`,
        values: [
          jobId,
          lease?.token ?? null,
          claim?.fingerprint ?? null,
          claim?.force === true,
          this.#writer,
          this.#commits,
          now,
          MOVES,
          column((move) => move.ordinal),
          column((move) => move.from ?? null),
          column((move) => move.to),
          column((move) => move.action ?? null),
          column((move) => move.payload ?? null),
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
        ],
      });
      if (row === undefined) throw new JobCancelledError(jobId);
      return row;
    } catch (error) {
      throw moveError(error);
    }
  }

  async forget(jobId: string): Promise<void> {
    const { schema } = this.#db;
    // A part at a time: no statement takes longer than an answer is waited for, however large the job.
    for (let after: number | null = 0; after !== null; ) {
      const [part]: { next: number | null }[] = await this.#db.repeatable({
        text: `WITH part AS (SELECT ordinal FROM ${schema}.rows WHERE job = ${this.#job(1)} AND ordinal > $2
                 ORDER BY ordinal LIMIT ${FORGET_PART}),
               forgotten AS (UPDATE ${schema}.rows r SET payload = NULL, source = NULL FROM part
                 WHERE r.job = ${this.#job(1)} AND r.ordinal = part.ordinal AND r.state <> ALL ($3::text[])
                   AND (r.payload IS NOT NULL OR r.source IS NOT NULL))
               SELECT max(ordinal) AS next FROM part`,
        values: [jobId, after, ['planned', 'sending', 'unknown', 'held']],
      });
      after = part?.next ?? null;
    }
  }

  async takeOver(jobId: string): Promise<number> {
    // Not sent again: whether there was something to take over decides about the quiet period.
    const rows = await this.#db.once({
      text: `UPDATE ${this.#db.schema}.rows SET state = 'unknown' WHERE job = ${this.#job(1)} AND state = 'sending' RETURNING 1`,
      values: [jobId],
    });
    return rows.length;
  }

  async owned(apiUrl: string, itemIds: readonly string[]): Promise<Set<string>> {
    const rows = await this.#db.repeatable<{ item_id: string }>({
      text: `SELECT item_id FROM ${this.#db.schema}.rows WHERE target = ${this.#target(1)} AND action = 'create'
               AND item_id = ANY ($2::text[])`,
      values: [apiUrl, itemIds],
    });
    return new Set(rows.map((row) => row.item_id));
  }

  async openCreates(apiUrl: string): Promise<{ jobId: string; row: LedgerRow }[]> {
    const { schema } = this.#db;
    const rows = await this.#db.repeatable<StoredRow & { job_id: string }>({
      text: `SELECT (SELECT id FROM ${schema}.jobs j WHERE j.number = r.job) AS job_id, ${ROW_COLUMNS} FROM ${schema}.rows r
             WHERE state = 'unknown' AND action = 'create' AND target = ${this.#target(1)}
             UNION ALL
             -- Those under way job by job, from the index that every job has.
             SELECT j.id, under_way.* FROM ${schema}.jobs j CROSS JOIN LATERAL (
               SELECT ${ROW_COLUMNS} FROM ${schema}.rows
               WHERE job = j.number AND state = 'sending' AND action = 'create') under_way
             WHERE j.target = ${this.#target(1)}
             ORDER BY sequence`,
      values: [apiUrl],
    });
    return rows.map((row) => ({ jobId: row.job_id, row: toRow(row) }));
  }

  async noteSeen(apiUrl: string, itemIds: readonly string[]): Promise<void> {
    const { schema } = this.#db;
    await this.#jobs.ensureTarget(apiUrl);
    await this.#db.repeatable({
      // The target's line is read without waiting for a batch of intents that is being committed: what these
      // create cannot have been shown yet, so "before them" is right. Sorted, so that two never wait in a ring.
      text: `INSERT INTO ${schema}.seen_items (target, item_id, sequence)
             SELECT t.number, id, t.sequence FROM ${schema}.targets t, unnest($2::text[]) AS id WHERE t.api_url = $1
             ORDER BY id COLLATE "C" ON CONFLICT DO NOTHING`,
      values: [apiUrl, itemIds],
    });
  }

  async seenAt(apiUrl: string, itemIds: readonly string[]): Promise<Map<string, number>> {
    const rows = await this.#db.repeatable<{ item_id: string; sequence: number }>({
      text: `SELECT item_id, sequence FROM ${this.#db.schema}.seen_items WHERE target = ${this.#target(1)}
               AND item_id = ANY ($2::text[])`,
      values: [apiUrl, itemIds],
    });
    return new Map(rows.map((row) => [row.item_id, row.sequence]));
  }

  async intents(apiUrl: string): Promise<{ committed: number; underWay: boolean }> {
    const { schema } = this.#db;
    const [row] = await this.#db.repeatable<{ committed: number; underWay: boolean }>({
      text: `SELECT sequence AS committed, EXISTS (SELECT 1 FROM ${schema}.jobs j JOIN ${schema}.rows r ON r.job = j.number
               WHERE j.target = t.number AND r.state = 'sending') AS "underWay"
             FROM ${schema}.targets t WHERE api_url = $1`,
      values: [apiUrl],
    });
    return row ?? { committed: 0, underWay: false };
  }

  async claimant(fingerprint: string): Promise<string | undefined> {
    const { schema } = this.#db;
    const [row] = await this.#db.repeatable<{ id: string }>({
      text: `SELECT j.id FROM ${schema}.claims c JOIN ${schema}.jobs j ON j.number = c.job WHERE c.fingerprint = $1`,
      values: [fingerprint],
    });
    return row?.id;
  }

  #job(parameter: number): string {
    return `(SELECT number FROM ${this.#db.schema}.jobs WHERE id = $${parameter})`;
  }

  #target(parameter: number): string {
    return `(SELECT number FROM ${this.#db.schema}.targets WHERE api_url = $${parameter})`;
  }
}

function toRow(row: StoredRow): LedgerRow {
  const { sheet, collection } = row;
  return toLedgerRow({
    ...row,
    sheet: sheet === null ? null : fromText(sheet),
    collection: collection === null ? null : fromText(collection),
  });
}

/** What the function raised, as the port says it. */
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
