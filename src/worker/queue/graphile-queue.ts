/**
 * The queue on PostgreSQL: graphile-worker's, in a schema beside the store's.
 *
 * It holds an entry for each run that has not ended, knows which one is due, hands each to one worker (SKIP LOCKED),
 * reads before imports, and keeps the runs of a key one after the other (its named queues). What it leaves to us:
 *
 * - It does not notice a dead worker: its locks stay for four hours. Each pool of runners holds a lease of ours under
 *   its own name, and whoever finds one without a heartbeat unlocks what that pool had.
 * - Its locks are no proof: a worker that stood still may wake up and go on. So each run needs the lease of its lane,
 *   as on SQLite, and the run's record is written by compare-and-set. An entry too many costs a look, never a run.
 * - It asks for due runs from every idle runner. Here one of them is nudged once a second instead.
 *
 * Decision 17 has the reasons.
 */
import { createHash, randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type JobHelpers,
  Logger,
  makeWorkerUtils,
  runTaskList,
  type WorkerEvents,
  type WorkerPool,
} from 'graphile-worker';
import { UsageError } from '../../errors.ts';
import { LeaseLostError } from '../../ledger/ledger.ts';
import { codeOf, postgresError } from '../../ledger/postgres/errors.ts';
import type { Database } from '../../ledger/postgres/database.ts';
import type { PostgresLedger } from '../../ledger/postgres/postgres-ledger.ts';
import { DELIVER, type Entry, KEY, type Queue, type QueueLease, type Service } from './queue.ts';
import { OPEN_STATES, type Run } from './run.ts';
import type { Runs } from './runs.ts';
import { entryOf, QUEUES } from './store-queue.ts';

/** How long a due run waits at most until a worker that is free looks. */
const LOOK_MS = 1_000;
/** How often dead workers and imports that have waited too long are looked for. */
const SWEEP_MS = 5_000;
/** An import that has waited this long goes before reads, so that frequent exports do not starve imports. */
const WRITE_PATIENCE_S = 30;
/** Idle runners ask by themselves this often; they are nudged long before. */
const POLL_MS = 60_000;
const RESTART_MS = 1_000;
/** When to try again to take a run whose lane somebody else holds: a manual run, or the run of a worker that died. */
const LANE_BUSY_MS = 2_000;
/** After an error of the store. */
const REST_MS = 1_000;
/** SQLSTATE insufficient_privilege. */
const NO_RIGHTS = '42501';
/** Prefix of the lanes that the pools of live workers hold. */
const POOL = 'worker:';
const TASK = 'shelflift:';
/** Lower is earlier. */
const PRIORITIES = { overdue: -1, read: 0, write: 1 } as const;
/** An entry stays until its run has ended, however often it was handed out (int2's greatest). */
const MOST_ATTEMPTS = 32_767;
/** Longest name of a queue or a task. */
const NAME_LENGTH = 128;
/** Entries per statement when many are moved. */
const BATCH = 2_000;
/**
 * graphile-worker records ended jobs in the background. Without batches, even of one, nobody handles an error of that
 * statement, so losing the database would end the process (0.18, worker.js: `completeJob(job)`).
 */
const WHEN_ENDED = { completeJobBatchDelay: 0, failJobBatchDelay: 0 };

interface Payload {
  /** Absent in entries of earlier versions, whose key says it. */
  run?: string;
  queue: string;
  priority?: Run['priority'];
}

/** What `add_job` gets, as JSON. */
interface Spec {
  key: string;
  task: string;
  /** Null for a delivery: nothing else is in its queue. */
  named: string | null;
  delay_ms: number;
  level: number;
  payload: Payload;
}

export class GraphileQueue implements Queue {
  readonly #ledger: PostgresLedger;
  readonly #db: Database;
  readonly #settings: ReturnType<typeof settingsOf>;
  /** Quoted name of graphile-worker's schema. */
  readonly #schema: string;
  readonly #ready: QueueLease[] = [];
  #service: Service | undefined;
  #woken: () => void = () => undefined;
  #pool: WorkerPool | undefined;
  /** Pools, until they have ended and what they had is unlocked. */
  readonly #pools = new Set<Promise<void>>();
  #stopped = false;
  #sweptAt = Number.NEGATIVE_INFINITY;
  #nudgedAt = Number.NEGATIVE_INFINITY;

