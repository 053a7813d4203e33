/**
 * The entries of the queue on PostgreSQL: graphile-worker's jobs, in a schema beside the store's.
 *
 * Every entry belongs to one task and to no named queue, and has two flags: its run and its queue. A worker names the
 * flags that it does not want. With a named queue for each key, graphile-worker locks the line of every free queue to
 * choose one run: 50 ms with 10,000 keys, one worker at a time. Choosing by flags takes 0.4 ms, even with 200,000 later
 * runs.
 */
import { Logger, makeWorkerUtils } from 'graphile-worker';
import type { Database } from '../../ledger/postgres/database.ts';
import { codeOf, postgresError } from '../../ledger/postgres/errors.ts';
import { message } from '../../messages/message.ts';
import { UsageError } from '../../base/errors.ts';
import { DELIVER, type Entry, type Service } from './queue.ts';
import { OPEN_STATES } from './run.ts';
import { entryOf, QUEUES } from './store-queue.ts';

export const TASK = 'shelflift:run';
/** Priorities of entries; a lower one is handed out earlier. */
const PRIORITIES = { overdue: -1, read: 0, write: 1 } as const;
/** An import that has waited this long goes before reads, so that frequent exports do not starve imports. */
const WRITE_PATIENCE_S = 30;
/** Maximum of int2: an entry stays until its run has ended, however often it was handed out. */
const MAX_ATTEMPTS = 32_767;
/** Entries per statement when many are moved. */
const BATCH = 2_000;
/** SQLSTATE insufficient_privilege. */
const NO_RIGHTS = '42501';

/** The content of an entry that a worker receives. */
export interface Payload extends Pick<Entry, 'queue' | 'priority'> {
  run: string;
}

/** Argument of `add_job`, as JSON. */
interface Spec {
  payload: Payload;
  level: number;
  /**
   * Delay until the entry is due, by the database's clock, because the clocks of machines differ; absent to keep its
   * time.
   */
  delay_ms?: number;
  at?: Date;
}

export class GraphileEntries {
  readonly #db: Database;
  /** Settings for graphile-worker. */
  readonly settings: ReturnType<typeof settingsOf>;
  /** Quoted name of graphile-worker's schema. */
  readonly #schema: string;
  readonly #jobs: string;
  /** The worker's clock, ms since the epoch. */
  now = Date.now;

  private constructor(database: Database) {
    this.#db = database;
    this.settings = settingsOf(database);
    this.#schema = `"${this.settings.schema}"`;
    this.#jobs = `${this.#schema}._private_jobs`;
  }

  /**
   * Makes graphile-worker's tables if they are missing, and takes over entries that are queued without it.
   *
   * @returns undefined if the role may not make the schema, and it does not exist
   * @throws UsageError `store_no_rights` if it exists
   */
  static async open(
    database: Database,
    warn: (message: string) => void,
  ): Promise<GraphileEntries | undefined> {
    const entries = new GraphileEntries(database);
    const { schema } = entries.settings;
    const { shown } = database.location;
    try {
      await makeTables(database, entries.settings);
    } catch (error) {
      if (codeOf(error) !== NO_RIGHTS) throw postgresError(error, shown);
      const [found] = await database.repeatable<{ role: string; there: boolean }>({
        text: `SELECT quote_ident(current_user) AS role, EXISTS (SELECT FROM pg_class c JOIN pg_namespace n
                 ON n.oid = c.relnamespace WHERE n.nspname = $1) AS there`,
        values: [schema],
      });
      const role = found?.role ?? 'the role';
      if (found?.there === true)
        throw new UsageError('store_no_rights', message('schema_no_rights', { store: shown, role, schema }), {
          cause: error,
          actions: [{ do: 'byHand', label: message('ask_schema_owner', { role }) }],
        });
      warn(
        `${role} may not make the schema ${schema} in ${shown}, so the queue is kept without graphile-worker, which serves some dozens of keys. For more, ask the owner of the database to run: CREATE SCHEMA ${schema} AUTHORIZATION ${role}`,
      );
      return undefined;
    }
    await entries.adopt();
    return entries;
  }

