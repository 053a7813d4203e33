/** Hashes of rows in SQLite. */
import {
  COUNTS_AS_SENT,
  type FileColumns,
  type KnownRow,
  type KnownRows,
  type RowHash,
  type StoredColumns,
  toFileColumns,
} from '../known-rows.ts';
import type { Database } from './database.ts';
import type { SqliteJobs } from './jobs.ts';

export class SqliteKnownRows implements KnownRows {
  readonly #db: Database;
  readonly #jobs: SqliteJobs;

  constructor(db: Database, jobs: SqliteJobs) {
    this.#db = db;
    this.#jobs = jobs;
  }

  async note(jobId: string, hashes: readonly RowHash[], hashedTo: number): Promise<void> {
    // In table order, so that each of its pages is written once.
    const sorted = [...hashes].sort((a, b) => (a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : 0));
    await this.#change(() => {
      const { job, target } = this.#jobs.numbers(jobId);
      const insert = this.#db.prepare(
        'INSERT OR IGNORE INTO row_hashes (target, hash, job, ordinal) VALUES (?, ?, ?, ?)',
      );
      for (const { hash, ordinal } of sorted) insert.run(target, hash, job, ordinal);
      this.#db.prepare('UPDATE jobs SET hashed_to = max(hashed_to, ?) WHERE number = ?').run(hashedTo, job);
    });
  }

  async forget(jobId: string): Promise<void> {
    await this.#change(() => {
      const { job } = this.#jobs.numbers(jobId);
      this.#db.prepare('DELETE FROM row_hashes WHERE job = ?').run(job);
      this.#db.prepare('UPDATE jobs SET hashed_to = 0 WHERE number = ?').run(job);
    });
  }

  async find(apiUrl: string, hashes: readonly string[], exceptJob: string): Promise<KnownRow[]> {
    // CROSS JOIN keeps the join order: each hash is looked up by the table's key.
    const sql = `SELECT h.hash, j.id AS jobId, r.ordinal, r.sheet_row AS sheetRow, r.state, r.attempts, r.item_id AS itemId, r.collection
         FROM json_each(?) e
         CROSS JOIN row_hashes h ON h.target = (SELECT number FROM targets WHERE api_url = ?) AND h.hash = e.value
         CROSS JOIN jobs j ON j.number = h.job
         CROSS JOIN rows r ON r.job = h.job AND r.ordinal = h.ordinal
         WHERE j.id <> ? AND ${COUNTS_AS_SENT} ORDER BY h.job, h.ordinal`;
    return this.#db.patiently(
      () => this.#db.prepare(sql).all(JSON.stringify(hashes), apiUrl, exceptJob) as unknown as KnownRow[],
    );
  }

  async columns(apiUrl: string): Promise<FileColumns[]> {
    const sql = `SELECT json_extract(j.record, '$.source.headers') AS headers,
           json_extract(j.record, '$.plan.quantityColumn') AS quantity
         FROM jobs j WHERE j.target = (SELECT number FROM targets WHERE api_url = ?)
           AND coalesce(j.owned_at, j.first_sent_at) IS NOT NULL AND json_extract(j.record, '$.mode') <> 'update'
         GROUP BY 1, 2 ORDER BY max(j.number) DESC`;
    return this.#db.patiently(() =>
      (this.#db.prepare(sql).all(apiUrl) as unknown as StoredColumns[]).map(toFileColumns),
    );
  }

  async own(jobId: string, at: number): Promise<void> {
    await this.#change(() => this.#db.prepare('UPDATE jobs SET owned_at = ? WHERE id = ?').run(at, jobId));
  }

  #change<T>(work: () => T): Promise<T> {
    return this.#db.patiently(() => this.#db.transaction(work));
  }
}