  private constructor(ledger: PostgresLedger) {
    this.#ledger = ledger;
    this.#db = ledger.database;
    this.#settings = settingsOf(this.#db);
    this.#schema = `"${this.#settings.schema}"`;
  }

  /**
   * Makes graphile-worker's tables where they are missing, and takes over what an earlier version has queued.
   *
   * @returns undefined if the role may not make the schema, and nobody else has
   * @throws UsageError `store_no_rights` if somebody has
   */
  static async open(
    ledger: PostgresLedger,
    warn: (message: string) => void,
  ): Promise<GraphileQueue | undefined> {
    const queue = new GraphileQueue(ledger);
    const { database } = ledger;
    const { schema } = queue.#settings;
    const { shown } = database.location;
    try {
      await makeTables(database, queue.#settings);
    } catch (error) {
      if (codeOf(error) !== NO_RIGHTS) throw postgresError(error, shown);
      const [found] = await database.repeatable<{ role: string; there: boolean }>({
        text: `SELECT quote_ident(current_user) AS role, EXISTS (SELECT FROM pg_class c JOIN pg_namespace n
                 ON n.oid = c.relnamespace WHERE n.nspname = $1) AS there`,
        values: [schema],
      });
      const role = found?.role ?? 'the role';
      if (found?.there === true)
        throw new UsageError('store_no_rights', `${shown}: ${role} may not use the schema ${schema}.`, {
          cause: error,
          remedy: `Ask its owner to make ${role} a member of the role that owns it.`,
        });
      warn(
        `${role} may not make the schema ${schema} in ${shown}, so the queue is kept without graphile-worker, which serves some dozens of keys. For more, ask the owner of the database to run: CREATE SCHEMA ${schema} AUTHORIZATION ${role}`,
      );
      return undefined;
    }
    await queue.#adopt();
    return queue;
  }

  enqueue(run: Run, runs: Runs): Promise<boolean> {
    const value = this.#spec(run);
    return runs.add(run, (record) =>
      this.#ledger.runs.addWith(record, { sql: (spec) => this.#call(spec), value }),
    );
  }

  async add(entry: Entry, before?: number): Promise<void> {
    // A watched folder repeats itself every few seconds: what is there stays as it is.
    const unless = `WHERE NOT EXISTS (SELECT FROM ${this.#schema}._private_jobs j
      JOIN ${this.#schema}._private_tasks t ON t.id = j.task_id
      WHERE j.key = $1::json ->> 'key' AND t.identifier = $1::json ->> 'task')`;
    await this.#db.repeatable({
      text: `SELECT ${this.#call('$1::json')} ${before === undefined ? unless : ''}`,
      values: [JSON.stringify(this.#spec(entry))],
    });
  }

  async start(service: Service, woken: () => void): Promise<void> {
    this.#service = service;
    this.#woken = woken;
    if (service.once) await this.#makeAllDue(service);
    await this.#unlockOrphans();
    await this.#serve(service);
  }

  async take(): Promise<QueueLease | undefined> {
    const now = performance.now();
    const ready = this.#ready.shift();
    // Where one is due, others may be, and there may be room for them.
    if (ready !== undefined || now - this.#nudgedAt >= LOOK_MS) this.#nudge();
    if (ready === undefined && now - this.#sweptAt >= SWEEP_MS) {
      await this.#sweep();
      this.#sweptAt = performance.now();
    }
    return ready;
  }

  async readWaits(lane: string, service: Service): Promise<boolean> {
    const queues = service.queues.filter((queue) => service.laneOf(queue) === lane);
    const [found] = await this.#db.repeatable<{ waits: boolean }>({
      text: `SELECT EXISTS (SELECT FROM ${this.#schema}._private_jobs j
               JOIN ${this.#schema}._private_tasks t ON t.id = j.task_id
               WHERE j.is_available AND j.priority = $3 AND j.run_at <= now() AND t.identifier = ANY ($1::text[])
                 AND (j.flags ?| $2::text[]) IS NOT TRUE) AS waits`,
      values: [queues.map(taskOf), [...service.left], PRIORITIES.read],
    });
    return found?.waits === true;
  }