  /** An entry as an expression that is evaluated with the statement that records its run. */
  alongside(entry: Entry) {
    return { sql: (spec: string) => this.#call(spec), value: this.#spec(entry) };
  }

  /** Adds an entry. @param replace false leaves an existing entry as it is, unless it is in another queue */
  async add(entry: Entry, replace: boolean): Promise<void> {
    const unless = `WHERE NOT EXISTS (SELECT FROM ${this.#jobs}
      WHERE key = $1::json #>> '{payload,run}' AND payload ->> 'queue' = $1::json #>> '{payload,queue}')`;
    await this.#db.repeatable({
      text: `SELECT ${this.#call('$1::json')} ${replace ? '' : unless}`,
      values: [JSON.stringify(this.#spec(entry))],
    });
  }

  /** Returns an entry that was handed out, unchanged. */
  async giveBack(payload: Payload, { priority: level, run_at: at }: { priority: number; run_at: Date }) {
    await this.#db.repeatable({
      text: `SELECT ${this.#call('$1::json')}`,
      values: [JSON.stringify({ payload, level, at } satisfies Spec)],
    });
  }

  /** @param left flags of entries that do not count */
  async readWaits(queues: readonly string[], left: readonly string[]): Promise<boolean> {
    const [found] = await this.#db.repeatable<{ waits: boolean }>({
      text: `SELECT EXISTS (SELECT FROM ${this.#jobs}
               WHERE is_available AND priority = $3 AND run_at <= now() AND flags ?| $1::text[]
                 AND NOT flags ?| $2::text[]) AS waits`,
      values: [queues, left, PRIORITIES.read],
    });
    return found?.waits === true;
  }

  /** When the next entry that this worker serves is due, ms since the epoch. */
  async nextAt(service: Service): Promise<number | undefined> {
    const [found] = await this.#db.repeatable<{ ms: number | null }>({
      text: `SELECT (extract(epoch FROM min(run_at) - now()) * 1000)::float8 AS ms FROM ${this.#jobs}
             WHERE ${SERVED} AND NOT flags ?| $2::text[] AND attempts < max_attempts`,
      values: [service.queues(), [...service.left]],
    });
    const ms = found?.ms ?? undefined;
    return ms === undefined ? undefined : service.now() + ms;
  }

  /** Makes all waiting entries that this worker serves due at once. */
  async makeAllDue(service: Service): Promise<void> {
    await this.#db.repeatable({
      text: `SELECT count(*) FROM ${this.#schema}.reschedule_jobs(ARRAY(
               SELECT id FROM ${this.#jobs} WHERE is_available AND run_at > now() AND ${SERVED}), run_at => now())`,
      values: [service.queues()],
    });
  }

  /** Moves imports that have waited long before reads. */
  async hasten(): Promise<void> {
    await this.#db.repeatable({ text: this.#hasten() });
  }

  /** Unlocks the entries of these pools; an import that has waited long is handed out first. */
  async unlock(pools: readonly string[]): Promise<void> {
    await this.#db.transaction(async (client) => {
      await client.query(`SELECT ${this.#schema}.force_unlock_workers($1::text[])`, [pools]);
      await client.query(this.#hasten());
    });
  }

  /**
   * Pools that have locks but no lease: they died right after they began, or were resumed after their
   * lease had been taken over.
   */
  async orphans(prefix: string): Promise<string[]> {
    const found = await this.#db.repeatable<{ pool: string }>({
      text: `SELECT DISTINCT locked_by AS pool FROM ${this.#jobs}
             WHERE locked_at < now() - interval '1 minute'
               AND NOT EXISTS (SELECT FROM ${this.#db.schema}.lanes WHERE lane = $1 || locked_by)`,
      values: [prefix],
    });
    return found.map(({ pool }) => pool);
  }

  /** Ids of open runs without an entry, a page at a time. */
  async lost(): Promise<string[]> {
    const lost = await this.#db.repeatable<{ id: string }>({
      text: `SELECT id FROM ${this.#db.schema}.runs r WHERE state = ANY ($1::text[])
               AND NOT EXISTS (SELECT FROM ${this.#jobs} j WHERE j.key = r.id) LIMIT ${BATCH}`,
      values: [[...OPEN_STATES]],
    });
    return lost.map(({ id }) => id);
  }

  /** Removes entries of workers that died after they had put a run back: the newer entry counts. */
  async removeReplaced(): Promise<void> {
    await this.#db.repeatable({
      text: `DELETE FROM ${this.#jobs} WHERE attempts >= max_attempts AND locked_at IS NULL`,
    });
  }

  /** Takes over the entries of a copied SQLite store, or of a role that could not make this schema. */
  async adopt(): Promise<void> {
    const { schema } = this.#db;
    for (let adopted = BATCH; adopted === BATCH; ) {
      adopted = await this.#db.transaction(async (client) => {
        const { rows } = await client.query<{ space: string; key: string }>(
          `DELETE FROM ${schema}.key_values WHERE (space, key) IN (SELECT space, key FROM ${schema}.key_values
             WHERE space >= $1 AND space <= $2 LIMIT ${BATCH}) RETURNING space, key`,
          [QUEUES, `${QUEUES}\u{10ffff}`],
        );
        const specs = rows.map(({ space, key }) => this.#spec(entryOf(space, key)));
        if (specs.length > 0)
          await client.query(`SELECT ${this.#call('spec')} FROM json_array_elements($1::json) AS spec`, [
            JSON.stringify(specs),
          ]);
        return rows.length;
      });
    }
  }

  #spec({ id: run, queue, priority, notBefore }: Entry): Spec {
    const level = PRIORITIES[priority];
    return { payload: { run, queue, priority }, level, delay_ms: notBefore - this.now() };
  }

  /** @param spec SQL of a Spec as JSON */
  #call(spec: string): string {
    return `(${this.#schema}.add_job(identifier => '${TASK}', payload => ${spec} -> 'payload',
      run_at => coalesce((${spec} ->> 'at')::timestamptz, now() + (${spec} ->> 'delay_ms')::float8 * interval '1 ms'),
      max_attempts => ${MAX_ATTEMPTS}, job_key => ${spec} #>> '{payload,run}', priority => (${spec} ->> 'level')::int,
      flags => ARRAY[${spec} #>> '{payload,run}', ${spec} #>> '{payload,queue}'])).id`;
  }

  #hasten(): string {
    return `SELECT count(*) FROM ${this.#schema}.reschedule_jobs(ARRAY(
      SELECT id FROM ${this.#jobs} WHERE is_available AND priority = ${PRIORITIES.write}
        AND run_at < now() - ${WRITE_PATIENCE_S} * interval '1 s' LIMIT ${BATCH}), priority => ${PRIORITIES.overdue})`;
  }
}

/** Entries in the queues $1, and deliveries, which any worker serves. */
const SERVED = `(payload ->> 'queue' = ANY ($1::text[]) OR starts_with(payload ->> 'queue', '${DELIVER}'))`;

function settingsOf({ location }: Database) {
  // The worker's own events report everything.
  return { schema: `${location.schema}_queue`, logger: new Logger(() => () => undefined) };
}

/** Makes the tables. If they are up to date, this takes two reads. */
async function makeTables({ pool }: Database, settings: ReturnType<typeof settingsOf>): Promise<void> {
  const { rows } = await pool.query<{ schema: boolean; made: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = $1) AS schema,
       EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE n.nspname = $1 AND c.relname = 'migrations') AS made`,
    [settings.schema],
  );
  // As graphile-worker creates it: it requires the right to create schemas even if the schema exists.
  if (rows[0]?.schema === true && !rows[0].made)
    await pool.query(`CREATE TABLE IF NOT EXISTS "${settings.schema}".migrations (id int PRIMARY KEY,
      ts timestamptz DEFAULT now() NOT NULL, breaking boolean NOT NULL DEFAULT false)`);
  const utils = await makeWorkerUtils({ ...settings, pgPool: pool });
  await utils.release();
}
