/**
 * The worker: looks at schedules and watched folders, takes runs whose turn it is, one a key, and ends them.
 *
 *   schedules ─┐                       ┌─▶ export ─▶ delivery
 *   folders  ──┼─▶ runs in the store ──┤
 *   submitted ─┘        (queue)        └─▶ import ─▶ done/ failed/
 */
import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Clock } from '../clock.ts';
import { ShelfliftError, UsageError } from '../errors.ts';
import { ExitCode } from '../exit-code.ts';
import type { RunOptions } from '../import/options.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { ReadConfig } from './config/read-config.ts';
import { catchUpOf } from './config/schema.ts';
import type { Place } from './delivery/place.ts';
import type { EmitWorker } from './events.ts';
import { Executor } from './executor.ts';
import { HotFolder, type Scan } from './hot-folders/hot-folder.ts';
import { Notifier } from './notify.ts';
import { type ClientSettings, type OwnTarget, Profiles } from './profiles.ts';
import { lanesOf, profileQueue, type Queue, type Service } from './queue/queue.ts';
import { isFinal, type Run } from './queue/run.ts';
import { Runs } from './queue/runs.ts';
import type { Spool } from './queue/spool.ts';
import { nextFire } from './schedule/fire-times.ts';
import { runOfFire, Schedules } from './schedule/schedules.ts';
import { isOfStore } from './store-failure.ts';
import { type WorkerEnd, worstOf } from './worker-end.ts';

export interface WorkerOptions {
  config: ReadConfig;
  ledger: Ledger;
  queue: Queue;
  spool: Spool;
  clock: Clock;
  /** Where keys and passwords are looked up. */
  environment: Record<string, string | undefined>;
  client: ClientSettings;
  /** A target that is in no configuration. */
  own?: OwnTarget;
  /** Options of every import. */
  run: RunOptions;
  /** End when nothing is left to do. */
  once: boolean;
  /** Aborted: take nothing new, and end within `graceMs`. */
  signal: AbortSignal;
  graceMs: number;
  emit: EmitWorker;
}

const LOOK_MS = 1_000;
const FOLDER_LOOK_MS = 250;
/** Where nothing has happened, folders are looked at all the same: a network share tells nothing. */
const FOLDER_REST_MS = 5_000;
/** `--once` waits for what may run again so soon. */
const ONCE_PATIENCE_MS = 60_000;
const ONCE_BACKOFF_MS = 1_000;
/** … and for what cannot be reached, such as a mail server, so long. The API was waited for by the run itself. */
const ONCE_OUTAGE_MS = 15_000;
/** A store that fails is looked at again after a second, then two, four … */
const LONGEST_STORE_WAIT_MS = 15_000;
/** `--once` is started again by others: it waits for a store no longer than this. */
const ONCE_STORE_PATIENCE_MS = 30_000;
/** What is no known failure may be a defect of ours, which no wait mends. */
const DEFECTS_BORNE = 10;
const FORGET_RUNS_MS = 90 * 86_400_000;
/** Files of no run: somebody may be submitting them just now. */
const FORGET_FILES_MS = 86_400_000;
const NOTICES_EVERY_MS = 60_000;
const UPKEEP_EVERY_MS = 3_600_000;
/** A run that the store refused is left alone for so long. */
const REST_MS = 1_000;
const REFUSALS_BORNE = 10;

/** @throws UsageError for a configuration that cannot be used; errors of the store */
export async function runWorker(options: WorkerOptions): Promise<WorkerEnd> {
  await using worker = new Worker(options);
  return await worker.run();
}