  async nextAt(service: Service): Promise<number | undefined> {
    const [found] = await this.#db.repeatable<{ ms: number | null }>({
      text: `SELECT (extract(epoch FROM min(j.run_at) - now()) * 1000)::float8 AS ms
             FROM ${this.#schema}._private_jobs j JOIN ${this.#schema}._private_tasks t ON t.id = j.task_id
             WHERE t.identifier = ANY ($1::text[]) AND (j.flags ?| $2::text[]) IS NOT TRUE
               AND j.attempts < j.max_attempts`,
      values: [tasksOf(service), [...service.left]],
    });
    const ms = found?.ms ?? undefined;
    return ms === undefined ? undefined : service.now() + ms;
  }

  async repair(runs: Runs): Promise<void> {
    await this.#adopt();
    await this.#unlockOrphans();
    for (;;) {
      const lost = await this.#db.repeatable<{ id: string }>({
        text: `SELECT id FROM ${this.#db.schema}.runs r WHERE state = ANY ($1::text[])
                 AND NOT EXISTS (SELECT FROM ${this.#schema}._private_jobs j WHERE j.key = r.id) LIMIT ${BATCH}`,
        values: [[...OPEN_STATES]],
      });
      for (const { id } of lost) {
        const run = await runs.get(id);
        if (run !== undefined) await this.add(run);
      }
      if (lost.length < BATCH) break;
    }
    // Left by workers that died after they had put a run back: the newer entry counts.
    await this.#db.repeatable({
      text: `DELETE FROM ${this.#schema}._private_jobs WHERE attempts >= max_attempts AND locked_at IS NULL`,
    });
  }

  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    if (this.#pool !== undefined) shutDown(this.#pool);
    for (const lease of this.#ready.splice(0)) void lease.abandon();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stop();
    await Promise.all(this.#pools);
  }

  /** A pool of runners: each has one run at a time, and keeps its named queue locked until the run has ended. */
  async #serve(service: Service): Promise<void> {
    const events: WorkerEvents = new EventEmitter();
    const handle = (payload: unknown, helpers: JobHelpers) =>
      this.#handle(payload as Payload, helpers, service);
    const pool = runTaskList(
      {
        ...this.#settings,
        preset: { worker: WHEN_ENDED },
        noHandleSignals: true,
        concurrency: service.parallel,
        pollInterval: POLL_MS,
        forbiddenFlags: () => [...service.left],
        events,
      },
      Object.fromEntries(tasksOf(service).map((task) => [task, handle])),
      this.#db.pool,
    );
    this.#pool = pool;
    let isOver = false;
    const over = () => {
      if (isOver) return;
      isOver = true;
      if (!this.#stopped) void this.#serveAgain(service);
    };
    // It ends by itself if the database goes away while a run ends. Its other runs go on, beside a new pool.
    events.on('pool:gracefulShutdown', over);
    const ended = pool.promise.catch(() => undefined).then(over);
    const alive = this.#ledger.lanes.acquire(POOL + pool.id, pool.id);
    const gone = Promise.allSettled([alive, ended]).then(async ([lease]) => {
      await this.#unlock([pool.id]).catch(() => undefined);
      if (lease.status === 'fulfilled' && 'token' in lease.value) await lease.value.release();
    });
    this.#pools.add(gone);
    void gone.then(() => this.#pools.delete(gone));
    try {
      await alive;
    } catch (error) {
      isOver = true;
      shutDown(pool);
      throw error;
    }
    if (this.#stopped) shutDown(pool);
  }

  async #serveAgain(service: Service): Promise<void> {
    while (!this.#stopped) {
      await sleep(RESTART_MS);
      try {
        if (!this.#stopped) await this.#serve(service);
        return;
      } catch {
        // Not back yet.
      }
    }
  }

  /** Lasts as long as the run: graphile-worker then deletes its entry. */
  async #handle({ run, queue, priority }: Payload, { job }: JobHelpers, service: Service): Promise<void> {
    const lane = service.laneOf(queue);
    const id = run ?? job.key;
    if (lane === undefined || id === null) return;
    const entry = { id, queue, priority: priority ?? (job.priority === PRIORITIES.write ? 'write' : 'read') };
    const again = (afterMs: number) =>
      this.#surely(() => this.#put({ ...entry, notBefore: service.now() + afterMs }));
    if (this.#stopped) return again(0);
    const turn = await this.#surely(() =>
      this.#ledger.lanes.acquire(`turn:${lane}`, `turn-${randomBytes(4).toString('hex')}`),
    );
    if (!('token' in turn)) return again(LANE_BUSY_MS);
    const { promise: ended, resolve: end } = Promise.withResolvers<'finished' | 'abandoned'>();
    const leave = async () => {
      await turn.release();
      end('finished');
    };
    const lease: QueueLease = {
      runId: id,
      lane,
      queue,
      priority: entry.priority,
      hold: () => turn.renew(),
      finish: leave,
      putBack: async (notBefore, elsewhere = queue) => {
        await this.#put({ ...entry, queue: elsewhere, notBefore });
        await leave();
      },
      abandon: async () => end('abandoned'),
    };
    this.#ready.push(lease);
    if (this.#stopped) this.#ready.pop();
    else this.#woken();
    if (this.#stopped || (await ended) === 'abandoned') {
      // If another worker has taken over, the entry is that worker's: the error leaves it locked.
      await this.#surely(() => turn.renew());
      await again(this.#stopped ? 0 : REST_MS);
      await turn.release();
    }
  }

  /** Tries until it works: an entry that graphile-worker counts as failed waits for up to six hours. */
  async #surely<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (this.#stopped || error instanceof LeaseLostError) throw error;
      }
      await sleep(REST_MS);
    }
  }

  /** Adds an entry in place of the one that there is. */
  #put(entry: Entry): Promise<void> {
    return this.add(entry, entry.notBefore);
  }

  #nudge(): void {
    this.#nudgedAt = performance.now();
    try {
      this.#pool?.nudge(1);
    } catch {
      // It is ending.
    }
  }

  async #sweep(): Promise<void> {
    for (const lane of await this.#ledger.lanes.abandoned(POOL)) {
      const lease = await this.#ledger.lanes.acquire(lane, lane.slice(POOL.length));
      if (!('token' in lease)) continue;
      await this.#unlock([lane.slice(POOL.length)]);
      await lease.release();
    }
    await this.#db.repeatable({
      text: `SELECT count(*) FROM ${this.#schema}.reschedule_jobs(ARRAY(
               SELECT id FROM ${this.#schema}._private_jobs WHERE is_available AND priority = $1
                 AND run_at < now() - ${WRITE_PATIENCE_S} * interval '1 s' LIMIT ${BATCH}), priority => $2)`,
      values: [PRIORITIES.write, PRIORITIES.overdue],
    });
  }

  /** Unlocks what pools had that hold no lease: one that died within its first moment, or came back from the dead. */
  async #unlockOrphans(): Promise<void> {
    const found = await this.#db.repeatable<{ pool: string }>({
      text: `SELECT DISTINCT locked_by AS pool FROM (
               SELECT locked_by, locked_at FROM ${this.#schema}._private_jobs
               UNION ALL SELECT locked_by, locked_at FROM ${this.#schema}._private_job_queues) each
             WHERE locked_at < now() - interval '1 minute'
               AND NOT EXISTS (SELECT FROM ${this.#db.schema}.lanes WHERE lane = $1 || locked_by)`,
      values: [POOL],
    });
    if (found.length > 0) await this.#unlock(found.map(({ pool }) => pool));
  }

  async #unlock(pools: readonly string[]): Promise<void> {
    await this.#db.repeatable({
      text: `SELECT ${this.#schema}.force_unlock_workers($1::text[])`,
      values: [pools],
    });
  }

  /** `--once` tries at once what others have put back for later. */
  async #makeAllDue(service: Service): Promise<void> {
    await this.#db.repeatable({
      text: `SELECT count(*) FROM ${this.#schema}.reschedule_jobs(ARRAY(
               SELECT j.id FROM ${this.#schema}._private_jobs j JOIN ${this.#schema}._private_tasks t ON t.id = j.task_id
               WHERE j.is_available AND j.run_at > now() AND t.identifier = ANY ($1::text[])), run_at => now())`,
      values: [tasksOf(service)],
    });
  }

  /** Takes over the entries of an earlier version, or of a role that could not make this schema. */
  async #adopt(): Promise<void> {
    const { schema } = this.#db;
    for (let adopted = BATCH; adopted === BATCH; ) {
      adopted = await this.#db.transaction(async (client) => {
        const { rows } = await client.query<{ space: string; key: string }>(
          `DELETE FROM ${schema}.key_values WHERE (space, key) IN (SELECT space, key FROM ${schema}.key_values
             WHERE space >= $1 AND space <= $2 LIMIT ${BATCH}) RETURNING space, key`,
          [QUEUES, `${QUEUES}\u{10ffff}`],
        );
        const specs = rows.map(({ space, key }) => this.#spec(entryOf(space, key)));
        await client.query(`SELECT ${this.#call('spec')} FROM json_array_elements($1::json) AS spec`, [
          JSON.stringify(specs),
        ]);
        return rows.length;
      });
    }
  }

  #spec({ id, queue, priority, notBefore }: Entry): Spec {
    const lane =
      this.#service?.laneOf(queue) ?? (queue.startsWith(KEY) ? queue.slice(KEY.length) : undefined);
    return {
      key: id,
      task: taskOf(queue),
      named: queue.startsWith(DELIVER) ? null : short(lane === undefined ? queue : `lane:${lane}`),
      // By the database's clock: those of machines differ.
      delay_ms: notBefore - (this.#service?.now() ?? Date.now()),
      level: PRIORITIES[priority],
      payload: { run: id, queue, priority },
    };
  }

  /** @param spec SQL of a Spec as JSON */
  #call(spec: string): string {
    return `(${this.#schema}.add_job(identifier => ${spec} ->> 'task', payload => ${spec} -> 'payload',
      queue_name => ${spec} ->> 'named', run_at => now() + (${spec} ->> 'delay_ms')::float8 * interval '1 ms',
      max_attempts => ${MOST_ATTEMPTS}, job_key => ${spec} ->> 'key', priority => (${spec} ->> 'level')::int,
      flags => ARRAY[${spec} ->> 'key'])).id`;
  }
}

