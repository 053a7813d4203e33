/**
 * The worker: enqueues what schedules and watched folders make due, and executes runs, one at a time per key.
 *
 *   schedules ─┐                       ┌─▶ export ─▶ delivery
 *   folders  ──┼─▶ runs in the store ──┤
 *   submitted ─┘        (queue)        └─▶ import ─▶ done/ failed/
 */
import { filePasswords } from '../sheets/file-password.ts';
import { hostname } from 'node:os';
import type { Clock } from '../base/clock.ts';
import { ShelfliftError } from '../base/errors.ts';
import { english, message } from '../messages/message.ts';
import { ExitCode } from '../base/exit-code.ts';
import type { RunOptions } from '../import/job/options.ts';
import type { Ledger, Lease } from '../ledger/ledger.ts';
import { Alarm } from './alarm.ts';
import type { ReadConfig } from './config/read-config.ts';
import type { ConnectionContext } from './remote/connection-context.ts';
import type { EmitWorker, WorkerEvent } from './events.ts';
import { Executor } from './executor.ts';
import { Scheduler } from './scheduler.ts';
import type { CommandOf } from './notify/advice.ts';
import { Notifier } from './notify/notifier.ts';
import { RunReports } from './notify/run-reports.ts';
import { type ClientSettings, type OwnTarget, Profiles } from './profiles.ts';
import { lanesOf, type Queue, type Service } from './queue/queue.ts';
import { isFinal, type Run } from './queue/run.ts';
import { Runs } from './queue/runs.ts';
import { announceWorker } from './queue/workers.ts';
import type { Spool } from './queue/spool.ts';
import { StoreOutage } from './store-outage.ts';
import { type WorkerEnd, worstOf } from './worker-end.ts';

export interface WorkerOptions {
  config: ReadConfig;
  ledger: Ledger;
  queue: Queue;
  spool: Spool;
  clock: Clock;
  /** Keys and passwords come from here. */
  environment: Record<string, string | undefined>;
  client: ClientSettings;
  /** A target outside the configuration. */
  own?: OwnTarget;
  /** Options of every import. */
  run: RunOptions;
  /** Returns a changed configuration: the worker then ends, to be restarted with it. */
  nextConfig?: () => ReadConfig | undefined;
  /** Ends when nothing is left to do. */
  once: boolean;
  /** When aborted, the worker takes nothing new and ends within `graceMs`. */
  signal: AbortSignal;
  graceMs: number;
  emit: EmitWorker;
  /** The command of an action, for mails; without it, mails do not contain commands. */
  command?: CommandOf;
}

