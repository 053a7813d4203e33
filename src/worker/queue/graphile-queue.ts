/**
 * The queue of many machines: graphile-worker on the store's PostgreSQL hands runs to workers as they are added.
 *
 * The store's own entries (store-queue.ts) say what there is to do, and last until a run has ended; graphile-worker
 * says when to look, at once and to one worker, and keeps the runs of a queue one after the other by its named
 * queues. What it cannot know is looked for every few seconds: a worker that died. Its own jobs of a dead worker stay
 * locked for four hours (graphile-worker, "resetLockedAt"), so they are unlocked by whoever notices; nothing waits
 * for that, as the entry is taken by its lease.
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

/** How often entries are looked for that nobody was told of: those of dead workers. */
const SWEEP_MS = 5_000;
/**
 * Each of as many as run at a time asks so often by itself, for what was due later. New runs are told of at once, and
 * entries are looked for anyway: at 2 s an idle worker asked a thousand times a minute.
 */
const POLL_MS = 30_000;
const RESTART_MS = 1_000;
/** SQLSTATE insufficient_privilege. */
const NO_RIGHTS = '42501';
const POOLS = 'graphile-pools';
const TASK = 'shelflift:';
/**
 * graphile-worker tells the database what has ended in the background. Without a batch, be it of one, nobody handles
 * the error of that statement, and a database that went away ends the process (0.18, worker.js: `completeJob(job)`).
 */
const WHEN_ENDED = { completeJobBatchDelay: 0, failJobBatchDelay: 0 };

type Entry = Pick<Run, 'id' | 'queue' | 'priority' | 'notBefore'>;

export class GraphileQueue implements Queue {
  readonly #ledger: Ledger;
  readonly #entries: StoreQueue;
  readonly #store: PostgresLocation;
  readonly #clock: Clock;
  readonly #ready: QueueLease[] = [];
  /** undefined inside where the role may not make graphile-worker's schema: then the entries alone are looked at. */
  #utils: Promise<WorkerUtils | undefined> | undefined;
  #runner: Runner | undefined;
  #closed = false;
  #sweptAt = Number.NEGATIVE_INFINITY;
  /** Held as long as this process lives: others see by it that it does. */
  #alive: Lease | undefined;
  readonly #poolIds: string[] = [];
  readonly #instance = `worker-${newJobId()}`;

  /** @param store the ledger's; graphile-worker gets a schema of its own beside that of the ledger */
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
    // Whatever else there is, is looked for at once.
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
    // The runner waits for what it has handed over, also where nobody has taken it.
    for (const lease of this.#ready.splice(0)) await lease.abandon();
    await this.#runner?.stop().catch(() => undefined);
    await this.#ledger.values.remove(POOLS, this.#poolIds).catch(() => undefined);
    await this.#alive?.release();
    const utils = await this.#utils?.catch(() => undefined);
    await utils?.release();
  }

  #utilities(): Promise<WorkerUtils | undefined> {
    // Making them makes their tables, too.
    this.#utils ??= makeWorkerUtils(this.#settings()).catch((error: unknown) => {
      if (codeOf(error) === NO_RIGHTS) return undefined;
      this.#utils = undefined;
      return this.#asOurs(error);
    });
    return this.#utils;
  }

  /** graphile-worker hands on what the driver says: what passes is waited for only under its name. */
  readonly #asOurs = (error: unknown): never => {
    throw postgresError(error, this.#store.shown);
  };

  #settings() {
    return { connectionString: this.#store.url, schema: `${this.#store.schema}_queue`, logger: SILENT };
  }

  /** The entry is in the store already: who cannot be told now finds it at his next sweep. */
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
          // Truth is in the store: what fails here is swept up, not tried again.
          maxAttempts: 1,
        },
      );
    } catch {
      // The server went away.
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
      // The named queue stays taken until the turn has ended.
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

  /** A runner ends by itself when its database goes away: another one takes its place once that is back. */
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
        // Not there yet.
      }
    }
  }

  /** A run that is put back is told of again, at its time. */
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

  /** Frees what graphile-worker keeps locked for workers that are gone. */
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

/** Deliveries have a queue each, so they share a task. */
function taskOf(queue: string): string {
  return TASK + (queue.startsWith(DELIVER) ? DELIVER : queue);
}

/** What it has to say is said by the worker's own events. */
const SILENT = new Logger(() => () => undefined);
