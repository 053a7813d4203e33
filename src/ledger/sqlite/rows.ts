/** Rows in SQLite: bulk staging, and the moves that the state machine allows. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../base/clock.ts';
import {
  AlreadyClaimedError,
  JobCancelledError,
  type Lease,
  LeaseLostError,
  type LedgerRow,
  type MoveOptions,
  type MoveResult,
  type NewRow,
  type RevertingRow,
  type RowCounts,
  type RowMove,
  type RowQuery,
  type Rows,
} from '../ledger.ts';
import { type RowName, rowNameText } from '../row-name.ts';
import { checkMoveOfOther, ROW_MOVES, ROW_STATES, type RowState, OPEN_ROW_STATES } from '../states.ts';
import {
  issuesText,
  NEVER_SENT,
  notesText,
  revertingRow,
  ROW_COLUMNS,
  type StoredRow,
  tally,
  toLedgerRow,
  wasSent,
  type JobTally,
  tallies,
} from '../stored-row.ts';
import type { Database } from './database.ts';
import type { SqliteJobs } from './jobs.ts';

/** For each state, the states it may be reached from, as an SQL list: the guard of every UPDATE. */
const REACHED_FROM = Object.fromEntries(
  ROW_STATES.map((to) => [
    to,
    ROW_STATES.filter((from) => ROW_MOVES[from].includes(to))
      .map((state) => `'${state}'`)
      .join(', '),
  ]),
) as Record<RowState, string>;

/** In an UPDATE to `planned` or `skipped`: marks a create that is sent again, or left, although its request may have been applied. */
const NOTE_RESENT = `, resent = CASE WHEN state IN ('unknown', 'held') AND action = 'create' AND attempts > 0
  THEN 1 ELSE resent END`;

/** The row of a move, if it is as the move wants it. */
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

/** Rows per transaction when a job is pruned. */
const FORGET_PART = 5_000;
const FORGET_PAUSE_MS = 5;

export class SqliteRows implements Rows {
  readonly #db: Database;
  readonly #jobs: SqliteJobs;
  readonly #clock: Clock;
  /** Counting 1,000,000 rows takes 0.1 s, and each part of a plan's report asks again. */
  #counted: { job: number; version: string; counts: RowCounts } | undefined;

  constructor(db: Database, jobs: SqliteJobs, clock: Clock) {
    this.#db = db;
    this.#jobs = jobs;
    this.#clock = clock;
  }

