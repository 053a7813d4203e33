/**
 * The queue for many machines: graphile-worker, on the store's PostgreSQL, hands runs to workers as they are added.
 *
 * The store's own entries (store-queue.ts) say what there is to do, and stay until a run has ended. graphile-worker
 * says when to look: at once, and to one worker. Its named queues keep the runs of a queue in sequence. It does not
 * notice a dead worker, so each worker looks for entries every few seconds. Jobs of a dead worker stay locked for
 * four hours in graphile-worker ("resetLockedAt"), so whoever notices unlocks them. Nothing waits for that, because
 * the lease decides who takes an entry.
 */
import { EventEmitter } from 'node:events';
import {
  makeWorkerUtils,
  run as runGraphile,
  type Runner,
  Logger,
  type WorkerEvents,
  type WorkerUtils,
} from 'graphile-worker';
import type { Clock } from '../../clock.ts';
import type { Ledger, Lease } from '../../ledger/ledger.ts';
import { codeOf, postgresError } from '../../ledger/postgres/errors.ts';
import type { PostgresLocation } from '../../ledger/postgres/location.ts';
import { newJobId } from '../../import/job/job-id.ts';
import { DELIVER, type Queue, type QueueLease, type Service } from './queue.ts';
import type { Run } from './run.ts';
import { StoreQueue } from './store-queue.ts';

/** How often to look for entries that nobody was notified of: those of dead workers. */
const SWEEP_MS = 5_000;
/**
 * How often each of the parallel runners polls for jobs that were due later. New runs are announced at once, and
 * entries are looked for anyway: polling every 2 s, an idle worker sent a thousand queries a minute.
 */
const POLL_MS = 30_000;
const RESTART_MS = 1_000;
/** SQLSTATE insufficient_privilege. */
const NO_RIGHTS = '42501';
const POOLS = 'graphile-pools';
const TASK = 'shelflift:';
/**
 * graphile-worker records ended jobs in the background. Without batches, even of one, nobody handles an error of that
 * statement, so losing the database would end the process (0.18, worker.js: `completeJob(job)`).
 */
const WHEN_ENDED = { completeJobBatchDelay: 0, failJobBatchDelay: 0 };

type Entry = Pick<Run, 'id' | 'queue' | 'priority' | 'notBefore'>;

export class GraphileQueue implements Queue {
  readonly #ledger: Ledger;
  readonly #entries: StoreQueue;
  readonly #store: PostgresLocation;
  readonly #clock: Clock;
  readonly #ready: QueueLease[] = [];
  /** Holds undefined if the role may not make graphile-worker's schema: then only the entries are looked at. */
  #utils: Promise<WorkerUtils | undefined> | undefined;
  #runner: Runner | undefined;
  #closed = false;
  #sweptAt = Number.NEGATIVE_INFINITY;
  /** Held while this process lives, which is how others know that it does. */
  #alive: Lease | undefined;
  readonly #poolIds: string[] = [];
  readonly #instance = `worker-${newJobId()}`;

  /** @param store the ledger's; graphile-worker gets its own schema beside the ledger's */
  constructor(ledger: Ledger, store: PostgresLocation, clock: Clock) {
    this.#ledger = ledger;
    this.#entries = new StoreQueue(ledger);
    this.#store = store;
    this.#clock = clock;
  }

  async add(entry: Entry, before?: number): Promise<void> {
    await this.#entries.add(entry, before);
    await this.#tell(entry);
  }

