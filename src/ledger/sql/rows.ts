/** The operations on rows that both databases share. */
import { setTimeout as sleep } from 'node:timers/promises';
import type {
  Lease,
  LedgerRow,
  MoveOptions,
  MoveResult,
  NewRow,
  RevertingRow,
  RowCounts,
  RowMove,
  RowQuery,
  Rows,
} from '../ledger.ts';
import { type RowName, rowNameText } from '../row-name.ts';
import { OPEN_ROW_STATES } from '../states.ts';
import {
  type JobTally,
  R_COLUMNS,
  revertingRow,
  ROW_COLUMNS,
  type StoredRow,
  tallies,
  tally,
  toLedgerRow,
} from '../stored-row.ts';
import type { Session } from './session.ts';

export interface Forgetting {
  part: number;
  /** Number of steps that delete a part; each step deletes every n-th row, where n is this number. */
  turns: number;
  /** Pause after a step, in which others can write, ms. @param tookMs duration of the step */
  pauseMs: (tookMs: number) => number;
}

export abstract class SqlRows implements Rows {
  readonly #db: Session;
  readonly #table: string;
  readonly #forgetting: Forgetting;
  /** The job of parameter 1. */
  readonly #job: string;

  constructor(db: Session, forgetting: Forgetting) {
    this.#db = db;
    this.#forgetting = forgetting;
    this.#table = `${db.schema}.rows`;
    this.#job = `job = (SELECT number FROM ${db.schema}.jobs WHERE id = $1)`;
  }

  abstract stage(jobId: string, rows: readonly NewRow[]): Promise<void>;
  abstract rejudge(jobId: string, rows: readonly NewRow[], lease: Lease): Promise<void>;
  abstract move(jobId: string, moves: readonly RowMove[], options?: MoveOptions): Promise<MoveResult>;

