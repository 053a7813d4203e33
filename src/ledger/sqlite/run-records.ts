/** The worker's runs on SQLite. */
import type { Durability } from '../key-values.ts';
import { RUN_COLUMNS, type RunQuery, type RunRecord, type RunRecords } from '../run-records.ts';
import type { Database } from './database.ts';

export class SqliteRunRecords implements RunRecords {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async add({ id, state, schedule, createdAt, endedAt, text }: RunRecord, durable?: Durability) {
    const { changes } = await this.#change(durable, () =>
      this.#db
        .prepare(
          `INSERT INTO runs (id, state, schedule, created_at, ended_at, at, record) VALUES (?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT DO NOTHING`,
        )
        .run(id, state, schedule, createdAt, endedAt, Date.now(), text),
    );
    return changes === 1;
  }

  async get(id: string): Promise<string | undefined> {
    const row = await this.#db.patiently(() =>
      this.#db.prepare('SELECT record FROM runs WHERE id = ?').get(id),
    );
    return row?.['record'] as string | undefined;
  }

  async replace(from: string, run: RunRecord, durable?: Durability): Promise<boolean> {
    const { id, state, schedule, createdAt, endedAt, text } = run;
    const { changes } = await this.#change(durable, () =>
      this.#db
        .prepare(
          `UPDATE runs SET state = ?, schedule = ?, created_at = ?, ended_at = ?, at = ?, record = ?
           WHERE id = ? AND record = ?`,
        )
        .run(state, schedule, createdAt, endedAt, Date.now(), text, id, from),
    );
    return changes === 1;
  }

  async list({ limit, states, since, after }: RunQuery): Promise<RunRecord[]> {
    return this.#all<RunRecord>(
      `SELECT ${RUN_COLUMNS} FROM runs WHERE created_at >= ?1
         AND (?2 IS NULL OR state IN (SELECT value FROM json_each(?2))) AND (?3 IS NULL OR (created_at, id) < (?3, ?4))
       ORDER BY created_at DESC, id DESC LIMIT ?5`,
      since ?? 0,
      states === undefined ? null : JSON.stringify(states),
      after?.createdAt ?? null,
      after?.id ?? null,
      limit,
    );
  }

  async ofSchedule(schedule: string, { limit, after }: { limit: number; after?: string }): Promise<string[]> {
    const rows = await this.#all<{ record: string }>(
      'SELECT record FROM runs WHERE schedule = ?1 AND (?2 IS NULL OR id < ?2) ORDER BY id DESC LIMIT ?3',
      schedule,
      after ?? null,
      limit,
    );
    return rows.map(({ record }) => record);
  }

  async newest(schedules: readonly string[]): Promise<Map<string, string>> {
    const rows = await this.#all<{ schedule: string; record: string | null }>(
      `SELECT s.value AS schedule, (SELECT record FROM runs WHERE schedule = s.value ORDER BY id DESC LIMIT 1) AS record
       FROM json_each(?) s`,
      JSON.stringify(schedules),
    );
    return new Map(
      rows.flatMap(({ schedule, record }) => (record === null ? [] : [[schedule, record] as const])),
    );
  }

  async counts(): Promise<Map<string, number>> {
    const rows = await this.#all<{ state: string; count: number }>(
      'SELECT state, count(*) AS count FROM runs GROUP BY state',
    );
    return new Map(rows.map(({ state, count }) => [state, count]));
  }

  async lastEnded(schedules: readonly string[], state: string): Promise<Map<string, number>> {
    const rows = await this.#all<{ schedule: string; at: number | null }>(
      `SELECT s.value AS schedule, (SELECT max(ended_at) FROM runs r WHERE r.schedule = s.value AND r.state = ?2) AS at
       FROM json_each(?1) s`,
      JSON.stringify(schedules),
      state,
    );
    return new Map(rows.flatMap(({ schedule, at }) => (at === null ? [] : [[schedule, at] as const])));
  }

  async existing(ids: readonly string[]): Promise<Set<string>> {
    const rows = await this.#all<{ id: string }>(
      'SELECT id FROM runs WHERE id IN (SELECT value FROM json_each(?1))',
      JSON.stringify(ids),
    );
    return new Set(rows.map(({ id }) => id));
  }

  async prune(endedBefore: number, limit: number): Promise<number> {
    const { changes } = await this.#change('now', () =>
      this.#db
        .prepare(
          `DELETE FROM runs WHERE id IN (
             SELECT id FROM runs WHERE ended_at < ? ORDER BY ended_at LIMIT ?)`,
        )
        .run(endedBefore, limit),
    );
    return Number(changes);
  }

  #all<Row>(text: string, ...values: (string | number | null)[]): Promise<Row[]> {
    return this.#db.patiently(() => this.#db.prepare(text).all(...values) as Row[]);
  }

  #change<T>(durable: Durability = 'now', work: () => T): Promise<T> {
    return this.#db.patiently(() =>
      durable === 'now' ? this.#db.transaction(work) : this.#db.relaxed(work),
    );
  }
}
