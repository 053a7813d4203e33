/** The worker's runs on PostgreSQL. */
import { randomUUID } from 'node:crypto';
import { RUN_COLUMNS, type RunQuery, type RunRecord, type RunRecords } from '../run-records.ts';
import type { Database } from './database.ts';

/** An expression that is evaluated, with its value as JSON, in the statement that adds a run. */
export interface Alongside {
  /** @param parameter the SQL of the value */
  sql: (parameter: string) => string;
  value: unknown;
}

/** Records are JSON, which has NUL escaped, so that texts need no escape of their own. */
export class PostgresRunRecords implements RunRecords {
  readonly #db: Database;
  readonly #table: string;

  constructor(db: Database) {
    this.#db = db;
    this.#table = `${db.schema}.runs`;
  }

  add(run: RunRecord): Promise<boolean> {
    return this.addWith(run, { sql: (parameter) => `${parameter} IS NULL`, value: null });
  }

  /** As `add`; what is alongside is committed with the run, and happens only if it was added. */
  async addWith(run: RunRecord, { sql, value }: Alongside): Promise<boolean> {
    const { id, state, schedule, createdAt, endedAt, text } = run;
    const rows = await this.#db.repeatable({
      // Sent again after a lost answer, it knows the run for its own.
      text: `WITH added AS (
               INSERT INTO ${this.#table} AS r (id, state, schedule, created_at, ended_at, at, record, put)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
               ON CONFLICT (id) DO UPDATE SET put = excluded.put WHERE r.put = excluded.put RETURNING 1)
             SELECT ${sql('$9::json')} FROM added`,
      values: [
        id,
        state,
        schedule,
        createdAt,
        endedAt,
        Date.now(),
        text,
        randomUUID(),
        JSON.stringify(value),
      ],
    });
    return rows.length === 1;
  }

  async get(id: string): Promise<string | undefined> {
    const [row] = await this.#db.repeatable<{ record: string }>({
      name: 'run',
      text: `SELECT record FROM ${this.#table} WHERE id = $1`,
      values: [id],
    });
    return row?.record;
  }

  async replace(from: string, run: RunRecord): Promise<boolean> {
    const { id, state, schedule, createdAt, endedAt, text } = run;
    const rows = await this.#db.repeatable({
      name: 'replace_run',
      text: `UPDATE ${this.#table} SET state = $3, schedule = $4, created_at = $5, ended_at = $6, at = $7, record = $8,
               put = $9
             WHERE id = $1 AND (put = $9 OR record = $2) RETURNING 1`,
      values: [id, from, state, schedule, createdAt, endedAt, Date.now(), text, randomUUID()],
    });
    return rows.length === 1;
  }

  list({ limit, states, since, after }: RunQuery): Promise<RunRecord[]> {
    return this.#db.repeatable<RunRecord>({
      text: `SELECT ${RUN_COLUMNS} FROM ${this.#table} WHERE created_at >= $1
               AND ($2::text[] IS NULL OR state = ANY ($2)) AND ($3::bigint IS NULL OR (created_at, id) < ($3, $4))
             ORDER BY created_at DESC, id DESC LIMIT $5`,
      values: [since ?? 0, states ?? null, after?.createdAt ?? null, after?.id ?? null, limit],
    });
  }

  async ofSchedule(schedule: string, { limit, after }: { limit: number; after?: string }): Promise<string[]> {
    const rows = await this.#db.repeatable<{ record: string }>({
      text: `SELECT record FROM ${this.#table} WHERE schedule = $1 AND ($2::text IS NULL OR id < $2)
             ORDER BY id DESC LIMIT $3`,
      values: [schedule, after ?? null, limit],
    });
    return rows.map(({ record }) => record);
  }

  async newest(schedules: readonly string[]): Promise<Map<string, string>> {
    const rows = await this.#db.repeatable<{ schedule: string; record: string | null }>({
      text: `SELECT s AS schedule,
               (SELECT record FROM ${this.#table} WHERE schedule = s ORDER BY id DESC LIMIT 1) AS record
             FROM unnest($1::text[]) AS s`,
      values: [schedules],
    });
    return new Map(
      rows.flatMap(({ schedule, record }) => (record === null ? [] : [[schedule, record] as const])),
    );
  }

  async counts(): Promise<Map<string, number>> {
    const rows = await this.#db.repeatable<{ state: string; count: number }>({
      text: `SELECT state, count(*) AS count FROM ${this.#table} GROUP BY state`,
    });
    return new Map(rows.map(({ state, count }) => [state, count]));
  }

  async lastEnded(schedules: readonly string[], state: string): Promise<Map<string, number>> {
    const rows = await this.#db.repeatable<{ schedule: string; at: number | null }>({
      text: `SELECT s AS schedule, (SELECT max(ended_at) FROM ${this.#table} WHERE schedule = s AND state = $2) AS at
             FROM unnest($1::text[]) AS s`,
      values: [schedules, state],
    });
    return new Map(rows.flatMap(({ schedule, at }) => (at === null ? [] : [[schedule, at] as const])));
  }

  async existing(ids: readonly string[]): Promise<Set<string>> {
    const rows = await this.#db.repeatable<{ id: string }>({
      text: `SELECT id FROM ${this.#table} WHERE id = ANY ($1::text[])`,
      values: [ids],
    });
    return new Set(rows.map(({ id }) => id));
  }

  async prune(endedBefore: number, limit: number): Promise<number> {
    const rows = await this.#db.repeatable({
      text: `DELETE FROM ${this.#table} WHERE id IN (
               SELECT id FROM ${this.#table} WHERE ended_at < $1 ORDER BY ended_at LIMIT $2) RETURNING 1`,
      values: [endedBefore, limit],
    });
    return rows.length;
  }
}
