/**
 * The queue on PostgreSQL: graphile-worker's runners, and the leases that confirm their choices.
 *
 * graphile-worker holds an entry for each run that has not ended (graphile-entries.ts), knows which one is due, hands
 * each to one worker (SKIP LOCKED), and takes reads before imports. The rest is done here:
 *
 * - The turns of a key's runs: each run needs the lease of its lane, as on SQLite. A worker requests no entries of
 *   lanes that are held. If it receives one anyway, it returns it unchanged.
 * - It does not notice a dead worker: its locks stay for four hours. Each pool of runners holds a lease of ours under
 *   its own name, and whoever finds one without a heartbeat unlocks what that pool had.
 * - Its locks do not prove ownership: a suspended worker may resume and continue. So the run's record is written by
 *   compare-and-set, too. A surplus entry costs a check, but never causes a run.
 * - Every idle runner of graphile-worker polls for due runs. Here, one runner is nudged once per second instead.
 *
 * Decision 17 has the reasons.
 */
import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type JobHelpers, runTaskList, type WorkerEvents, type WorkerPool } from 'graphile-worker';
import { type Lease, LeaseLostError } from '../../ledger/ledger.ts';
import type { PostgresLedger } from '../../ledger/postgres/postgres-ledger.ts';
import { GraphileEntries, type Payload, TASK } from './graphile-entries.ts';
import type { Entry, Queue, QueueLease, Service } from './queue.ts';
import type { Run } from './run.ts';
import type { Runs } from './runs.ts';

/** Maximum time until a free worker notices a due run. */
const LOOK_MS = 1_000;
/** How often shelflift looks for dead workers, and for imports that have waited too long. */
const SWEEP_MS = 5_000;
/** Polling interval of idle runners; they are usually nudged long before. */
const POLL_MS = 60_000;
const RESTART_MS = 1_000;
/** Pause after an error of the store. */
const REST_MS = 1_000;
/** Prefix of the lanes that the pools of live workers hold. */
const POOL = 'worker:';
const TURN = 'turn:';
/**
 * graphile-worker records ended jobs in the background. Without batches, even of one, nobody handles an error of that
 * statement, so losing the database would end the process (0.18, worker.js: `completeJob(job)`).
 */
const WHEN_ENDED = { completeJobBatchDelay: 0, failJobBatchDelay: 0 };

export class GraphileQueue implements Queue {
  readonly #ledger: PostgresLedger;
  readonly #entries: GraphileEntries;
  readonly #ready: QueueLease[] = [];
  #woken: () => void = () => undefined;
  #pool: WorkerPool | undefined;
  /** Pools that have not ended, or whose entries are still locked. */
  readonly #pools = new Set<Promise<void>>();
  /** Lanes that this process has a run of. */
  readonly #busy = new Set<string>();
  /** Queues that this worker cannot serve although it received a run from them. */
  readonly #foreign = new Set<string>();
  #stopped = false;
  #sweptAt = Number.NEGATIVE_INFINITY;
  #nudgedAt = Number.NEGATIVE_INFINITY;

  private constructor(ledger: PostgresLedger, entries: GraphileEntries) {
    this.#ledger = ledger;
    this.#entries = entries;
  }

  /**
   * @returns undefined if the role may not make graphile-worker's schema, and it does not exist @throws UsageError
   * `store_no_rights` if it exists
   */
  static async open(
    ledger: PostgresLedger,
    warn: (message: string) => void,
  ): Promise<GraphileQueue | undefined> {
    const entries = await GraphileEntries.open(ledger.database, warn);
    return entries === undefined ? undefined : new GraphileQueue(ledger, entries);
  }