function settingsOf({ location }: Database) {
  // The worker's own events report everything.
  return { schema: `${location.schema}_queue`, logger: new Logger(() => () => undefined) };
}

/** Costs two reads if the tables are up to date. */
async function makeTables({ pool }: Database, settings: ReturnType<typeof settingsOf>): Promise<void> {
  const { rows } = await pool.query<{ schema: boolean; made: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = $1) AS schema,
       EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE n.nspname = $1 AND c.relname = 'migrations') AS made`,
    [settings.schema],
  );
  // As graphile-worker makes it, which asks for the right to make schemas even where there is one.
  if (rows[0]?.schema === true && !rows[0].made)
    await pool.query(`CREATE TABLE IF NOT EXISTS "${settings.schema}".migrations (id int PRIMARY KEY,
      ts timestamptz DEFAULT now() NOT NULL, breaking boolean NOT NULL DEFAULT false)`);
  const utils = await makeWorkerUtils({ ...settings, pgPool: pool });
  await utils.release();
}

function tasksOf({ queues }: Service): string[] {
  return [...queues, DELIVER].map(taskOf);
}

/** Each delivery has its own queue, so deliveries share a task. */
function taskOf(queue: string): string {
  return short(TASK + (queue.startsWith(DELIVER) ? DELIVER : queue));
}

function short(name: string): string {
  return name.length <= NAME_LENGTH ? name : createHash('sha256').update(name).digest('hex');
}

/** A pool that is being shut down refuses to be shut down again. */
function shutDown(pool: WorkerPool): void {
  void Promise.resolve(pool.gracefulShutdown()).catch(() => undefined);
}