class Worker implements AsyncDisposable {
  readonly #options: WorkerOptions;
  readonly #profiles: Profiles;
  readonly #runs: Runs;
  readonly #schedules: Schedules;
  readonly #folders: HotFolder[];
  readonly #executor: Executor;
  readonly #service: Service;
  readonly #kill = new AbortController();
  readonly #running = new Map<string, Promise<void>>();
  readonly #ended: Run[] = [];
  /** Runs that this worker has put back, and until when: `--once` takes what others put back at once. */
  readonly #putBack = new Map<string, number>();
  /** Schedule → when it is to be looked at again. */
  readonly #nextLook = new Map<string, number>();
  #nextScan = 0;
  /** Watched folders that could not be read, and why. */
  readonly #away = new Map<string, string>();
  readonly #notifier: Notifier;
  #nextNotices = 0;
  /** What could not be told before, on its way. */
  #notices: Promise<void> = Promise.resolve();
  #nextUpkeep = 0;
  /** True from when the queue hands runs over. */
  #serving = false;
  /** Of the store since it last worked: how often it failed, and since when (monotonic ms). */
  #failures = 0;
  #failingSince = 0;
  /** Run → how often in turn the store has refused it. */
  readonly #refused = new Map<string, number>();
  /** Why `--once` gives up. */
  #given: unknown;
  #woken = false;
  #wake: () => void = () => {
    this.#woken = true;
  };

  constructor(options: WorkerOptions) {
    const { config, ledger, environment, emit, clock, once } = options;
    this.#options = options;
    this.#profiles = new Profiles(
      config,
      environment,
      // One clock for both: how long a key is limited is told by its client and judged by the import.
      { ...options.client, clock },
      {
        onRequest: (profile, record) => emit({ type: 'request', profile, record }),
        onPause: (profile, until) => emit({ type: 'limited', profile, until }),
      },
      options.own,
    );
    this.#runs = new Runs(ledger);
    this.#schedules = new Schedules(ledger);
    this.#folders = config.hotFolders.map(
      (folder) =>
        new HotFolder(folder, config.folder, {
          clock,
          enqueue: (run) => this.#enqueue(run),
          once,
          tell: (message) => emit({ type: 'warning', message }),
        }),
    );
    this.#service = {
      ...lanesOf(hostname(), this.#profiles.lanes),
      parallel: config.parallel,
      now: () => clock.now(),
      isLeft: (id) => this.#executor.hasLeft(id),
      isDue: (id, notBefore) => {
        if (this.#executor.hasLeft(id)) return false;
        const own = this.#putBack.get(id) ?? 0;
        return (once ? own : Math.max(own, notBefore)) <= clock.now();
      },
    };
    const place: Place = { configFolder: config.folder, environment, smtp: config.smtp };
    const around = { ledger, config, place, clock };
    const notifier = new Notifier(around, (message) => emit({ type: 'warning', message }));
    this.#notifier = notifier;
    this.#executor = new Executor({
      ...options,
      runs: this.#runs,
      service: this.#service,
      profiles: this.#profiles,
      place,
      backoffMs: once ? Math.min(ONCE_BACKOFF_MS, config.retries.backoff) : config.retries.backoff,
      tries: config.retries.tries,
      outagePatienceMs: once ? ONCE_OUTAGE_MS : Number.POSITIVE_INFINITY,
      notify: (subject, failed, message) => notifier.tell(subject, failed, message, this.#kill.signal),
    });
  }

  async run(): Promise<WorkerEnd> {
    const { config, emit, signal } = this.#options;
    emit({
      type: 'started',
      profiles: Object.keys(config.profiles),
      schedules: Object.keys(config.schedules),
      hotFolders: this.#folders.map(({ path }) => path),
    });
    const stop = () => {
      this.#wake();
    };
    signal.addEventListener('abort', stop);
    try {
      for (const folder of this.#folders)
        folder.start(
          () => {
            this.#nextScan = 0;
            this.#wake();
          },
          (error) => emit({ type: 'warning', message: `${folder.path}: ${(error as Error).message}` }),
        );
      for (;;) {
        if (signal.aborted) return await this.#stop();
        if (this.#given !== undefined) throw this.#given;
        const pause = await this.#turnAround();
        if (pause === undefined) break;
        await this.#sleep(pause);
      }
    } finally {
      signal.removeEventListener('abort', stop);
    }
    await this.#notices;
    return worstOf(this.#ended, this.#away);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#kill.abort(new ShelfliftError('interrupted', 'the worker ends'));
    await Promise.allSettled([...this.#running.values(), this.#notices]);
    for (const folder of this.#folders) await folder[Symbol.asyncDispose]();
    await this.#profiles[Symbol.asyncDispose]();
  }

  /** One look at everything. @returns how long to wait for the next one; undefined where nothing is left to do */
  async #turnAround(): Promise<number | undefined> {
    const { once, emit, queue } = this.#options;
    try {
      if (!this.#serving) await queue.start(this.#service, () => this.#wake());
      this.#serving = true;
      const unsteady = await this.#look();
      await this.#take();
      if (once && unsteady === 0 && this.#running.size === 0 && !(await this.#soon())) return undefined;
      this.#worked();
      return unsteady > 0 ? FOLDER_LOOK_MS : LOOK_MS;
    } catch (error) {
      return this.#failed(error);
    } finally {
      emit({ type: 'looked' });
    }
  }

  #worked(): void {
    const { clock, emit } = this.#options;
    if (this.#failures === 0) return;
    const seconds = Math.round((clock.monotonic() - this.#failingSince) / 1000);
    this.#failures = 0;
    emit({ type: 'warning', message: `the store works again, after ${seconds} s` });
  }

  /**
   * A database that restarts, a disk that is full, a file that is locked for a while: the worker goes on when they do.
   *
   * @returns how long to wait, ms
   * @throws the error, where waiting does not help
   */
  #failed(error: unknown): number {
    const { clock, emit, once } = this.#options;
    if (this.#failures === 0) this.#failingSince = clock.monotonic();
    this.#failures += 1;
    const passing = !(error instanceof UsageError) || error.code === 'store_locked';
    const tooLong = once && clock.monotonic() - this.#failingSince >= ONCE_STORE_PATIENCE_MS;
    const known = error instanceof ShelfliftError && error.exitCode !== ExitCode.defect;
    if (!passing || tooLong || (!known && this.#failures > DEFECTS_BORNE)) throw error;
    const wait = Math.min(LOOK_MS * 2 ** (this.#failures - 1), LONGEST_STORE_WAIT_MS);
    const again = `looking again in ${wait / 1000} s`;
    emit({ type: 'warning', message: `the store failed (${again}): ${(error as Error).message}` });
    return wait;
  }

  /** Enqueues what is due. @returns how many files in watched folders are still becoming whole */
  async #look(): Promise<number> {
    const { config, clock } = this.#options;
    const now = clock.now();
    if (clock.monotonic() >= this.#nextUpkeep) await this.#upkeep(now);
    if (clock.monotonic() >= this.#nextNotices) {
      this.#nextNotices = clock.monotonic() + NOTICES_EVERY_MS;
      // Nothing waits for a mail server.
      this.#notices = this.#notifier.sendAgain(this.#kill.signal).catch(() => undefined);
    }
    for (const [name, schedule] of Object.entries(config.schedules)) {
      if (now < (this.#nextLook.get(name) ?? 0)) continue;
      await this.#schedules.look(name, schedule, catchUpOf(schedule), now, (fire) =>
        this.#enqueue(runOfFire(fire, profileQueue(schedule.profile), now)),
      );
      // A clock that is put back must not silence a schedule: it is looked at once an hour at least.
      this.#nextLook.set(
        name,
        Math.min(nextFire(schedule, now) ?? Number.POSITIVE_INFINITY, now + 3_600_000),
      );
    }
    if (this.#folders.length === 0 || clock.monotonic() < this.#nextScan) return 0;
    let unsteady = 0;
    for (const folder of this.#folders) unsteady += await this.#scan(folder);
    this.#nextScan = unsteady > 0 ? 0 : clock.monotonic() + FOLDER_REST_MS;
    return unsteady;
  }

  /** What kills leave: runs without an entry, entries and files without a run. Nothing waits for it. */
  async #upkeep(now: number): Promise<void> {
    const { clock, queue, spool, emit } = this.#options;
    this.#nextUpkeep = clock.monotonic() + UPKEEP_EVERY_MS;
    for (const [id, until] of this.#putBack) if (until < now) this.#putBack.delete(id);
    try {
      await this.#runs.prune(now - FORGET_RUNS_MS);
      await queue.repair(() => this.#runs.list());
      await spool.prune(new Set((await this.#runs.list()).map(({ id }) => id)), now - FORGET_FILES_MS);
    } catch (error) {
      emit({ type: 'warning', message: `upkeep: ${(error as Error).message}` });
    }
  }

  /**
   * A share that is away, or a file that cannot be taken, keeps nothing else from running. It is told once, and looked
   * at again.
   */
  async #scan(folder: HotFolder): Promise<number> {
    const { waiting, problem } = await folder.scan().catch((error: unknown): Scan => {
      if (isOfStore(error)) throw error;
      return { waiting: 0, problem: (error as Error).message };
    });
    const before = this.#away.get(folder.path);
    if (problem === undefined) this.#away.delete(folder.path);
    else this.#away.set(folder.path, problem);
    if (problem !== undefined && problem !== before)
      this.#options.emit({ type: 'warning', message: `${folder.path}: ${problem}` });
    return waiting;
  }

  /** Known, and in its queue: the same run twice is the same as once. */
  async #enqueue(run: Run): Promise<void> {
    const { queue, emit } = this.#options;
    if (await this.#runs.add(run)) {
      emit({ type: 'queued', run });
      await queue.add(run);
      return;
    }
    const known = await this.#runs.get(run.id);
    if (known === undefined) return;
    if (isFinal(known)) {
      if (!isStillClaimed(run)) return;
      // Cancelled: its turn puts the file away, and sends nothing.
      if (known.state !== 'cancelled') await this.#runs.save(run, known);
      await queue.add(run);
    } else if (known.state === 'queued' || known.queue !== run.queue) {
      // With the time it has: its entry stays one entry, and a wait between two tries stays a wait.
      await queue.add({ ...known, queue: run.queue });
    }
  }

  async #take(): Promise<void> {
    const { queue, config, emit, once } = this.#options;
    while (this.#running.size < config.parallel) {
      const turn = await queue.take(this.#service);
      if (turn === undefined) return;
      const work = this.#executor
        .execute(turn, this.#kill.signal)
        .then((run) => {
          this.#refused.delete(turn.runId);
          if (run === undefined) return;
          // A worker that stays goes by the entry: who revives a run brings its time forward.
          if (isFinal(run) || !once) this.#putBack.delete(run.id);
          else this.#putBack.set(run.id, run.notBefore);
          if (run.state !== 'delivering' || run.exitCode !== undefined) this.#note(run);
        })
        .catch(async (error: unknown) => {
          emit({ type: 'warning', message: `run ${turn.runId}: ${(error as Error).message}` });
          this.#rest(turn.runId, error);
          await turn.abandon();
        })
        .finally(() => {
          this.#running.delete(turn.runId);
          this.#wake();
        });
      this.#running.set(turn.runId, work);
    }
  }

  /** What the store refused a run may work in a while; `--once` does not wait for ever. */
  #rest(runId: string, error: unknown): void {
    this.#putBack.set(runId, this.#options.clock.now() + REST_MS);
    const times = (this.#refused.get(runId) ?? 0) + 1;
    this.#refused.set(runId, times);
    if (this.#options.once && times >= REFUSALS_BORNE) this.#given = error;
  }

  /** A run is told once, as it was left last. */
  #note(run: Run): void {
    const at = this.#ended.findIndex(({ id }) => id === run.id);
    if (at >= 0) this.#ended.splice(at, 1);
    if (this.#options.once || at >= 0 || this.#ended.length < 1000) this.#ended.push(run);
  }

  async #soon(): Promise<boolean> {
    const { queue, clock } = this.#options;
    const next = await queue.nextAt(this.#service);
    return next !== undefined && next <= clock.now() + ONCE_PATIENCE_MS;
  }

  /** What runs may go on for most of the grace; then it is stopped where it can be taken up again. */
  async #stop(): Promise<WorkerEnd> {
    const { emit, graceMs } = this.#options;
    emit({ type: 'stopping', running: this.#running.size });
    const parkAfter = graceMs - Math.min(10_000, graceMs / 2);
    let cut = false;
    if (!(await this.#endedWithin(parkAfter))) {
      cut = true;
      this.#kill.abort(new ShelfliftError('interrupted', 'the worker was asked to stop'));
      await this.#endedWithin(graceMs - parkAfter);
    }
    // For a worker that runs until it is stopped, a stop is its usual end.
    const interrupted = cut || this.#options.once;
    return { exitCode: interrupted ? ExitCode.interrupted : ExitCode.ok, runs: this.#ended };
  }

  /** True where nothing runs any more. Leaves no timer behind, which would keep the process from ending. */
  async #endedWithin(ms: number): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const cancel = this.#options.clock.after(ms, () => resolve(false));
    void Promise.allSettled(this.#running.values()).then(() => resolve(true));
    const ended = await promise;
    cancel();
    return ended;
  }

  async #sleep(ms: number): Promise<void> {
    if (!this.#woken) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const marking = this.#wake;
      this.#wake = resolve;
      const cancel = this.#options.clock.after(ms, resolve);
      await promise;
      cancel();
      this.#wake = marking;
    }
    this.#woken = false;
  }
}

/** True for a file that has ended and lies in processing/ all the same: it could not be moved away. */
function isStillClaimed({ work }: Run): boolean {
  return work.kind === 'import' && 'claimed' in work.source && existsSync(work.source.claimed);
}
