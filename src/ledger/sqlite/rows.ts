/** Rows in SQLite: bulk staging, and the moves that the state machine allows. */
import type { Clock } from '../../base/clock.ts';
import {
  AlreadyClaimedError,
  JobCancelledError,
  type Lease,
  LeaseLostError,
  type MoveOptions,
  type MoveResult,
  type NewRow,
  type RowCounts,
  type RowMove,
} from '../ledger.ts';
import { rowNameText } from '../row-name.ts';
import type { SqlJobs } from '../sql/jobs.ts';
import { SqlRows } from '../sql/rows.ts';
import { stagingLost } from '../staging.ts';
import { checkMoveOfOther, ROW_MOVES, ROW_STATES, type RowState } from '../states.ts';
import { noSuchJob } from '../stored-job.ts';
import { issuesText, NEVER_SENT, notesText, wasSent } from '../stored-row.ts';
import type { Database } from './database.ts';

/** For each state, the states from which a row may reach it, as an SQL list: the guard of every UPDATE. */
const REACHED_FROM = Object.fromEntries(
  ROW_STATES.map((to) => [
    to,
    ROW_STATES.filter((from) => ROW_MOVES[from].includes(to))
      .map((state) => `'${state}'`)
      .join(', '),
  ]),
) as Record<RowState, string>;

/**
 * In an UPDATE to `planned` or `skipped`: marks a create that is sent again, or left out, although its request may have
 * been applied.
 */
const NOTE_RESENT = `, resent = CASE WHEN state IN ('unknown', 'held') AND action = 'create' AND attempts > 0
  THEN 1 ELSE resent END`;

/** The row of a move, if it meets the conditions of the move. */
const HERE = 'job = ? AND ordinal = ? AND state = coalesce(?, state) AND attempts = coalesce(?, attempts)';

/** Rows per INSERT: this saved a third of the processor time per row; more than 40 gained nothing. */
const STAGED_AT_ONCE = 40;
const STAGE_ONE = stageStatement(1);
const STAGE_MANY = stageStatement(STAGED_AT_ONCE);

function stageStatement(rows: number): string {
  const row = `(${Array.from({ length: 17 }, () => '?').join(', ')})`;
  return `INSERT INTO rows (job, ordinal, target, state, action, sheet_row, sheet, copy, item_id, collection, issues, input,
      operation, source, kinds, notes, reverts)
    VALUES ${Array.from({ length: rows }, () => row).join(', ')}
    ON CONFLICT (job, ordinal) DO UPDATE SET state = excluded.state, item_id = excluded.item_id,
      action = excluded.action, collection = excluded.collection, issues = excluded.issues, input = excluded.input,
      operation = excluded.operation, notes = excluded.notes WHERE ${NEVER_SENT}`;
}

/** Processes that wait for the lock try again within the pause. */
const FORGETTING = { part: 5_000, turns: 1, pauseMs: () => 5 };

export class SqliteRows extends SqlRows {
  readonly #db: Database;
  readonly #jobs: SqlJobs;
  readonly #clock: Clock;
  /** Counting 1,000,000 rows takes 0.1 s, and each part of a plan's report needs the counts. */
  #counted: { jobId: string; version: string; counts: RowCounts } | undefined;

  constructor(db: Database, jobs: SqlJobs, clock: Clock) {
    super(db, FORGETTING);
    this.#db = db;
    this.#jobs = jobs;
    this.#clock = clock;
  }