  async counts(jobId: string): Promise<RowCounts> {
    const groups = await this.#db.read<{ state: string; action: string; count: number }>({
      text: `SELECT state, action, count(*) AS count FROM ${this.#table} WHERE ${this.#job} GROUP BY state, action`,
      values: [jobId],
    });
    return tally(groups);
  }

  async countsOf(jobIds: readonly string[]): Promise<Map<string, RowCounts>> {
    const { schema } = this.#db;
    const jobs = this.#db.among(`SELECT number FROM ${schema}.jobs WHERE id = ANY ($1::text[])`);
    const groups = await this.#db.read<JobTally>({
      text: `SELECT j.id, r.state, r.action, count(*) AS count
        FROM ${this.#table} r JOIN ${schema}.jobs j ON j.number = r.job WHERE r.job ${jobs}
        GROUP BY j.id, r.state, r.action`,
      values: [jobIds],
    });
    return tallies(groups);
  }

  async lastIntent(jobId: string): Promise<{ sequence: number; mark: number | null } | undefined> {
    const [row] = await this.#db.read<{ sequence: number; mark: number | null }>({
      text: `SELECT sequence, mark FROM ${this.#table} WHERE ${this.#job} AND sequence IS NOT NULL
        ORDER BY sequence DESC LIMIT 1`,
      values: [jobId],
    });
    return row;
  }

  async list(jobId: string, query: RowQuery): Promise<LedgerRow[]> {
    const values: unknown[] = [jobId, query.after ?? 0, query.limit];
    // Only the conditions that are asked for: with all of them SQLite uses no index, and PostgreSQL a worse plan.
    const conditions = [
      ['s', query.states, (value: string) => `state = ANY (${value}::text[])`],
      ['a', query.actions, (value: string) => `action = ANY (${value}::text[])`],
      ['r', query.resent, () => 'resent = 1'],
      ['i', query.withIssues, () => 'issues IS NOT NULL'],
      ['n', query.sheetRows, (value: string) => `sheet_row = ANY (${value}::integer[])`],
      ['o', query.ordinals, (value: string) => `ordinal = ANY (${value}::integer[])`],
      [
        't',
        query.overtakenSince,
        (value: string) => `EXISTS (SELECT 1 FROM ${this.#table} o WHERE o.target = rows.target
          AND o.action = 'update' AND o.item_id = rows.item_id AND o.sequence > ${value} AND o.job <> rows.job)`,
      ],
    ] as const;
    let name = 'rows';
    let text = `SELECT ${ROW_COLUMNS} FROM ${this.#table} WHERE ${this.#job} AND ordinal > $2`;
    for (const [letter, value, sql] of conditions) {
      if (value === undefined) continue;
      name += letter;
      text += ` AND ${sql(value === true ? '' : `$${values.push(value)}`)}`;
    }
    text += ' ORDER BY ordinal LIMIT $3';
    const rows = await this.#db.read<StoredRow>({ name, text, values });
    return rows.map((row) => toLedgerRow(row, this.#db));
  }

  async reverting(of: readonly RowName[]): Promise<RevertingRow[]> {
    const rows = await this.#db.read<StoredRow & { job_id: string }>({
      text: `SELECT j.id AS job_id, ${R_COLUMNS} FROM ${this.#table} r JOIN ${this.#db.schema}.jobs j ON j.number = r.job
        WHERE r.reverts IS NOT NULL AND r.reverts = ANY ($1::text[]) ORDER BY r.job, r.ordinal`,
      values: [of.map(rowNameText)],
    });
    return rows.flatMap(({ job_id: id, ...row }) => revertingRow(id, toLedgerRow(row, this.#db)));
  }

  async collectionReferences(jobId: string): Promise<(string | null)[]> {
    const rows = await this.#db.read<{ collection: string | null }>({
      text: `SELECT DISTINCT collection FROM ${this.#table}
        WHERE ${this.#job} AND state IN ('planned', 'sending', 'unknown', 'held')`,
      values: [jobId],
    });
    return rows.map(({ collection }) => (collection === null ? null : this.#db.fromText(collection)));
  }

  async forget(jobId: string): Promise<number> {
    const { part, turns, pauseMs } = this.#forgetting;
    const size = (column: string) => `coalesce(pg_column_size(${column}), 0)`;
    let bytes = 0;
    for (let after = 0; ; ) {
      const [found]: { last: number | null; bytes: number | null }[] = await this.#db.read({
        text: `SELECT max(ordinal) AS last, sum(bytes) AS bytes FROM (
            SELECT ordinal, CASE WHEN state <> ALL ($3::text[])
              THEN ${['input', 'operation', 'source', 'kinds'].map(size).join(' + ')} ELSE 0 END AS bytes
            FROM ${this.#table} WHERE ${this.#job} AND ordinal > $2 ORDER BY ordinal LIMIT $4) AS part`,
        values: [jobId, after, OPEN_ROW_STATES, part],
      });
      if (found === undefined || found.last === null) return bytes;
      bytes += found.bytes ?? 0;
      for (let turn = 0; turn < turns; turn += 1) {
        const begun = performance.now();
        await this.#db.change({
          text: `UPDATE ${this.#table} SET input = CASE WHEN strpos(issues, '"key_not_kept"') > 0 THEN input END,
              operation = CASE WHEN operation LIKE '%"relative":{%' OR operation LIKE '%"is":"missing"%' THEN operation END,
              source = NULL, kinds = NULL
            WHERE ${this.#job} AND ordinal > $2 AND ordinal <= $4 AND ordinal % ${turns} = $5 AND state <> ALL ($3::text[])
              AND (input IS NOT NULL OR operation IS NOT NULL OR source IS NOT NULL)`,
          values: [jobId, after, OPEN_ROW_STATES, found.last, turn],
        });
        await sleep(pauseMs(performance.now() - begun));
      }
      after = found.last;
    }
  }

  async takeOver(jobId: string, longerMs = 0): Promise<number> {
    // Sent once: the caller's quiet period depends on whether there were rows to take over.
    const text = `UPDATE ${this.#table} SET state = 'unknown', quiet_ms = quiet_ms + $2
      WHERE ${this.#job} AND state = 'sending' RETURNING 1`;
    return (await this.#db.change({ text, values: [jobId, longerMs] }, { once: true })).length;
  }
}
