/** What all jobs of an address know of its items, in SQLite. */
import type {
  Acknowledged,
  Intents,
  ItemRow,
  JobRecord,
  KnownItems,
  LedgerRow,
  MadeItem,
  OpenCreate,
  OpenUpdate,
  SentUpdate,
} from '../ledger.ts';
import { OPEN_ROW_STATES } from '../states.ts';
import { ROW_COLUMNS, type StoredMadeItem, type StoredRow, toLedgerRow, toMadeItem } from '../stored-row.ts';
import { intentsOf, type OpenIntent, type OpenUpdateRow, openUpdatesOf } from '../intents.ts';
import type { Database } from './database.ts';
import type { SqliteJobs } from './jobs.ts';

export class SqliteKnownItems implements KnownItems {
  readonly #db: Database;
  readonly #jobs: SqliteJobs;

  constructor(db: Database, jobs: SqliteJobs) {
    this.#db = db;
    this.#jobs = jobs;
  }

  owned(apiUrl: string, itemIds: string[]): Promise<Set<string>> {
    return this.#db.patiently(() => {
      const statement = this.#db.prepare(
        `SELECT item_id FROM rows WHERE target = (SELECT number FROM targets WHERE api_url = ?)
         AND action = 'create' AND item_id IS NOT NULL AND item_id IN (SELECT value FROM json_each(?))`,
      );
      const rows = statement.all(apiUrl, JSON.stringify(itemIds)) as { item_id: string }[];
      return new Set(rows.map((row) => row.item_id));
    });
  }

  acknowledged(apiUrl: string, since: number | null): Promise<Acknowledged[]> {
    return this.#db.patiently(() => {
      const statement = this.#db.prepare(
        `SELECT item_id AS itemId, at FROM acknowledged_items
         WHERE target = (SELECT number FROM targets WHERE api_url = ?1) AND (?2 IS NULL OR mark >= ?2) ORDER BY at DESC`,
      );
      return statement.all(apiUrl, since) as unknown as Acknowledged[];
    });
  }

  forgetAcknowledged(apiUrl: string, itemIds: readonly string[]): Promise<void> {
    return this.#db.patiently(() => {
      const statement = this.#db.prepare(
        `DELETE FROM acknowledged_items WHERE target = (SELECT number FROM targets WHERE api_url = ?)
         AND item_id IN (SELECT value FROM json_each(?))`,
      );
      this.#db.transaction(() => statement.run(apiUrl, JSON.stringify(itemIds)));
    });
  }

  creates(apiUrl: string, itemIds: readonly string[]): Promise<MadeItem[]> {
    return this.#db.patiently(() => {
      const statement = this.#db.prepare(
        `SELECT item_id AS itemId, (SELECT id FROM jobs WHERE number = rows.job) AS jobId, input, issues FROM rows
         WHERE target = (SELECT number FROM targets WHERE api_url = ?)
         AND action = 'create' AND item_id IS NOT NULL AND item_id IN (SELECT value FROM json_each(?))`,
      );
      return (statement.all(apiUrl, JSON.stringify(itemIds)) as unknown as StoredMadeItem[]).map(toMadeItem);
    });
  }

  sentUpdates(apiUrl: string, itemIds: string[]): Promise<SentUpdate[]> {
    return this.#db.patiently(() => {
      const statement = this.#db.prepare(
        `SELECT (SELECT id FROM jobs WHERE number = rows.job) AS job, ordinal, item_id AS itemId, state, operation FROM rows
         WHERE target = (SELECT number FROM targets WHERE api_url = ?)
         AND action = 'update' AND item_id IS NOT NULL AND sequence IS NOT NULL AND item_id IN (SELECT value FROM json_each(?))
         ORDER BY sequence DESC`,
      );
      return statement.all(apiUrl, JSON.stringify(itemIds)) as unknown as SentUpdate[];
    });
  }

  rowsOf(apiUrl: string | undefined, itemId: string): Promise<ItemRow[]> {
    return this.#db.patiently(() => {
      const columns = ROW_COLUMNS.replaceAll(/\w+/g, 'r.$&');
      // One branch for each partial index; held rows are few, and found job by job.
      const rows = this.#db
        .prepare(
          `WITH t AS (SELECT number FROM targets WHERE ?1 IS NULL OR api_url = ?1)
           SELECT * FROM (SELECT j.id AS jobId, j.number AS job, ${columns} FROM rows r JOIN jobs j ON j.number = r.job
           WHERE r.target IN t AND r.action = 'create' AND r.item_id IS NOT NULL
             AND r.item_id >= ?2 AND r.item_id < ?2 || 'g' AND j.state <> 'staging'
           UNION ALL
           SELECT j.id, j.number, ${columns} FROM rows r JOIN jobs j ON j.number = r.job
           WHERE r.target IN t AND r.action = 'update' AND r.item_id IS NOT NULL
             AND r.item_id >= ?2 AND r.item_id < ?2 || 'g' AND j.state <> 'staging'
           UNION ALL
           SELECT j.id, j.number, ${columns} FROM jobs j
           CROSS JOIN rows r INDEXED BY rows_by_state ON r.job = j.number AND r.state = 'held' AND r.action = 'create'
           WHERE j.target IN t AND r.item_id IS NULL AND instr(r.issues, ?2) > 0)
           ORDER BY job, ordinal`,
        )
        .all(apiUrl ?? null, itemId) as unknown as (StoredRow & { jobId: string })[];
      const jobs = new Map<string, JobRecord>();
      return rows.map(({ jobId, ...row }) => {
        const job = jobs.get(jobId) ?? this.#jobs.stored(jobId);
        jobs.set(jobId, job);
        return { job, row: toLedgerRow(row) };
      });
    });
  }

  heldCreates(apiUrl: string): Promise<{ jobId: string; row: LedgerRow }[]> {
    return this.#db.patiently(() => {
      const columns = ROW_COLUMNS.replaceAll(/\w+/g, 'r.$&');
      const rows = this.#db
        .prepare(
          `SELECT j.id AS jobId, ${columns} FROM jobs j
           CROSS JOIN rows r INDEXED BY rows_by_state ON r.job = j.number AND r.state = 'held' AND r.action = 'create'
           WHERE j.target = (SELECT number FROM targets WHERE api_url = ?1) AND r.attempts > 0
           UNION ALL
           SELECT j.id, ${columns} FROM jobs j
           CROSS JOIN rows r INDEXED BY rows_resent ON r.job = j.number AND r.resent = 1 AND r.state = 'skipped' AND r.input IS NOT NULL
           WHERE j.target = (SELECT number FROM targets WHERE api_url = ?1)`,
        )
        .all(apiUrl) as unknown as (StoredRow & { jobId: string })[];
      return rows.map(({ jobId, ...row }) => ({ jobId, row: toLedgerRow(row) }));
    });
  }

  openCreates(apiUrl: string): Promise<OpenCreate[]> {
    return this.#db.patiently(() => {
      const rows = this.#db
        .prepare(
          // Rows in flight are read job by job, by the index on jobs.
          `SELECT * FROM (
           SELECT (SELECT id FROM jobs WHERE number = rows.job) AS jobId, ${ROW_COLUMNS} FROM rows
           WHERE state = 'unknown' AND action = 'create' AND target = (SELECT number FROM targets WHERE api_url = ?1)
           UNION ALL
           SELECT j.id, ${ROW_COLUMNS.replaceAll(/\w+/g, 'r.$&')} FROM jobs j
           CROSS JOIN rows r ON r.job = j.number AND r.state = 'sending' AND r.action = 'create'
           WHERE j.target = (SELECT number FROM targets WHERE api_url = ?1))
         ORDER BY sequence`,
        )
        .all(apiUrl) as unknown as (StoredRow & { jobId: string })[];
      const collections = new Map<string, Record<string, string>>();
      return rows.map(({ jobId, ...row }) => {
        const known = collections.get(jobId) ?? this.#jobs.stored(jobId).collections;
        collections.set(jobId, known);
        return { jobId, row: toLedgerRow(row), collectionId: known[row.collection ?? ''] };
      });
    });
  }

  noteSeen(apiUrl: string, itemIds: string[]): Promise<void> {
    return this.#db.patiently(() => {
      this.#db.transaction(() => {
        const target = this.#jobs.target(apiUrl);
        this.#db
          .prepare(
            `INSERT OR IGNORE INTO seen_items (target, item_id, sequence)
           SELECT ?1, value, (SELECT sequence FROM targets WHERE number = ?1) FROM json_each(?2)`,
          )
          .run(target, JSON.stringify(itemIds));
      });
    });
  }

  forgetSeen(limit: number): Promise<number> {
    return this.#db.patiently(() =>
      this.#db.transaction(() =>
        Number(
          this.#db
            .prepare(
              `DELETE FROM seen_items WHERE (target, item_id) IN (
                 SELECT target, item_id FROM seen_items WHERE target NOT IN (
                   SELECT j.target FROM jobs j WHERE EXISTS (SELECT 1 FROM rows r WHERE r.job = j.number
                     AND r.state IN (SELECT value FROM json_each(?1)))) LIMIT ?2)`,
            )
            .run(JSON.stringify(OPEN_ROW_STATES), limit).changes,
        ),
      ),
    );
  }

  seenAt(apiUrl: string, itemIds: string[]): Promise<Map<string, number>> {
    return this.#db.patiently(() => {
      const rows = this.#db
        .prepare(
          `SELECT item_id, sequence FROM seen_items WHERE target = (SELECT number FROM targets WHERE api_url = ?)
           AND item_id IN (SELECT value FROM json_each(?))`,
        )
        .all(apiUrl, JSON.stringify(itemIds)) as { item_id: string; sequence: number }[];
      return new Map(rows.map((row) => [row.item_id, row.sequence]));
    });
  }

  // Asked before each reading: without the index named, SQLite reads all rows of all jobs.
  intents(apiUrl: string): Promise<Intents> {
    return this.#db.patiently(() => {
      const row = this.#db
        .prepare(
          `SELECT sequence AS committed, (SELECT json_group_array(json_array(r.item_id, r.sequence)) FROM jobs j
           CROSS JOIN rows r INDEXED BY rows_by_state ON r.job = j.number
           WHERE j.target = t.number AND r.state IN ('sending', 'unknown') AND r.action = 'update') AS open
         FROM targets t WHERE api_url = ?`,
        )
        .get(apiUrl) as { committed: number; open: string } | undefined;
      return intentsOf(row?.committed, JSON.parse(row?.open ?? '[]') as OpenIntent[]);
    });
  }

  openUpdates(
    apiUrl: string,
    itemIds: readonly string[],
  ): Promise<{ committed: number; open: OpenUpdate[] }> {
    return this.#db.patiently(() => {
      // One statement, and so of one moment: an intent that is committed between two looks would be in neither.
      const rows = this.#db
        .prepare(
          `SELECT t.sequence AS committed, j.id AS jobId, r.ordinal, r.state, r.sequence, r.quiet_ms AS quietMs
           FROM targets t
           LEFT JOIN rows r ON r.target = t.number AND r.action = 'update'
             AND r.item_id IN (SELECT value FROM json_each(?2))
             AND r.state IN ('sending', 'unknown')
           LEFT JOIN jobs j ON j.number = r.job
           WHERE t.api_url = ?1`,
        )
        .all(apiUrl, JSON.stringify(itemIds)) as unknown as OpenUpdateRow[];
      return openUpdatesOf(rows);
    });
  }
}
