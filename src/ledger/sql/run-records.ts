/** The worker's runs. */
import { randomUUID } from 'node:crypto';
import type { Durability } from '../key-values.ts';
import { RUN_COLUMNS, type RunQuery, type RunRecord, type RunRecords } from '../run-records.ts';
import type { Session } from './session.ts';

/** An expression that is evaluated, with its value as JSON, in the statement that adds a run. */
export interface Alongside {
  /** @param parameter the SQL of the value */
  sql: (parameter: string) => string;
  value: unknown;
}

/** Records are JSON, which escapes NUL, so texts need no further escaping. */
export class SqlRunRecords implements RunRecords {
  readonly #db: Session;
  readonly #table: string;

  constructor(db: Session) {
    this.#db = db;
    this.#table = `${db.schema}.runs`;
  }

  async add(run: RunRecord, durable?: Durability): Promise<boolean> {
    const { text, values } = this.#adding(run);
    return (await this.#db.change({ text, values }, { durable })).length === 1;
  }

  /** Like `add`, on PostgreSQL: the additional expression is committed with the run, and only if the run was added. */
  async addWith(run: RunRecord, { sql, value }: Alongside): Promise<boolean> {
    const { text, values } = this.#adding(run);
    const rows = await this.#db.change({
      text: `WITH added AS (${text}) SELECT ${sql(`$${values.length + 1}::json`)} FROM added`,
      values: [...values, JSON.stringify(value)],
    });
    return rows.length === 1;
  }

  /** If it is sent again after a lost answer, it recognises its own run. */
  #adding({ id, state, schedule, createdAt, endedAt, text }: RunRecord) {
    return {
      text: `INSERT INTO ${this.#table} AS r (id, state, schedule, created_at, ended_at, at, record, put)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
        ON CONFLICT (id) DO UPDATE SET put = excluded.put WHERE r.put = excluded.put RETURNING 1`,
      values: [id, state, schedule, createdAt, endedAt, Date.now(), text, randomUUID()],
    };
  }

  async get(id: string): Promise<string | undefined> {
    const [row] = await this.#db.read<{ record: string }>({
      name: 'run',
      text: `SELECT record FROM ${this.#table} WHERE id = $1`,
      values: [id],
    });
    return row?.record;
  }

  async replace(from: string, run: RunRecord, durable?: Durability): Promise<boolean> {
    const { id, state, schedule, createdAt, endedAt, text } = run;
    const statement = {
      name: 'replace_run',
      text: `UPDATE ${this.#table} SET state = $3, schedule = $4, created_at = $5, ended_at = $6, at = $7, record = $8,
          put = $9
        WHERE id = $1 AND (put = $9 OR record = $2) RETURNING 1`,
      values: [id, from, state, schedule, createdAt, endedAt, Date.now(), text, randomUUID()],
    };
    return (await this.#db.change(statement, { durable })).length === 1;
  }

  list({ limit, states, since, after }: RunQuery): Promise<RunRecord[]> {
    return this.#db.read<RunRecord>({
      text: `SELECT ${RUN_COLUMNS} FROM ${this.#table} WHERE created_at >= $1
          AND ($2::text[] IS NULL OR state = ANY ($2::text[]))
          AND ($3::bigint IS NULL OR (created_at, id) < ($3, $4))
        ORDER BY created_at DESC, id DESC LIMIT $5`,
      values: [since ?? 0, states ?? null, after?.createdAt ?? null, after?.id ?? null, limit],
    });
  }

  newest(schedules: readonly string[]): Promise<Map<string, string>> {
    return this.#each<string>(
      schedules,
      `SELECT record FROM ${this.#table} WHERE schedule = s.value ORDER BY id DESC LIMIT 1`,
    );
  }

  lastEnded(schedules: readonly string[], state: string): Promise<Map<string, number>> {
    return this.#each<number>(
      schedules,
      `SELECT max(ended_at) FROM ${this.#table} WHERE schedule = s.value AND state = $2`,
      state,
    );
  }

  /** The result of the query for each schedule that has one. */
  async #each<Found>(schedules: readonly string[], query: string, ...values: string[]) {
    const rows = await this.#db.read<{ schedule: string; found: Found | null }>({
      text: `SELECT s.value AS schedule, (${query}) AS found FROM unnest($1::text[]) AS s(value)`,
      values: [schedules, ...values],
    });
    return new Map(
      rows.flatMap(({ schedule, found }) => (found === null ? [] : [[schedule, found] as const])),
    );
  }

  async counts(): Promise<Map<string, number>> {
    const rows = await this.#db.read<{ state: string; count: number }>({
      text: `SELECT state, count(*) AS count FROM ${this.#table} GROUP BY state`,
    });
    return new Map(rows.map(({ state, count }) => [state, count]));
  }

  async existing(ids: readonly string[]): Promise<Set<string>> {
    const rows = await this.#db.read<{ id: string }>({
      text: `SELECT id FROM ${this.#table} WHERE id = ANY ($1::text[])`,
      values: [ids],
    });
    return new Set(rows.map(({ id }) => id));
  }

  async prune(endedBefore: number, limit: number): Promise<number> {
    const rows = await this.#db.change({
      text: `DELETE FROM ${this.#table} WHERE id IN (
          SELECT id FROM ${this.#table} WHERE ended_at < $1 ORDER BY ended_at LIMIT $2) RETURNING 1`,
      values: [endedBefore, limit],
    });
    return rows.length;
  }
}