const LOOK_MS = 1_000;
/** Pause while many schedules are checked: runs go on in it. */
const MORE_MS = 50;
const FOLDER_LOOK_MS = 250;
/** `--once` waits for runs that are due this soon. */
const ONCE_PATIENCE_MS = 60_000;
const ONCE_BACKOFF_MS = 1_000;
/** … and this long for an outage, such as one of a mail server. The run itself has waited for the API. */
const ONCE_OUTAGE_MS = 15_000;
/** … and this long for the store, because the program that starts it will start it again. */
const ONCE_STORE_MS = 30_000;
/** Pause before a run that failed in the store is tried again. */
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
  readonly #scheduler: Scheduler;
  readonly #executor: Executor;
  readonly #service: Service;
  readonly #outage: StoreOutage;
  readonly #alarm: Alarm;
  readonly #kill = new AbortController();
  readonly #running = new Map<string, Promise<void>>();
  readonly #busyLanes = new Set<string>();
  /** Run → how to stop only this run. */
  readonly #stops = new Map<string, AbortController>();
  /** Run → until when it waits for the API, monotonic ms. */
  readonly #waiting = new Map<string, number>();
  #stopping = false;
  readonly #ended: Run[] = [];
  /** Runs that this worker has put back → until when. `--once` takes runs that others put back at once. */
  readonly #putBack = new Map<string, number>();
  #serving = false;
  /** Run → number of its consecutive failures in the store. */
  readonly #refused = new Map<string, number>();
  /** Shows other processes that this worker runs. */
  #announced: Lease | undefined;
  /** The reason for which `--once` gives up. */
  #given: unknown;

  constructor(options: WorkerOptions) {
    const { config, ledger, environment, emit, clock, once } = options;
    const warn = (message: string) => emit({ type: 'warning', message });
    this.#options = options;
    this.#alarm = new Alarm(clock);
    this.#outage = new StoreOutage(clock, once ? ONCE_STORE_MS : Number.POSITIVE_INFINITY, warn);
    this.#profiles = new Profiles(
      config,
      environment,
      // Client and import need one clock: the client sets the end of a limit, the import checks it.
      { ...options.client, clock },
      {
        onRequest: (profile, record) => emit({ type: 'request', profile, record }),
        onPause: (profile, until) => emit({ type: 'limited', profile, until }),
      },
      options.own,
    );
    const left = new Set<string>();
    this.#service = {
      ...lanesOf(hostname(), this.#profiles.lanes, this.#profiles.names),
      parallel: config.parallel,
      now: () => clock.now(),
      left,
      once,
      isDue: (id, notBefore) => {
        if (left.has(id)) return false;
        const own = this.#putBack.get(id) ?? 0;
        return (once ? own : Math.max(own, notBefore)) <= clock.now();
      },
    };
    const runs = new Runs(ledger);
    const context: ConnectionContext = { configFolder: config.folder, environment, smtp: config.smtp };
    const notifier = new Notifier({ ledger, config, context, clock }, warn);
    const reports = new RunReports({ config, values: ledger.values, context, clock, warn });
    this.#scheduler = new Scheduler({ ...options, runs, notifier, reports });
    this.#executor = new Executor({
      ...options,
      emit: (event) => this.#onEvent(event),
      command: options.command,
      filePassword: filePasswords(environment),
      runs,
      service: this.#service,
      left,
      profiles: this.#profiles,
      context,
      backoffMs: once ? Math.min(ONCE_BACKOFF_MS, config.retries.backoff) : config.retries.backoff,
      tries: config.retries.tries,
      outagePatienceMs: once ? ONCE_OUTAGE_MS : Number.POSITIVE_INFINITY,
      notify: (subject, failed, what) => notifier.tell(subject, failed, what, this.#kill.signal),
      begun: (run) => reports.begun(run, this.#kill.signal),
      ended: (run) => reports.ended(run, this.#kill.signal),
      report: (runId, about, notice) => {
        warn(`${about}: ${english(notice)}`);
        return notifier.report(runId, about, notice, this.#kill.signal);
      },
    });
  }

  async run(): Promise<WorkerEnd> {
    const { config, emit, signal } = this.#options;
    emit({
      type: 'started',
      profiles: Object.keys(config.profiles),
      schedules: Object.keys(config.schedules),
      hotFolders: this.#scheduler.folders,
    });
    const wake = () => {
      this.#alarm.ring();
    };
    signal.addEventListener('abort', wake);
    try {
      this.#scheduler.watch(wake);
      for (;;) {
        if (signal.aborted) return await this.#stop();
        if (this.#given !== undefined) throw this.#given;
        const nextConfig = this.#options.nextConfig?.();
        if (nextConfig !== undefined) return { ...(await this.#stop()), nextConfig };
        const pause = await this.#turnAround();
        if (pause === undefined) break;
        await this.#alarm.sleep(pause);
      }
    } finally {
      signal.removeEventListener('abort', wake);
    }
    await this.#scheduler.told();
    return worstOf(this.#ended, this.#scheduler.away);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#kill.abort(new ShelfliftError('interrupted', message('worker_ends', {})));
    await Promise.allSettled(this.#running.values());
    await this.#scheduler[Symbol.asyncDispose]();
    await this.#profiles[Symbol.asyncDispose]();
    await this.#announced?.release();
  }

  /** @returns ms until the next look; undefined if nothing is left to do */
  async #turnAround(): Promise<number | undefined> {
    const { once, emit, queue, clock, ledger } = this.#options;
    try {
      if (!this.#serving) await queue.start(this.#service, () => this.#alarm.ring());
      this.#announced ??= await announceWorker(ledger);
      this.#serving = true;
      for (const [id, until] of this.#putBack) if (until < clock.now()) this.#putBack.delete(id);
      const { unsteady, more } = await this.#scheduler.look(this.#kill.signal);
      await this.#take();
      if (once && !more && unsteady === 0 && this.#running.size === 0 && !(await this.#soon()))
        return undefined;
      this.#outage.worked();
      return more ? MORE_MS : unsteady > 0 ? FOLDER_LOOK_MS : LOOK_MS;
    } catch (error) {
      return this.#outage.failed(error);
    } finally {
      emit({ type: 'looked' });
    }
  }

  async #take(): Promise<void> {
    const { queue, config, emit, once } = this.#options;
    while (this.#running.size < config.parallel) {
      const lease = await queue.take(this.#service);
      if (lease === undefined) return;
      this.#busyLanes.add(lease.lane);
      const own = new AbortController();
      this.#stops.set(lease.runId, own);
      const work = this.#executor
        .execute(lease, AbortSignal.any([this.#kill.signal, own.signal]))
        .then((run) => {
          this.#refused.delete(lease.runId);
          if (run === undefined) return;
          // A permanent worker goes by the entry, whose time `jobs resume` may bring forward.
          if (isFinal(run) || !once) this.#putBack.delete(run.id);
          else this.#putBack.set(run.id, run.notBefore);
          if (run.state !== 'delivering' || run.exitCode !== undefined) this.#note(run);
        })
        .catch(async (error: unknown) => {
          emit({ type: 'warning', message: `run ${lease.runId}: ${(error as Error).message}` });
          this.#rest(lease.runId, error);
          await lease.abandon();
        })
        .finally(() => {
          this.#running.delete(lease.runId);
          this.#stops.delete(lease.runId);
          this.#waiting.delete(lease.runId);
          this.#busyLanes.delete(lease.lane);
          void this.#profiles.tidy(this.#busyLanes).catch(() => undefined);
          this.#alarm.ring();
        });
      this.#running.set(lease.runId, work);
    }
  }

  /** Pauses a run that failed in the store; `--once` gives up after some failures. */
  #rest(runId: string, error: unknown): void {
    this.#putBack.set(runId, this.#options.clock.now() + REST_MS);
    const times = (this.#refused.get(runId) ?? 0) + 1;
    this.#refused.set(runId, times);
    if (this.#options.once && times >= REFUSALS_BORNE) this.#given = error;
  }

  /** Records each run once, in its last state. */
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

  /** A run that waits for the API has nothing to finish, so it is stopped at once when the worker has to end. */
  #onEvent(event: WorkerEvent): void {
    this.#options.emit(event);
    if (event.type !== 'import' && event.type !== 'export') return;
    const { run, event: inner } = event;
    const waitMs =
      inner.type === 'unreachable' ? inner.nextTryMs : inner.type === 'retry' ? inner.waitMs : undefined;
    if (waitMs === undefined) return;
    // The import waits, asks once, and reports again if that failed, too.
    this.#waiting.set(run.id, this.#options.clock.monotonic() + waitMs + this.#options.client.timeoutMs);
    if (this.#stopping) this.#stops.get(run.id)?.abort(asked());
  }

  /** Lets runs continue for most of the grace period, then stops them where they can be resumed. */
  async #stop(): Promise<WorkerEnd> {
    const { emit, graceMs, queue } = this.#options;
    queue.stop();
    emit({ type: 'stopping', running: this.#running.size });
    this.#stopping = true;
    const now = this.#options.clock.monotonic();
    for (const [runId, until] of this.#waiting) if (now < until) this.#stops.get(runId)?.abort(asked());
    const parkAfter = graceMs - Math.min(10_000, graceMs / 2);
    let cut = false;
    if (!(await this.#endedWithin(parkAfter))) {
      cut = true;
      this.#kill.abort(asked());
      await this.#endedWithin(graceMs - parkAfter);
    }
    // A permanent worker always ends by being stopped.
    const interrupted = cut || this.#options.once;
    return { exitCode: interrupted ? ExitCode.interrupted : ExitCode.ok, runs: this.#ended };
  }

  /** True if nothing runs any more. Leaves no timer, which would keep the process alive. */
  async #endedWithin(ms: number): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const cancel = this.#options.clock.after(ms, () => resolve(false));
    void Promise.allSettled(this.#running.values()).then(() => resolve(true));
    const ended = await promise;
    cancel();
    return ended;
  }
}

function asked(): ShelfliftError {
  return new ShelfliftError('interrupted', message('worker_asked_to_stop', {}));
}