  enqueue(run: Run, runs: Runs): Promise<boolean> {
    return runs.add(run, (record) => this.#ledger.runs.addWith(record, this.#entries.alongside(run)));
  }

  /** A watched folder adds its entries every few seconds: without a new time, an existing entry stays as it is. */
  async add(entry: Entry, before?: number): Promise<void> {
    await this.#entries.add(entry, before !== undefined);
  }

  async start(service: Service, woken: () => void): Promise<void> {
    this.#entries.now = () => service.now();
    this.#woken = woken;
    if (service.once) await this.#entries.makeAllDue(service);
    await this.#unlockOrphans();
    await this.#serve(service);
  }

  async take(): Promise<QueueLease | undefined> {
    const now = performance.now();
    const ready = this.#ready.shift();
    // If one run is due, others may be due as well, and there may be room for them.
    if (ready !== undefined || now - this.#nudgedAt >= LOOK_MS) this.#nudge();
    if (ready === undefined && now - this.#sweptAt >= SWEEP_MS) {
      await this.#sweep();
      this.#sweptAt = performance.now();
    }
    return ready;
  }

  readWaits(lane: string, service: Service): Promise<boolean> {
    return this.#entries.readWaits(service.queuesOf(lane), [...service.left]);
  }

  nextAt(service: Service): Promise<number | undefined> {
    return this.#entries.nextAt(service);
  }

  async repair(runs: Runs): Promise<void> {
    await this.#entries.adopt();
    await this.#unlockOrphans();
    for (let lost = await this.#entries.lost(); lost.length > 0; lost = await this.#entries.lost()) {
      for (const id of lost) {
        const run = await runs.get(id);
        if (run !== undefined) await this.add(run);
      }
    }
    await this.#entries.removeReplaced();
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

  /** A pool of runners: each has one run at a time, and keeps its entry locked until the run has ended. */
  async #serve(service: Service): Promise<void> {
    const events: WorkerEvents = new EventEmitter();
    const handle = (payload: unknown, { job }: JobHelpers) => this.#handle(payload as Payload, job, service);
    const pool = runTaskList(
      {
        ...this.#entries.settings,
        preset: { worker: WHEN_ENDED },
        noHandleSignals: true,
        concurrency: service.parallel,
        pollInterval: POLL_MS,
        forbiddenFlags: oneAtATime(events, () => this.#unwanted(service)),
        events,
      },
      { [TASK]: handle },
      this.#ledger.database.pool,
    );
    this.#pool = pool;
    let isOver = false;
    const over = () => {
      if (isOver) return;
      isOver = true;
      if (!this.#stopped) void this.#serveAgain(service);
    };
    // It ends by itself if the database goes away while a run ends. Its other runs continue, next to a new pool.
    events.on('pool:gracefulShutdown', over);
    const ended = pool.promise.catch(() => undefined).then(over);
    const alive = this.#ledger.lanes.acquire(POOL + pool.id, pool.id);
    const gone = Promise.allSettled([alive, ended]).then(async ([lease]) => {
      await this.#entries.unlock([pool.id]).catch(() => undefined);
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
        // The database is not back yet.
      }
    }
  }

  /** Flags of entries that this worker does not want now. @throws errors of the store */
  async #unwanted(service: Service): Promise<string[]> {
    // Without the server no run can be handed out: the next nudge asks again.
    const { held } = await this.#ledger.lanes.beginningWith(TURN, 0);
    const lanes = new Set([...this.#busy, ...held.map((lane) => lane.slice(TURN.length))]);
    return [...service.left, ...this.#foreign, ...[...lanes].flatMap((lane) => service.queuesOf(lane))];
  }

  /** Handles one entry; when the run has ended, graphile-worker deletes the entry. */
  async #handle(payload: Payload, job: JobHelpers['job'], service: Service): Promise<void> {
    const giveBack = () => this.#surely(() => this.#entries.giveBack(payload, job));
    const lane = service.laneOf(payload.queue);
    if (lane === undefined) this.#foreign.add(payload.queue);
    // The previous pool, which is ending, may have asked at the same moment.
    if (lane === undefined || this.#stopped || this.#busy.has(lane)) return giveBack();
    this.#busy.add(lane);
    try {
      const turn = await this.#surely(() =>
        this.#ledger.lanes.acquire(TURN + lane, `turn-${randomBytes(4).toString('hex')}`),
      );
      if ('token' in turn) await this.#hold(turn, { ...payload, lane }, service);
      else await giveBack();
    } finally {
      this.#busy.delete(lane);
    }
  }

  /** Hands the run over, and waits until it has ended or was put back. */
  async #hold(turn: Lease, { run, queue, priority, lane }: Payload & { lane: string }, service: Service) {
    const put = (notBefore: number, into = queue) =>
      this.#entries.add({ id: run, queue: into, priority, notBefore }, true);
    const { promise: ended, resolve: end } = Promise.withResolvers<'finished' | 'abandoned'>();
    const leave = async () => {
      await turn.release();
      end('finished');
    };
    const lease: QueueLease = {
      runId: run,
      lane,
      queue,
      priority,
      hold: () => turn.renew(),
      finish: leave,
      putBack: async (notBefore, elsewhere) => {
        await put(notBefore, elsewhere);
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
      await this.#surely(() => put(service.now() + (this.#stopped ? 0 : REST_MS)));
      await turn.release();
    }
  }

  /** Repeats the work until it succeeds: an entry that graphile-worker counts as failed waits for up to six hours. */
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

  #nudge(): void {
    this.#nudgedAt = performance.now();
    try {
      this.#pool?.nudge(1);
    } catch {
      // The pool is ending.
    }
  }

  async #sweep(): Promise<void> {
    const { abandoned } = await this.#ledger.lanes.beginningWith(POOL);
    for (const lane of abandoned) {
      const lease = await this.#ledger.lanes.acquire(lane, lane.slice(POOL.length));
      if (!('token' in lease)) continue;
      await this.#entries.unlock([lane.slice(POOL.length)]);
      await lease.release();
    }
    await this.#entries.hasten();
  }

  async #unlockOrphans(): Promise<void> {
    const pools = await this.#entries.orphans(POOL);
    if (pools.length > 0) await this.#entries.unlock(pools);
  }
}

/**
 * Lets only one runner ask at a time, so that it knows which entry the previous runner received. Otherwise two runners
 * could receive two runs of one key, and the later run might win.
 */
function oneAtATime(events: WorkerEvents, unwanted: () => Promise<string[]>): () => Promise<string[]> {
  let last = Promise.resolve();
  let answered = () => undefined as void;
  for (const event of ['job:start', 'worker:getJob:empty', 'worker:getJob:error'] as const)
    events.on(event, () => answered());
  return async () => {
    const before = last;
    const { promise, resolve } = Promise.withResolvers<void>();
    last = promise;
    await before;
    answered = resolve;
    return unwanted();
  };
}

/** Shuts a pool down, once: a second call would fail. */
function shutDown(pool: WorkerPool): void {
  void Promise.resolve(pool.gracefulShutdown()).catch(() => undefined);
}
