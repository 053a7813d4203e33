/** The facts that all jobs of an address share about its items. */
import type {
  Acknowledged,
  Intents,
  ItemRow,
  JobRecord,
  Jobs,
  KnownItems,
  LedgerRow,
  MadeItem,
  OpenCreate,
  OpenUpdate,
  SentUpdate,
} from '../ledger.ts';
import { OPEN_ROW_STATES } from '../states.ts';
import {
  R_COLUMNS,
  ROW_COLUMNS,
  type StoredMadeItem,
  type StoredRow,
  toLedgerRow,
  toMadeItem,
} from '../stored-row.ts';
import { isOfTeam } from '../team.ts';
import type { Session } from './session.ts';

/** Number of items that are looked up at once. */
const PART = 500;

type OfJob<Row> = Row & { job_id: string };
/** The target with the open updates of its items: a single row without an update if there are none. */
type OpenUpdateRow = { committed: number } & (OpenUpdate | { jobId: null });

export class SqlKnownItems implements KnownItems {
  readonly #db: Session;
  readonly #jobs: Jobs & { ensureTarget(apiUrl: string): Promise<void> };
  readonly #rows: string;
  /** The address of parameter 1. */
  readonly #target: string;
  /** Rows of the target's jobs, found job by job, with an index that SQLite would not choose. */
  readonly #jobByJob: (index: string) => string;