  stage(jobId: string, rows: NewRow[]): Promise<void> {
    return this.#db.patiently(() => {
      this.#db.relaxed(() => {
        const changed = this.#stageAll(this.#jobs.stagedNumbers(jobId), rows);
        if (changed !== rows.length) throw wasSent(jobId);
      });
    });
  }

  rejudge(jobId: string, rows: readonly NewRow[], lease: Lease): Promise<void> {
    return this.#db.patiently(() => {
      this.#db.relaxed(() => {
        this.#checkLease(lease.token);
        const changed = this.#stageAll(this.#jobs.numbers(jobId), rows);
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

  #stageSome(job: number, target: number, rows: NewRow[]): number {
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

  counts(jobId: string): Promise<RowCounts> {
    return this.#db.patiently(() => {
      const { job } = this.#jobs.numbers(jobId);
      const version = this.#db.version();
      if (this.#counted?.job !== job || this.#counted.version !== version) {
        const groups = this.#db
          .prepare('SELECT state, action, count(*) AS count FROM rows WHERE job = ? GROUP BY state, action')
          .all(job) as { state: string; action: string; count: number }[];
        this.#counted = { job, version, counts: tally(groups) };
      }
      return { ...this.#counted.counts };
    });
  }

  lastIntent(jobId: string): Promise<{ sequence: number; mark: number | null } | undefined> {
    return this.#db.patiently(() => {
      const { job } = this.#jobs.numbers(jobId);
      return this.#db
        .prepare(
          'SELECT sequence, mark FROM rows WHERE job = ? AND sequence IS NOT NULL ORDER BY sequence DESC LIMIT 1',
        )
        .get(job) as { sequence: number; mark: number | null } | undefined;
    });
  }

  countsOf(jobIds: readonly string[]): Promise<Map<string, RowCounts>> {
    return this.#db.patiently(() => {
      const groups = this.#db
        .prepare(
          `SELECT j.id, r.state, r.action, count(*) AS count FROM rows r JOIN jobs j ON j.number = r.job
           WHERE r.job IN (SELECT number FROM jobs WHERE id IN (SELECT value FROM json_each(?)))
           GROUP BY r.job, r.state, r.action`,
        )
        .all(JSON.stringify(jobIds)) as unknown as JobTally[];
      return tallies(groups);
    });
  }

  list(jobId: string, query: RowQuery): Promise<LedgerRow[]> {
    return this.#db.patiently(() => {
      const { job } = this.#jobs.numbers(jobId);
      const states =
        query.states === undefined ? '' : `AND state IN (${query.states.map(() => '?').join(', ')})`;
      const resent = query.resent === true ? 'AND resent = 1' : '';
      const issues = query.withIssues === true ? 'AND issues IS NOT NULL' : '';
      const sheetRows =
        query.sheetRows === undefined ? '' : 'AND sheet_row IN (SELECT value FROM json_each(?))';
      const ordinals = query.ordinals === undefined ? '' : 'AND ordinal IN (SELECT value FROM json_each(?))';
      const actions =
        query.actions === undefined ? '' : `AND action IN (${query.actions.map(() => '?').join(', ')})`;
      const overtaken =
        query.overtakenSince === undefined
          ? ''
          : `AND EXISTS (SELECT 1 FROM rows o WHERE o.target = rows.target AND o.action = 'update'
               AND o.item_id = rows.item_id AND o.sequence > ? AND o.job <> rows.job)`;
      const rows = this.#db
        .prepare(
          `SELECT ${ROW_COLUMNS} FROM rows WHERE job = ? AND ordinal > ? ${states} ${actions} ${resent} ${issues} ${sheetRows} ${ordinals} ${overtaken} ORDER BY ordinal LIMIT ?`,
        )
        .all(
          job,
          query.after ?? 0,
          ...(query.states ?? []),
          ...(query.actions ?? []),
          ...(query.sheetRows === undefined ? [] : [JSON.stringify(query.sheetRows)]),
          ...(query.ordinals === undefined ? [] : [JSON.stringify(query.ordinals)]),
          ...(query.overtakenSince === undefined ? [] : [query.overtakenSince]),
          query.limit,
        ) as unknown as StoredRow[];
      return rows.map(toLedgerRow);
    });
  }

  reverting(of: readonly RowName[]): Promise<RevertingRow[]> {
    return this.#db.patiently(() => {
      const rows = this.#db
        .prepare(
          `SELECT (SELECT id FROM jobs WHERE number = rows.job) AS jobId, ${ROW_COLUMNS} FROM rows
           WHERE reverts IS NOT NULL AND reverts IN (SELECT value FROM json_each(?)) ORDER BY job, ordinal`,
        )
        .all(JSON.stringify(of.map(rowNameText))) as unknown as (StoredRow & { jobId: string })[];
      return rows.flatMap(({ jobId, ...row }) => revertingRow(jobId, toLedgerRow(row)));
    });
  }

  collectionReferences(jobId: string): Promise<(string | null)[]> {
    return this.#db.patiently(() => {
      const { job } = this.#jobs.numbers(jobId);
      const rows = this.#db
        .prepare(
          `SELECT DISTINCT collection FROM rows WHERE job = ? AND state IN ('planned', 'sending', 'unknown')`,
        )
        .all(job) as { collection: string | null }[];
      return rows.map((row) => row.collection);
    });
  }

  async move(jobId: string, moves: RowMove[], options: MoveOptions = {}): Promise<MoveResult> {
    if (options.by !== undefined && options.by !== jobId) moves.forEach(checkMoveOfOther);
    return this.#db.durably(() => this.#move(jobId, moves, options));
  }

  #move(jobId: string, moves: RowMove[], options: MoveOptions): MoveResult {
    const { job, target } = this.#jobs.numbers(jobId);
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
    if (intent > firstIntent)
      this.#db.prepare('UPDATE targets SET sequence = ? WHERE number = ?').run(intent - 1, target);
    return { contested, missed, stale };
  }

  async forget(jobId: string): Promise<number> {
    const { job } = await this.#db.patiently(() => this.#jobs.numbers(jobId));
    const ofPart = `job = ?1 AND ordinal > ?2 AND ordinal <= ?2 + ${FORGET_PART}
      AND state NOT IN (SELECT value FROM json_each(?3))`;
    const open = JSON.stringify(OPEN_ROW_STATES);
    let total = 0;
    for (let after = 0; ; after += FORGET_PART) {
      const { bytes, left } = await this.#db.patiently(() =>
        this.#db.transaction(() => {
          const found = this.#db
            .prepare(
              `SELECT (SELECT sum(coalesce(octet_length(input), 0) + coalesce(octet_length(operation), 0) + coalesce(octet_length(source), 0)
                   + coalesce(octet_length(kinds), 0)) FROM rows WHERE ${ofPart}) AS bytes,
                 EXISTS (SELECT 1 FROM rows WHERE job = ?1 AND ordinal > ?2 + ${FORGET_PART}) AS left`,
            )
            .get(job, after, open) as { bytes: number | null; left: number };
          this.#db
            .prepare(
              `UPDATE rows SET input = CASE WHEN instr(issues, '"key_not_kept"') > 0 THEN input END,
                 operation = NULL, source = NULL, kinds = NULL WHERE ${ofPart}`,
            )
            .run(job, after, open);
          return found;
        }),
      );
      total += bytes ?? 0;
      if (left === 0) return total;
      // Others that wait for the lock look again within this time.
      await sleep(FORGET_PAUSE_MS);
    }
  }

  takeOver(jobId: string, longerMs = 0): Promise<number> {
    return this.#db.patiently(() => {
      return this.#db.transaction(() => {
        // A dead holder's job may have been discarded since; then it has no rows.
        const result = this.#db
          .prepare(
            `UPDATE rows SET state = 'unknown', quiet_ms = quiet_ms + ?
             WHERE job = (SELECT number FROM jobs WHERE id = ?) AND state = 'sending'`,
          )
          .run(longerMs, jobId);
        return Number(result.changes);
      });
    });
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
      const owner = this.#jobs.claimantOf(fingerprint);
      if (owner !== undefined && owner !== jobId) throw new AlreadyClaimedError(owner);
    }
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

  /** True if another row has committed an intent that the reading of the row's items does not account for. */
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

  /** False if the row is in no state from which the move is allowed, or if `from` or `attempts` no longer holds. */
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