  async start(service: Service, woken: () => void): Promise<void> {
    if ((await this.#utilities()) === undefined) return;
    const lease = await this.#ledger.lanes.acquire(`worker:${this.#instance}`, this.#instance);
    if ('token' in lease) this.#alive = lease;
    await this.#serve(service, woken);
  }

  async take(service: Service): Promise<QueueLease | undefined> {
    const ready = this.#ready.shift();
    if (ready !== undefined) return ready;
    const now = this.#clock.monotonic();
    const told = (await this.#utilities()) !== undefined;
    if (told && now - this.#sweptAt < SWEEP_MS) return undefined;
    const lease = await this.#entries.take(service);
    // Looks at once for everything that is already there.
    if (lease !== undefined) return this.#telling(lease);
    this.#sweptAt = now;
    if (told) await this.#unlockDead();
    return undefined;
  }

  readWaits(lane: string, service: Service): Promise<boolean> {
    return this.#entries.readWaits(lane, service);
  }

  async repair(list: () => Promise<readonly Run[]>): Promise<void> {
    for (const run of await this.#entries.restore(list)) await this.#tell(run);
  }

  nextAt(service: Service): Promise<number | undefined> {
    return this.#entries.nextAt(service);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    // The runner waits for the jobs that it has handed over, even if nobody has taken them.
    for (const lease of this.#ready.splice(0)) await lease.abandon();
    await this.#runner?.stop().catch(() => undefined);
    await this.#ledger.values.remove(POOLS, this.#poolIds).catch(() => undefined);
    await this.#alive?.release();
    const utils = await this.#utils?.catch(() => undefined);
    await utils?.release();
  }

  #utilities(): Promise<WorkerUtils | undefined> {
    // This makes the tables, too.
    this.#utils ??= makeWorkerUtils(this.#settings()).catch((error: unknown) => {
      if (codeOf(error) === NO_RIGHTS) return undefined;
      this.#utils = undefined;
      return this.#asOurs(error);
    });
    return this.#utils;
  }

  /** graphile-worker passes the driver's errors on. Only our own codes are recognised as outages. */
  readonly #asOurs = (error: unknown): never => {
    throw postgresError(error, this.#store.shown);
  };

  #settings() {
    return { connectionString: this.#store.url, schema: `${this.#store.schema}_queue`, logger: SILENT };
  }

  /** The entry is already in the store: a worker that cannot be notified now finds it at its next sweep. */
  async #tell({ id, queue, priority, notBefore }: Entry): Promise<void> {
    try {
      const utils = await this.#utilities();
      await utils?.addJob(
        taskOf(queue),
        { queue },
        {
          queueName: queue,
          jobKey: id,
          runAt: new Date(notBefore),
          priority: priority === 'read' ? 0 : 1,
          // The store has the truth: failures here are found by the sweep, not retried.
          maxAttempts: 1,
        },
      );
    } catch {
      // The server is gone.
    }
  }

  async #serve(service: Service, woken: () => void): Promise<void> {
    const events: WorkerEvents = new EventEmitter();
    events.on('pool:create', ({ workerPool }) => {
      this.#poolIds.push(workerPool.id);
      void this.#ledger.values
        .put(POOLS, [{ key: workerPool.id, value: this.#instance }])
        .catch(() => undefined);
    });
    const handle = async (payload: unknown) => {
      const { queue } = payload as { queue: string };
      const lease = await this.#entries.take(service, queue);
      if (lease === undefined) return;
      if (this.#closed) {
        await lease.abandon();
        return;
      }
      // The named queue stays locked until the run has ended.
      await new Promise<void>((resolve) => {
        this.#ready.push(this.#telling(lease, resolve));
        woken();
      });
    };
    const tasks = [...service.queues, DELIVER].map(taskOf);
    const runner = await runGraphile({
      ...this.#settings(),
      preset: { worker: WHEN_ENDED },
      noHandleSignals: true,
      concurrency: service.parallel,
      pollInterval: POLL_MS,
      events,
      taskList: Object.fromEntries(tasks.map((task) => [task, handle])),
    }).catch(this.#asOurs);
    this.#runner = runner;
    if (this.#closed) await runner.stop();
    else void this.#serveOn(runner, service, woken);
  }

  /** A runner ends when its database goes away. Starts another one once the database is back. */
  async #serveOn(runner: Runner, service: Service, woken: () => void): Promise<void> {
    await runner.promise.catch(() => undefined);
    while (!this.#closed) {
      await this.#clock.sleep(RESTART_MS);
      if (this.#closed) return;
      try {
        await this.#unlock(this.#poolIds);
        this.#poolIds.length = 0;
        await this.#serve(service, woken);
        return;
      } catch {
        // Not back yet.
      }
    }
  }

  /** Announces a run that was put back again, at its time. */
  #telling(lease: QueueLease, ended: () => void = () => undefined): QueueLease {
    const after = async (work: Promise<void>) => {
      try {
        await work;
      } finally {
        ended();
      }
    };
    return {
      ...lease,
      finish: () => after(lease.finish()),
      abandon: () => after(lease.abandon()),
      putBack: (notBefore, queue = lease.queue) =>
        after(
          lease
            .putBack(notBefore, queue)
            .then(() => this.#tell({ id: lease.runId, queue, priority: lease.priority, notBefore })),
        ),
    };
  }

  /** Unlocks the graphile-worker jobs of dead workers. */
  async #unlockDead(): Promise<void> {
    const pools = await this.#ledger.values.list(POOLS, { limit: 500 });
    const dead = new Map<string, Lease>();
    const alive = new Set([this.#instance]);
    for (const instance of new Set(pools.map(({ value }) => value))) {
      if (alive.has(instance)) continue;
      const lease = await this.#ledger.lanes.acquire(`worker:${instance}`, this.#instance);
      if ('token' in lease) dead.set(instance, lease);
    }
    const ids = pools.filter(({ value }) => dead.has(value)).map(({ key }) => key);
    try {
      await this.#unlock(ids);
    } finally {
      for (const lease of dead.values()) await lease.release();
    }
  }

  async #unlock(pools: readonly string[]): Promise<void> {
    if (pools.length === 0) return;
    await (await this.#utilities())?.forceUnlockWorkers([...pools]).catch(this.#asOurs);
    await this.#ledger.values.remove(POOLS, pools);
  }
}

/** Each delivery has its own queue, so deliveries share a task. */
function taskOf(queue: string): string {
  return TASK + (queue.startsWith(DELIVER) ? DELIVER : queue);
}

/** The worker's own events report everything. */
const SILENT = new Logger(() => () => undefined);
