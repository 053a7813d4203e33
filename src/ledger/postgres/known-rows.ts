/** Hashes of rows in PostgreSQL. */
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
import { fromText } from './text.ts';

/** Hashes per statement: none may take longer than the answer timeout. */
const PART = 20_000;

export class PostgresKnownRows implements KnownRows {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async note(jobId: string, hashes: readonly RowHash[], hashedTo: number): Promise<void> {
    const { schema } = this.#db;
    // In one order, so that two processes that fill in the same job do not deadlock.
    const sorted = [...hashes].sort((a, b) => (a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : 0));
    for (let from = 0; from < sorted.length; from += PART) {
      const part = sorted.slice(from, from + PART);
      await this.#db.repeatable({
        text: `INSERT INTO ${schema}.row_hashes (target, hash, job, ordinal)
               SELECT j.target, h.hash, j.number, h.ordinal
               FROM ${schema}.jobs j, unnest($2::text[], $3::integer[]) AS h(hash, ordinal) WHERE j.id = $1
               ORDER BY h.hash COLLATE "C", h.ordinal ON CONFLICT DO NOTHING`,
        values: [jobId, part.map(({ hash }) => hash), part.map(({ ordinal }) => ordinal)],
      });
    }
    await this.#db.repeatable({
      text: `UPDATE ${schema}.jobs SET hashed_to = greatest(hashed_to, $2) WHERE id = $1`,
      values: [jobId, hashedTo],
    });
  }

  async forget(jobId: string): Promise<void> {
    const { schema } = this.#db;
    await this.#db.repeatable({
      text: `WITH job AS (UPDATE ${schema}.jobs SET hashed_to = 0 WHERE id = $1 RETURNING number)
             DELETE FROM ${schema}.row_hashes WHERE job = (SELECT number FROM job)`,
      values: [jobId],
    });
  }

  async find(apiUrl: string, hashes: readonly string[], exceptJob: string): Promise<KnownRow[]> {
    const { schema } = this.#db;
    // Hashes first: without statistics, as of a new store, PostgreSQL begins with the rows, which took 2 s a look while
    // twenty imports sent theirs.
    const rows = await this.#db.repeatable<KnownRow>({
      name: 'known_rows',
      text: `WITH h AS MATERIALIZED (
               SELECT hash, job, ordinal FROM ${schema}.row_hashes
               WHERE target = (SELECT number FROM ${schema}.targets WHERE api_url = $1) AND hash = ANY ($2::text[]))
             SELECT h.hash, j.id AS "jobId", r.ordinal, r.sheet_row AS "sheetRow", r.state, r.attempts,
               r.item_id AS "itemId", r.collection
             FROM h
             JOIN ${schema}.jobs j ON j.number = h.job
             JOIN ${schema}.rows r ON r.job = h.job AND r.ordinal = h.ordinal
             WHERE j.id <> $3 AND ${COUNTS_AS_SENT} ORDER BY h.job, h.ordinal`,
      values: [apiUrl, hashes, exceptJob],
    });
    return rows.map((row) => ({
      ...row,
      collection: row.collection === null ? null : fromText(row.collection),
    }));
  }

  async columns(apiUrl: string): Promise<FileColumns[]> {
    const { schema } = this.#db;
    // PostgreSQL's JSON functions refuse the NUL that a cell may hold.
    const record = String.raw`replace(j.record, '\u0000', '\ufffd')::json`;
    const rows = await this.#db.repeatable<StoredColumns>({
      text: `SELECT headers, quantity FROM (
               SELECT j.number, (${record} -> 'source' -> 'headers')::text AS headers,
                 ${record} -> 'plan' ->> 'quantityColumn' AS quantity, ${record} ->> 'mode' AS mode
               FROM ${schema}.jobs j WHERE j.target = (SELECT number FROM ${schema}.targets WHERE api_url = $1)
                 AND coalesce(j.owned_at, j.first_sent_at) IS NOT NULL) AS earlier
             WHERE mode <> 'update' GROUP BY headers, quantity ORDER BY max(number) DESC`,
      values: [apiUrl],
    });
    return rows.map(toFileColumns);
  }

  async own(jobId: string, at: number): Promise<void> {
    await this.#db.repeatable({
      text: `UPDATE ${this.#db.schema}.jobs SET owned_at = $2 WHERE id = $1`,
      values: [jobId, at],
    });
  }
}
