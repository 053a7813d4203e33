/** What all jobs of an address know of its items, in PostgreSQL. */
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
import { intentsOf, type OpenIntent, type OpenUpdateRow, openUpdatesOf } from '../intents.ts';
import { OPEN_ROW_STATES } from '../states.ts';
import { ROW_COLUMNS, type StoredMadeItem, type StoredRow, toMadeItem } from '../stored-row.ts';
import type { Database } from './database.ts';
import type { PostgresJobs } from './jobs.ts';
import { toRow } from './rows.ts';

export class PostgresKnownItems implements KnownItems {
  readonly #db: Database;
  readonly #jobs: PostgresJobs;

  constructor(db: Database, jobs: PostgresJobs) {
    this.#db = db;
    this.#jobs = jobs;
  }

  async owned(apiUrl: string, itemIds: readonly string[]): Promise<Set<string>> {
    const rows = await this.#db.repeatable<{ item_id: string }>({
      text: `SELECT item_id FROM ${this.#db.schema}.rows WHERE target = ${this.#target(1)} AND action = 'create'
               AND item_id = ANY ($2::text[])`,
      values: [apiUrl, itemIds],
    });
    return new Set(rows.map((row) => row.item_id));
  }

  acknowledged(apiUrl: string, since: number | null): Promise<Acknowledged[]> {
    return this.#db.repeatable<Acknowledged>({
      text: `SELECT item_id AS "itemId", at FROM ${this.#db.schema}.acknowledged_items
             WHERE target = ${this.#target(1)} AND ($2::bigint IS NULL OR mark >= $2) ORDER BY at DESC`,
      values: [apiUrl, since],
    });
  }

  async forgetAcknowledged(apiUrl: string, itemIds: readonly string[]): Promise<void> {
    await this.#db.repeatable({
      text: `DELETE FROM ${this.#db.schema}.acknowledged_items
             WHERE target = ${this.#target(1)} AND item_id = ANY ($2::text[])`,
      values: [apiUrl, itemIds],
    });
  }

  async creates(apiUrl: string, itemIds: readonly string[]): Promise<MadeItem[]> {
    const rows = await this.#db.repeatable<StoredMadeItem>({
      text: `SELECT item_id AS "itemId", (SELECT id FROM ${this.#db.schema}.jobs j WHERE j.number = r.job) AS "jobId",
               input, issues FROM ${this.#db.schema}.rows r WHERE target = ${this.#target(1)} AND action = 'create' AND item_id = ANY ($2::text[])`,
      values: [apiUrl, itemIds],
    });
    return rows.map(toMadeItem);
  }

  sentUpdates(apiUrl: string, itemIds: readonly string[]): Promise<SentUpdate[]> {
    return this.#db.repeatable<SentUpdate>({
      text: `SELECT (SELECT id FROM ${this.#db.schema}.jobs j WHERE j.number = r.job) AS job, ordinal,
               item_id AS "itemId", state, operation FROM ${this.#db.schema}.rows r WHERE target = ${this.#target(1)}
               AND action = 'update' AND sequence IS NOT NULL AND item_id = ANY ($2::text[])
             ORDER BY sequence DESC`,
      values: [apiUrl, itemIds],
    });
  }

  async rowsOf(apiUrl: string | undefined, itemId: string): Promise<ItemRow[]> {
    const { schema } = this.#db;
    const columns = ROW_COLUMNS.replaceAll(/\w+/g, 'r.$&');
    // One branch for each partial index; held rows are few, and found job by job.
    const named = (action: string) =>
      `SELECT j.id AS job_id, j.number, ${columns} FROM ${schema}.rows r JOIN ${schema}.jobs j ON j.number = r.job
       WHERE r.target = ANY (ARRAY(SELECT number FROM t)) AND r.action = '${action}' AND r.item_id IS NOT NULL
         AND r.item_id >= $2 AND r.item_id < $2::text || 'g' AND j.state <> 'staging'`;
    const rows = await this.#db.repeatable<StoredRow & { job_id: string }>({
      text: `WITH t AS (SELECT number FROM ${schema}.targets WHERE $1::text IS NULL OR api_url = $1)
             ${named('create')}
             UNION ALL ${named('update')}
             UNION ALL SELECT j.id, j.number, held.* FROM ${schema}.jobs j CROSS JOIN LATERAL (
               SELECT ${columns} FROM ${schema}.rows r WHERE r.job = j.number AND r.state = 'held'
                 AND r.action = 'create' AND r.item_id IS NULL AND strpos(r.issues, $2::text) > 0) held
             WHERE j.target IN (SELECT number FROM t)
             ORDER BY 2, ordinal`,
      values: [apiUrl ?? null, itemId],
    });
    const jobs = new Map<string, JobRecord>();
    for (const { job_id: id } of rows) if (!jobs.has(id)) jobs.set(id, await this.#jobs.find(id));
    return rows.flatMap(({ job_id: id, ...row }) => {
      const job = jobs.get(id);
      return job === undefined ? [] : [{ job, row: toRow(row) }];
    });
  }

  async heldCreates(apiUrl: string): Promise<{ jobId: string; row: LedgerRow }[]> {
    const { schema } = this.#db;
    const rows = await this.#db.repeatable<StoredRow & { job_id: string }>({
      text: `SELECT j.id AS job_id, held.* FROM ${schema}.jobs j CROSS JOIN LATERAL (
               SELECT ${ROW_COLUMNS} FROM ${schema}.rows
               WHERE job = j.number AND state = 'held' AND action = 'create' AND attempts > 0
               UNION ALL
               SELECT ${ROW_COLUMNS} FROM ${schema}.rows WHERE job = j.number AND resent = 1 AND state = 'skipped'
                 AND input IS NOT NULL) held
             WHERE j.target = ${this.#target(1)}`,
      values: [apiUrl],
    });
    return rows.map(({ job_id: jobId, ...row }) => ({ jobId, row: toRow(row) }));
  }

  async openCreates(apiUrl: string): Promise<OpenCreate[]> {
    const { schema } = this.#db;
    const rows = await this.#db.repeatable<StoredRow & { job_id: string }>({
      text: `SELECT (SELECT id FROM ${schema}.jobs j WHERE j.number = r.job) AS job_id, ${ROW_COLUMNS} FROM ${schema}.rows r
             WHERE state = 'unknown' AND action = 'create' AND target = ${this.#target(1)}
             UNION ALL
             -- Rows in flight are read job by job, by the index on jobs.
             SELECT j.id, under_way.* FROM ${schema}.jobs j CROSS JOIN LATERAL (
               SELECT ${ROW_COLUMNS} FROM ${schema}.rows
               WHERE job = j.number AND state = 'sending' AND action = 'create') under_way
             WHERE j.target = ${this.#target(1)}
             ORDER BY sequence`,
      values: [apiUrl],
    });
    const collections = new Map<string, Record<string, string>>();
    for (const { job_id: jobId } of rows) {
      if (!collections.has(jobId)) collections.set(jobId, (await this.#jobs.find(jobId)).collections);
    }
    return rows.map(({ job_id: jobId, ...row }) => {
      const stored = toRow(row);
      return { jobId, row: stored, collectionId: collections.get(jobId)?.[stored.collection ?? ''] };
    });
  }

  async noteSeen(apiUrl: string, itemIds: readonly string[]): Promise<void> {
    const { schema } = this.#db;
    await this.#jobs.ensureTarget(apiUrl);
    await this.#db.repeatable({
      // Does not wait for a batch of intents that is being committed: their items cannot have been shown yet, so
      // "before them" is right. Sorted, so that two statements never deadlock.
      text: `INSERT INTO ${schema}.seen_items (target, item_id, sequence)
             SELECT t.number, id, t.sequence FROM ${schema}.targets t, unnest($2::text[]) AS id WHERE t.api_url = $1
             ORDER BY id COLLATE "C" ON CONFLICT DO NOTHING`,
      values: [apiUrl, itemIds],
    });
  }

  forgetSeen(limit: number): Promise<number> {
    const { schema } = this.#db;
    return this.#db.transaction(async (client) => {
      // Nothing is shown between the look at the rows and the delete; for the few ms of a step, notes wait.
      await client.query(`LOCK TABLE ${schema}.seen_items IN SHARE ROW EXCLUSIVE MODE`);
      const { rowCount } = await client.query(
        `WITH quiet AS MATERIALIZED (SELECT number FROM ${schema}.targets t WHERE NOT EXISTS (
             SELECT FROM ${schema}.jobs j CROSS JOIN LATERAL (
               SELECT FROM ${schema}.rows WHERE job = j.number AND state = ANY ($1::text[]) LIMIT 1) open
             WHERE j.target = t.number))
         DELETE FROM ${schema}.seen_items WHERE ctid = ANY (ARRAY(
           SELECT s.ctid FROM ${schema}.seen_items s WHERE s.target IN (SELECT number FROM quiet) LIMIT $2))`,
        [OPEN_ROW_STATES, limit],
      );
      return rowCount ?? 0;
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

  async intents(apiUrl: string): Promise<Intents> {
    const { schema } = this.#db;
    const [row] = await this.#db.repeatable<{ committed: number; open: OpenIntent[] | null }>({
      name: 'intents',
      text: `SELECT sequence AS committed, (SELECT json_agg(json_build_array(r.item_id, r.sequence))
               FROM ${schema}.jobs j JOIN ${schema}.rows r ON r.job = j.number
               WHERE j.target = t.number AND r.state IN ('sending', 'unknown') AND r.action = 'update') AS open
             FROM ${schema}.targets t WHERE api_url = $1`,
      values: [apiUrl],
    });
    return intentsOf(row?.committed, row?.open ?? []);
  }

  async openUpdates(
    apiUrl: string,
    itemIds: readonly string[],
  ): Promise<{ committed: number; open: OpenUpdate[] }> {
    const { schema } = this.#db;
    // One statement, and so of one moment: an intent that is committed between two looks would be in neither.
    const rows = await this.#db.repeatable<OpenUpdateRow>({
      name: 'open_updates',
      text: `SELECT t.sequence AS committed, j.id AS "jobId", r.ordinal, r.state, r.sequence, r.quiet_ms AS "quietMs"
             FROM ${schema}.targets t
             LEFT JOIN ${schema}.rows r ON r.target = t.number AND r.action = 'update'
               AND r.item_id = ANY ($2::text[])
               AND r.state IN ('sending', 'unknown')
             LEFT JOIN ${schema}.jobs j ON j.number = r.job
             WHERE t.api_url = $1`,
      values: [apiUrl, itemIds],
    });
    return openUpdatesOf(rows);
  }

  #target(parameter: number): string {
    return `(SELECT number FROM ${this.#db.schema}.targets WHERE api_url = $${parameter})`;
  }
}