  stage(jobId: string, rows: readonly NewRow[]): Promise<void> {
    return this.#db.patiently(() => {
      this.#db.relaxed(() => {
        const changed = this.#stageAll(this.#numbers(jobId, this.#jobs.stagingToken(jobId)), rows);
        if (changed !== rows.length) throw wasSent(jobId);
      });
    });
  }

  rejudge(jobId: string, rows: readonly NewRow[], lease: Lease): Promise<void> {
    return this.#db.patiently(() => {
      this.#db.relaxed(() => {
        this.#checkLease(lease.token);
        const changed = this.#stageAll(this.#numbers(jobId), rows);
        if (changed !== rows.length) throw wasSent(jobId);
      });
    });
  }

  /** Returns how many rows were added or replaced. */
  #stageAll({ job, target }: { job: number; target: number }, rows: readonly NewRow[]): number {
    let changed = 0;
    let from = 0;
    for (; from + STAGED_AT_ONCE <= rows.length; from += STAGED_AT_ONCE) {
      changed += this.#stageSome(job, target, rows.slice(from, from + STAGED_AT_ONCE));
    }
    for (; from < rows.length; from += 1) changed += this.#stageSome(job, target, rows.slice(from, from + 1));
    return changed;
  }

  #stageSome(job: number, target: number, rows: readonly NewRow[]): number {
    const values: (string | number | null)[] = [];
    for (const row of rows) {
      values.push(
        job,
        row.ordinal,
        target,
        row.state,
        row.action,
        row.sheetRow,
        row.sheet ?? null,
        row.copy,
        row.itemId,
        row.collection,
        issuesText(row.issues),
        row.input,
        row.operation,
        row.source,
        row.kinds ?? null,
        notesText(row.notes),
        row.reverts === undefined ? null : rowNameText(row.reverts),
      );
    }
    return Number(this.#db.prepare(rows.length === 1 ? STAGE_ONE : STAGE_MANY).run(...values).changes);
  }

  override async counts(jobId: string): Promise<RowCounts> {
    const version = await this.#db.patiently(() => this.#db.version());
    let counted = this.#counted;
    if (counted?.jobId !== jobId || counted.version !== version)
      counted = this.#counted = { jobId, version, counts: await super.counts(jobId) };
    return { ...counted.counts };
  }

  async move(jobId: string, moves: readonly RowMove[], options: MoveOptions = {}): Promise<MoveResult> {
    if (options.by !== undefined && options.by !== jobId) moves.forEach(checkMoveOfOther);
    return this.#db.durably(() => this.#move(jobId, moves, options));
  }

  #move(jobId: string, moves: readonly RowMove[], options: MoveOptions): MoveResult {
    const { job, target } = this.#numbers(jobId);
    const contested: number[] = [];
    const missed: number[] = [];
    const stale: number[] = [];
    if (options.lease !== undefined) this.#checkLease(options.lease.token);
    const sends = moves.some((move) => move.to === 'sending');
    if (sends) this.#beginSending(job, jobId, options);
    // Numbered here, and written once for all moves.
    const firstIntent = sends ? this.#nextIntent(target) : 0;
    let intent = firstIntent;
    for (const move of moves) {
      const namesItem = move.to === 'done' && typeof move.itemId === 'string';
      if (namesItem && this.#hasMoved(job, move)) missed.push(move.ordinal);
      else if (namesItem && this.#contest(job, target, move)) contested.push(move.ordinal);
      else if (this.#isStale(job, move)) stale.push(move.ordinal);
      else if (this.#apply(job, intent, move)) {
        if (move.to === 'sending') intent += 1;
        if (namesItem) this.#noteAcknowledged(job, move);
      } else {
        if (!this.#hasMoved(job, move)) throw this.#forbidden(job, move);
        missed.push(move.ordinal);
      }
    }
    if (intent > firstIntent) this.#noteSent(job, target, intent - 1);
    return { contested, missed, stale };
  }

  /**
   * The numeric keys of the job and of its target, which rows refer to.
   *
   * @param token the token of a job whose file this process is reading
   * @throws ShelfliftError `lease_lost`; UsageError `no_such_job`
   */
  #numbers(id: string, token?: string): { job: number; target: number } {
    const row = this.#db
      .prepare('SELECT number AS job, target, owner_token FROM jobs WHERE id = ?')
      .get(id) as { job: number; target: number; owner_token: string | null } | undefined;
    if (token !== undefined && row?.owner_token !== token) throw stagingLost(id);
    if (row === undefined) throw noSuchJob(id);
    return row;
  }

  #checkLease(token: string): void {
    const row = this.#db.prepare('SELECT 1 AS held FROM lanes WHERE token = ?').get(token);
    if (row === undefined) throw new LeaseLostError();
  }

  #beginSending(job: number, jobId: string, options: MoveOptions): void {
    const row = this.#db.prepare('SELECT state FROM jobs WHERE number = ?').get(job);
    if (row?.['state'] === 'cancelled') throw new JobCancelledError(jobId);
    if (options.claim !== undefined) {
      const { fingerprint, force } = options.claim;
      const sql = force
        ? 'INSERT INTO claims (fingerprint, job) VALUES (?, ?) ON CONFLICT (fingerprint) DO UPDATE SET job = excluded.job'
        : 'INSERT OR IGNORE INTO claims (fingerprint, job) VALUES (?, ?)';
      this.#db.prepare(sql).run(fingerprint, job);
      const owner = this.#db
        .prepare('SELECT j.id FROM claims c JOIN jobs j ON j.number = c.job WHERE c.fingerprint = ?')
        .get(fingerprint)?.['id'] as string | undefined;
      if (owner !== undefined && owner !== jobId) throw new AlreadyClaimedError(owner);
    }
  }

  #noteSent(job: number, target: number, sequence: number): void {
    this.#db.prepare('UPDATE targets SET sequence = ? WHERE number = ?').run(sequence, target);
    this.#db
      .prepare('UPDATE jobs SET first_sent_at = ? WHERE number = ? AND first_sent_at IS NULL')
      .run(this.#clock.now(), job);
  }

  #noteAcknowledged(job: number, { ordinal, mark = null }: RowMove): void {
    this.#db
      .prepare(
        `INSERT OR REPLACE INTO acknowledged_items (target, item_id, mark, at)
         SELECT target, item_id, coalesce(?, mark), ? FROM rows WHERE job = ? AND ordinal = ? AND action = 'create'`,
      )
      .run(mark, this.#clock.now(), job, ordinal);
  }

  /** True if another create already has the item: both become unknown. */
  #contest(job: number, target: number, move: RowMove): boolean {
    const other = this.#db
      .prepare(
        `SELECT job, ordinal FROM rows WHERE target = ? AND item_id = ? AND action = 'create' AND NOT (job = ? AND ordinal = ?)`,
      )
      .get(target, move.itemId ?? null, job, move.ordinal) as { job: number; ordinal: number } | undefined;
    if (other === undefined) return false;
    const mine = this.#db
      .prepare('SELECT action FROM rows WHERE job = ? AND ordinal = ?')
      .get(job, move.ordinal) as { action: string } | undefined;
    if (mine?.action !== 'create') return false;
    const unsettle = this.#db.prepare(
      `UPDATE rows SET state = 'unknown', item_id = NULL WHERE job = ? AND ordinal = ?`,
    );
    unsettle.run(other.job, other.ordinal);
    unsettle.run(job, move.ordinal);
    return true;
  }

  /** True if another row has committed an intent to the row's items that the reading does not account for. */
  #isStale(job: number, { ordinal, accounted, reliesOn = [] }: RowMove): boolean {
    if (accounted === undefined) return false;
    const later = this.#db.prepare(
      `SELECT 1 FROM rows own JOIN rows other ON other.target = own.target AND other.action = 'update'
         AND other.item_id = coalesce(?, own.item_id) AND other.sequence > ?
         AND NOT (other.job = own.job AND other.ordinal = own.ordinal)
       WHERE own.job = ? AND own.ordinal = ?`,
    );
    return [null, ...reliesOn].some((id) => later.get(id, accounted, job, ordinal) !== undefined);
  }

  /** False if the row's state does not allow the move, or if `from` or `attempts` no longer holds. */
  #apply(job: number, intent: number, move: RowMove): boolean {
    const here = [job, move.ordinal, move.from ?? null, move.attempts ?? null];
    if (move.to === 'sending') {
      const { changes } = this.#db
        .prepare(
          `UPDATE rows SET state = 'sending', attempts = attempts + 1, mark = ?, quiet_ms = ?, sequence = ?
           WHERE ${HERE} AND state IN (${REACHED_FROM.sending})`,
        )
        .run(move.mark ?? null, move.quietMs ?? null, intent, ...here);
      return changes === 1;
    }
    const { changes } = this.#db
      .prepare(
        `UPDATE rows SET state = ?, item_id = CASE WHEN ? THEN ? ELSE item_id END,
           request_id = CASE WHEN ? THEN ? ELSE request_id END, issues = CASE WHEN ? THEN ? ELSE issues END,
           operation = coalesce(?, operation), action = coalesce(?, action), quiet_ms = coalesce(?, quiet_ms)
           ${move.to === 'planned' || move.to === 'skipped' ? NOTE_RESENT : ''}
         WHERE ${HERE} AND state IN (${REACHED_FROM[move.to]})`,
      )
      .run(
        move.to,
        move.itemId === undefined ? 0 : 1,
        move.itemId ?? null,
        move.requestId === undefined ? 0 : 1,
        move.requestId ?? null,
        move.issues === undefined ? 0 : 1,
        issuesText(move.issues ?? []),
        move.operation ?? null,
        move.action ?? null,
        move.quietMs ?? null,
        ...here,
      );
    return changes === 1;
  }

  #nextIntent(target: number): number {
    const row = this.#db.prepare('SELECT sequence + 1 AS next FROM targets WHERE number = ?').get(target);
    return Number(row?.['next']);
  }

  #forbidden(job: number, { ordinal, to }: RowMove): Error {
    const state = this.#stateOf(job, ordinal);
    return new Error(`Row ${ordinal} may not become ${to}: it is ${state ?? 'not there'}.`);
  }

  /** True if `from` or `attempts` no longer holds. */
  #hasMoved(job: number, { ordinal, from, attempts }: RowMove): boolean {
    if (from === undefined && attempts === undefined) return false;
    const row = this.#db
      .prepare('SELECT state, attempts FROM rows WHERE job = ? AND ordinal = ?')
      .get(job, ordinal);
    return (
      (from !== undefined && row?.['state'] !== from) ||
      (attempts !== undefined && row?.['attempts'] !== attempts)
    );
  }

  #stateOf(job: number, ordinal: number): RowState | undefined {
    const row = this.#db.prepare('SELECT state FROM rows WHERE job = ? AND ordinal = ?').get(job, ordinal);
    return row?.['state'] as RowState | undefined;
  }
}
