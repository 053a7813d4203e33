/**
 * Connections to a PostgreSQL store, including the handling of lost connections.
 *
 * Every change of the ledger is one statement, and so one transaction and one round trip. Isolation is READ COMMITTED:
 * the WHERE of each change names the states that it may start from, and takes the locks it needs. SERIALIZABLE would
 * only add failures to retry.
 *
 * If a connection is lost during a statement, nobody knows whether it was committed. So each statement is sent either
 * as `repeatable` (sending it twice has the same effect and answer) or as `once`, which throws `store_unreachable`, so
 * that the run parks.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { escapeIdentifier, Pool, type PoolClient, type QueryResultRow, types } from 'pg';
import type { ProcessIdentity } from '../process-identity.ts';
import { isConnectionLost, isUndone, postgresError } from './errors.ts';
import { message } from '../../messages/message.ts';
import { OUTAGE_TOLD_AFTER_MS, outageWait, STORE_OUTAGE_MS, type StoreOutageOptions } from '../store-away.ts';
import type { PostgresLocation } from './location.ts';
import type { ChangeOptions, Insertion, Session, Statement, Steps } from '../sql/session.ts';
import { fromText, toText } from './text.ts';

/** A command uses two or three. The jobs of a worker share them, because commits are short. */
const MAX_CONNECTIONS = 6;
const CONNECT_TIMEOUT_MS = 10_000;
/** Longer than any statement waits for a lock, and shorter than TCP takes to notice a dead host. */
const ANSWER_TIMEOUT_MS = 60_000;
const RECONNECT_PAUSE_MS = 250;
/** If two statements abort each other more often than this, it is a defect. */
const MAX_UNDONE = 8;

/**
 * Settings of each session, overriding those of the role or database. An intent must be on disk when its commit
 * returns, so `off` becomes `on`; anything stronger stays. The timeouts end the transaction of a client whose host
 * vanished, and the wait for a lock that is never released; statements themselves have no limit.
 */
const SESSION = `SELECT
  set_config('synchronous_commit', CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on'
    ELSE current_setting('synchronous_commit') END, false),
  set_config('default_transaction_isolation', 'read committed', false),
  set_config('idle_in_transaction_session_timeout', '60s', false),
  set_config('lock_timeout', '30s', false),
  set_config('statement_timeout', '0', false)`;

const INT8 = 20;

/** The current time by the database's clock, ms since the epoch, because the clocks of machines differ. */
export const NOW = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

export class Database implements Session {
  readonly location: PostgresLocation;
  readonly pool: Pool;
  readonly schema: string;
  readonly now = NOW;
  readonly isFile = false;
  /**
   * Monotonic ms since which no statement was answered: a statement that joins an outage does not start its own wait.
   */
  #lostSince: number | undefined;
  readonly #outageMs: number;
  readonly #onOutage: NonNullable<StoreOutageOptions['onOutage']>;
  readonly #signal: AbortSignal | undefined;
  #outageReported = false;

  /** @param options.answerTimeoutMs longest wait for an answer; 0 for no limit */
  constructor(location: PostgresLocation, options: StoreOutageOptions & { answerTimeoutMs?: number } = {}) {
    this.location = location;
    this.#outageMs = location.reconnectMs ?? options.outageMs ?? STORE_OUTAGE_MS;
    this.#onOutage = options.onOutage ?? (() => undefined);
    this.#signal = options.signal;
    this.schema = escapeIdentifier(location.schema);
    this.pool = new Pool({
      connectionString: location.url,
      max: MAX_CONNECTIONS,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: options.answerTimeoutMs ?? ANSWER_TIMEOUT_MS,
      keepAlive: true,
      // Idle connections do not keep the process alive.
      allowExitOnIdle: true,
      fallback_application_name: 'shelflift',
      types: { getTypeParser },
      onConnect: (client) => client.query(SESSION) as unknown as void,
    });
    // An idle connection that is lost is replaced on the next use.
    this.pool.on('error', () => undefined);
    // For a connection in use, the statement reports the error.
    this.pool.on('connect', (client) => client.on('error', () => undefined));
  }

  /**
   * Runs a statement that may be sent twice: a read, or a change with the same effect and answer.
   *
   * @param withinMs how long to wait for a lost server
   * @throws ShelfliftError `store_unreachable` after this wait
   */
  repeatable<Row extends QueryResultRow>(statement: Statement, withinMs?: number): Promise<Row[]> {
    return this.#patiently(() => this.#run((client) => ask<Row>(client, statement)), withinMs);
  }

  read<Row>(statement: Statement, withinMs?: number): Promise<Row[]> {
    return this.repeatable(statement, withinMs) as Promise<Row[]>;
  }