  constructor(db: Session, jobs: Jobs & { ensureTarget(apiUrl: string): Promise<void> }) {
    this.#db = db;
    this.#jobs = jobs;
    this.#rows = `${db.schema}.rows`;
    this.#target = `(SELECT number FROM ${db.schema}.targets WHERE api_url = $1)`;
    this.#jobByJob = (index) => `${db.schema}.jobs j CROSS JOIN ${this.#rows} r /* INDEXED BY ${index} */
      WHERE r.job = j.number AND j.target = ${this.#target}`;
  }

  async owned(apiUrl: string, itemIds: readonly string[]): Promise<Set<string>> {
    const rows = await this.#db.read<{ item_id: string }>({
      text: `SELECT item_id FROM ${this.#rows} WHERE target = ${this.#target} AND action = 'create'
        AND item_id IS NOT NULL AND item_id = ANY ($2::text[])`,
      values: [apiUrl, itemIds],
    });
    return new Set(rows.map((row) => row.item_id));
  }

  acknowledged(apiUrl: string, since: number | null): Promise<Acknowledged[]> {
    return this.#db.read<Acknowledged>({
      text: `SELECT item_id AS "itemId", at FROM ${this.#db.schema}.acknowledged_items
        WHERE target = ${this.#target} AND ($2::bigint IS NULL OR mark >= $2) ORDER BY at DESC`,
      values: [apiUrl, since],
    });
  }

  async forgetAcknowledged(apiUrl: string, itemIds: readonly string[]): Promise<void> {
    await this.#db.change({
      text: `DELETE FROM ${this.#db.schema}.acknowledged_items
        WHERE target = ${this.#target} AND item_id = ANY ($2::text[])`,
      values: [apiUrl, itemIds],
    });
  }

  async creates(apiUrl: string, itemIds: readonly string[]): Promise<MadeItem[]> {
    const rows = await this.#db.read<StoredMadeItem>({
      text: `SELECT item_id AS "itemId", ${this.#jobOfRow} AS "jobId", input, issues FROM ${this.#rows} r
        WHERE target = ${this.#target} AND action = 'create' AND item_id IS NOT NULL AND item_id = ANY ($2::text[])`,
      values: [apiUrl, itemIds],
    });
    return rows.map(toMadeItem);
  }

  async ofOtherTeams(
    apiUrl: string,
    itemIds: readonly string[],
    seen: readonly string[],
  ): Promise<Set<string>> {
    const theirs = new Set<string>();
    const known = new Map<string, boolean>();
    for (let from = 0; from < itemIds.length; from += PART) {
      for (const { itemId, jobId } of await this.creates(apiUrl, itemIds.slice(from, from + PART))) {
        const isTheirs = known.get(jobId) ?? !isOfTeam(await this.#jobs.find(jobId), seen);
        known.set(jobId, isTheirs);
        if (isTheirs) theirs.add(itemId);
      }
    }
    return theirs;
  }

  sentUpdates(apiUrl: string, itemIds: readonly string[]): Promise<SentUpdate[]> {
    return this.#db.read<SentUpdate>({
      text: `SELECT ${this.#jobOfRow} AS job, ordinal, item_id AS "itemId", state, operation FROM ${this.#rows} r
        WHERE target = ${this.#target} AND action = 'update' AND sequence IS NOT NULL
          AND item_id IS NOT NULL AND item_id = ANY ($2::text[]) ORDER BY sequence DESC`,
      values: [apiUrl, itemIds],
    });
  }

  async rowsOf(apiUrl: string | undefined, itemId: string): Promise<ItemRow[]> {
    const { schema } = this.#db;
    // One branch for each partial index; held rows are few, and found job by job.
    const named = (action: string) =>
      `SELECT j.id AS job_id, j.number, ${R_COLUMNS} FROM ${this.#rows} r JOIN ${schema}.jobs j ON j.number = r.job
       WHERE r.target ${this.#db.among('SELECT number FROM t')} AND r.action = '${action}' AND r.item_id IS NOT NULL
         AND r.item_id >= $2 AND r.item_id < $2::text || 'g' AND j.state <> 'staging'`;
    const rows = await this.#db.read<OfJob<StoredRow & { number: number }>>({
      text: `WITH t AS (SELECT number FROM ${schema}.targets WHERE $1::text IS NULL OR api_url = $1)
        SELECT * FROM (${named('create')} UNION ALL ${named('update')}
          UNION ALL SELECT j.id, j.number, ${R_COLUMNS}
          FROM ${schema}.jobs j CROSS JOIN ${this.#rows} r /* INDEXED BY rows_by_state */
          WHERE r.job = j.number AND j.target IN (SELECT number FROM t) AND r.state = 'held' AND r.action = 'create'
            AND r.item_id IS NULL AND strpos(r.issues, $2::text) > 0) AS found
        ORDER BY number, ordinal`,
      values: [apiUrl ?? null, itemId],
    });
    const jobs = await this.#jobsOf(rows);
    return rows.flatMap(({ job_id: id, number: _number, ...row }) => {
      const job = jobs.get(id);
      return job === undefined ? [] : [{ job, row: toLedgerRow(row, this.#db) }];
    });
  }

  async heldCreates(apiUrl: string): Promise<{ jobId: string; row: LedgerRow }[]> {
    const rows = await this.#db.read<OfJob<StoredRow>>({
      text: `SELECT j.id AS job_id, ${R_COLUMNS} FROM ${this.#jobByJob('rows_by_state')}
          AND r.state = 'held' AND r.action = 'create' AND r.attempts > 0
        UNION ALL SELECT j.id, ${R_COLUMNS} FROM ${this.#jobByJob('rows_resent')}
          AND r.resent = 1 AND r.state = 'skipped' AND r.input IS NOT NULL`,
      values: [apiUrl],
    });
    return rows.map(({ job_id: jobId, ...row }) => ({ jobId, row: toLedgerRow(row, this.#db) }));
  }

  async openCreates(apiUrl: string): Promise<OpenCreate[]> {
    const rows = await this.#db.read<OfJob<StoredRow>>({
      text: `SELECT * FROM (SELECT ${this.#jobOfRow} AS job_id, ${ROW_COLUMNS} FROM ${this.#rows} r
          WHERE state = 'unknown' AND action = 'create' AND target = ${this.#target}
        UNION ALL SELECT j.id, ${R_COLUMNS} FROM ${this.#jobByJob('rows_by_state')}
          AND r.state = 'sending' AND r.action = 'create') AS open ORDER BY sequence`,
      values: [apiUrl],
    });
    const jobs = await this.#jobsOf(rows);
    return rows.map(({ job_id: jobId, ...stored }) => {
      const row = toLedgerRow(stored, this.#db);
      return { jobId, row, collectionId: jobs.get(jobId)?.collections[row.collection ?? ''] };
    });
  }

  async noteSeen(apiUrl: string, itemIds: readonly string[]): Promise<void> {
    const { schema } = this.#db;
    await this.#jobs.ensureTarget(apiUrl);
    await this.#db.change({
      // Does not wait for a batch of intents that is being committed: their items cannot have been shown yet, so
      // "before them" is right. Sorted, so that two statements never deadlock.
      text: `INSERT INTO ${schema}.seen_items (target, item_id, sequence)
        SELECT t.number, id.value, t.sequence FROM ${schema}.targets t, unnest($2::text[]) AS id(value)
        WHERE t.api_url = $1 ORDER BY id.value COLLATE "C" ON CONFLICT DO NOTHING`,
      values: [apiUrl, itemIds],
    });
  }

  forgetSeen(limit: number): Promise<number> {
    const { schema } = this.#db;
    const quiet = this.#db.among(`SELECT number FROM ${schema}.targets t WHERE NOT EXISTS (
      SELECT 1 FROM ${schema}.jobs j WHERE j.target = t.number AND EXISTS (
        SELECT 1 FROM ${schema}.rows r WHERE r.job = j.number AND r.state = ANY ($1::text[])))`);
    return this.#db.together(function* () {
      // Nothing is shown between the look at the rows and the delete; for the few ms of a step, notes wait.
      yield { text: `LOCK TABLE ${schema}.seen_items IN SHARE ROW EXCLUSIVE MODE` };
      const found = (yield {
        text: `SELECT target, item_id FROM ${schema}.seen_items WHERE target ${quiet} LIMIT $2`,
        values: [OPEN_ROW_STATES, limit],
      }) as { target: number; item_id: string }[];
      for (const [target, items] of Map.groupBy(found, (line) => line.target)) {
        yield {
          text: `DELETE FROM ${schema}.seen_items WHERE target = $1 AND item_id = ANY ($2::text[])`,
          values: [target, items.map((line) => line.item_id)],
        };
      }
      return found.length;
    });
  }

  async seenAt(apiUrl: string, itemIds: readonly string[]): Promise<Map<string, number>> {
    const rows = await this.#db.read<{ item_id: string; sequence: number }>({
      text: `SELECT item_id, sequence FROM ${this.#db.schema}.seen_items WHERE target = ${this.#target}
        AND item_id = ANY ($2::text[])`,
      values: [apiUrl, itemIds],
    });
    return new Map(rows.map((row) => [row.item_id, row.sequence]));
  }

  async intents(apiUrl: string): Promise<Intents> {
    // One statement, and so of one moment. The line without an item is that of the address.
    const rows = await this.#db.read<{ item_id: string | null; sequence: number }>({
      name: 'intents',
      text: `SELECT NULL AS item_id, sequence FROM ${this.#db.schema}.targets WHERE api_url = $1
        UNION ALL SELECT r.item_id, r.sequence FROM ${this.#jobByJob('rows_by_state')}
          AND r.state IN ('sending', 'unknown') AND r.action = 'update' AND r.item_id IS NOT NULL`,
      values: [apiUrl],
    });
    let committed = 0;
    const open = new Map<string, number>();
    for (const { item_id: item, sequence } of rows) {
      if (item === null) committed = sequence;
      else open.set(item, Math.min(sequence, open.get(item) ?? Number.POSITIVE_INFINITY));
    }
    return { committed, open };
  }

  async openUpdates(
    apiUrl: string,
    itemIds: readonly string[],
  ): Promise<{ committed: number; open: OpenUpdate[] }> {
    // One statement, and so of one moment: an intent that is committed between two looks would be in neither.
    const rows = await this.#db.read<OpenUpdateRow>({
      name: 'open_updates',
      text: `SELECT t.sequence AS committed, j.id AS "jobId", r.ordinal, r.state, r.sequence, r.quiet_ms AS "quietMs"
        FROM ${this.#db.schema}.targets t
        LEFT JOIN ${this.#rows} r ON r.target = t.number AND r.action = 'update'
          AND r.item_id = ANY ($2::text[]) AND r.state IN ('sending', 'unknown')
        LEFT JOIN ${this.#db.schema}.jobs j ON j.number = r.job
        WHERE t.api_url = $1`,
      values: [apiUrl, itemIds],
    });
    return { committed: rows[0]?.committed ?? 0, open: rows.filter((row) => row.jobId !== null) };
  }

  get #jobOfRow(): string {
    return `(SELECT id FROM ${this.#db.schema}.jobs j WHERE j.number = r.job)`;
  }

  /** The jobs of rows, by their ids. */
  async #jobsOf(rows: readonly { job_id: string }[]): Promise<Map<string, JobRecord>> {
    const ids = [...new Set(rows.map((row) => row.job_id))];
    if (ids.length === 0) return new Map();
    const jobs = await this.#jobs.list(undefined, { ids });
    return new Map(jobs.map((job) => [job.id, job]));
  }
}