  /** Changes that may be durable later are durable at once here: an answer waits for the network anyway. */
  change<Row>(step: Statement | Insertion, { withinMs, once }: ChangeOptions = {}): Promise<Row[]> {
    const statement = this.#statement(step);
    return (once === true ? this.once(statement) : this.repeatable(statement, withinMs)) as Promise<Row[]>;
  }

  together<T>(steps: () => Steps<T>, { withinMs }: ChangeOptions = {}): Promise<T> {
    const work = async (client: PoolClient) => {
      const going = steps();
      await client.query('BEGIN');
      let step = going.next();
      while (step.done !== true) step = going.next(await ask(client, this.#statement(step.value)));
      await client.query('COMMIT');
      return step.value;
    };
    return this.#patiently(() => this.#run(work, true), withinMs);
  }

  #statement(step: Statement | Insertion): Statement {
    if (!('lines' in step)) return step;
    const { table, columns, lines, onConflict } = step;
    const names = Object.keys(columns);
    const arrays = names.map((name, index) => `$${index + 1}::${columns[name]}[]`).join(', ');
    return {
      text: `INSERT INTO ${this.schema}.${table} (${names.join(', ')})
        SELECT * FROM unnest(${arrays}) ON CONFLICT ${onConflict}`,
      values: names.map((_, index) => lines.map((line) => line[index])),
    };
  }

  /** The machine without the host name, which several machines may share. */
  machineOf({ machine }: ProcessIdentity): string | undefined {
    return machine;
  }

  among(query: string): string {
    return `= ANY (ARRAY(${query}))`;
  }

  /** PostgreSQL's JSON functions refuse NUL, which a cell may contain. */
  json(column: string, ...path: string[]): string {
    return String.raw`replace(${column}, '\u0000', '\ufffd')::json #>> '{${path.join(',')}}'`;
  }

  toText(text: string): string {
    return toText(text);
  }

  fromText(text: string): string {
    return fromText(text);
  }

  /** Runs a statement that must not be sent twice. @throws ShelfliftError `store_unreachable` if in doubt */
  async once<Row extends QueryResultRow>(statement: Statement): Promise<Row[]> {
    try {
      return await this.#run((client) => ask<Row>(client, statement));
    } catch (error) {
      throw postgresError(error, this.location.shown);
    }
  }

  /** Runs a transaction on one connection; rolls it back if `work` throws. */
  async transaction<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.pool.connect().catch((error: unknown) => {
      throw postgresError(error, this.location.shown);
    });
    try {
      await client.query('BEGIN');
      const result = await work(client);
      await client.query('COMMIT');
      client.release();
      return result;
    } catch (error) {
      // Closing the connection is a rollback that works in every state.
      client.release(true);
      throw postgresError(error, this.location.shown);
    }
  }

  async close(): Promise<void> {
    if (!this.pool.ended) await this.pool.end();
  }

  /** Repeats work whose connection was lost. */
  async #patiently<T>(work: () => Promise<T>, withinMs = this.#outageMs): Promise<T> {
    for (;;) {
      try {
        const result = await work();
        this.#lostSince = undefined;
        this.#outageReported = false;
        return result;
      } catch (error) {
        if (!isConnectionLost(error)) throw postgresError(error, this.location.shown);
        this.#lostSince ??= performance.now();
        const waited = performance.now() - this.#lostSince;
        if (waited >= outageWait(withinMs, this.#signal)) throw postgresError(error, this.location.shown);
        if (waited >= OUTAGE_TOLD_AFTER_MS && !this.#outageReported) {
          this.#outageReported = true;
          const seconds = Math.round(withinMs / 1000);
          this.#onOutage(message('store_away_waiting', { store: this.location.shown, seconds }));
        }
        await sleep(RECONNECT_PAUSE_MS);
      }
    }
  }

  /**
   * Repeats work that the server has rolled back. @param isOpen closing the connection is a rollback that works in
   * every state
   */
  async #run<T>(work: (client: PoolClient) => Promise<T>, isOpen = false): Promise<T> {
    for (let undone = 0; ; undone += 1) {
      const client = await this.pool.connect();
      try {
        const result = await work(client);
        client.release();
        return result;
      } catch (error) {
        client.release(isOpen || isConnectionLost(error));
        if (!isUndone(error) || undone >= MAX_UNDONE) throw error;
      }
    }
  }
}

async function ask<Row extends QueryResultRow>(
  client: PoolClient,
  { name, text, values = [] }: Statement,
): Promise<Row[]> {
  const config = { text, values: [...values], ...(name === undefined ? {} : { name }) };
  return (await client.query<Row>(config)).rows;
}

/** All int8 values here are far below 2^53, so they are parsed as numbers. */
const getTypeParser: typeof types.getTypeParser = ((oid: number, format?: 'text' | 'binary') =>
  oid === INT8 ? Number : types.getTypeParser(oid, format)) as typeof types.getTypeParser;
