/**
 * Enqueues everything that is due: fire times, files in watched folders, unsent notices. Repairs the effects of kills.
 */
import { existsSync } from 'node:fs';
import type { Clock } from '../base/clock.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { ReadConfig } from './config/read-config.ts';
import { catchUpOf } from './config/schema.ts';
import type { EmitWorker } from './events.ts';
import { HotFolder, type Scan } from './hot-folders/hot-folder.ts';
import { sayIn } from './notify/language.ts';
import type { Notifier } from './notify/notifier.ts';
import type { RunReports } from './notify/run-reports.ts';
import { profileQueue, type Queue } from './queue/queue.ts';
import { english } from '../messages/message.ts';
import type { Message } from '../messages/params.ts';
import { isFinal, type Run } from './queue/run.ts';
import { releaseRuns } from './queue/release.ts';
import type { Runs } from './queue/runs.ts';
import type { Spool } from './queue/spool.ts';
import { reasonOf } from './remote/plain-words.ts';
import { nextFire } from './schedule/fire-times.ts';
import { nextLook, priorityOf, runOfFire, Schedules } from './schedule/schedules.ts';
import { isOfStore } from './store-outage.ts';

export interface SchedulerDeps {
  config: ReadConfig;
  ledger: Ledger;
  queue: Queue;
  spool: Spool;
  runs: Runs;
  notifier: Notifier;
  reports: RunReports;
  clock: Clock;
  once: boolean;
  emit: EmitWorker;
}

/** Folders are scanned at least this often, because network shares send no events. */
const FOLDER_REST_MS = 5_000;
const FORGET_RUNS_MS = 90 * 86_400_000;
/** Files without a run are kept for a while: somebody may just be submitting them. */
const FORGET_FILES_MS = 86_400_000;
const NOTICES_EVERY_MS = 60_000;
/** Clocks that are kept right are set back by less. */
const CLOCK_STEP_MS = 60_000;
const UPKEEP_EVERY_MS = 3_600_000;
/** How often the states of all schedules are read: another worker may have changed them. */
const ROUND_EVERY_MS = 3_600_000;
/** After this time runs have their turn, and the remaining schedules wait for the next look. */
const LOOK_AT_SCHEDULES_MS = 100;

export class Scheduler implements AsyncDisposable {
  readonly #deps: SchedulerDeps;
  readonly #schedules: Schedules;
  readonly #folders: HotFolder[];
  /** Watched folders that cannot be read → why. */
  readonly away = new Map<string, Message>();
  /** Schedule → when to check it. */
  readonly #nextLook = new Map<string, number>();
  /** Not later than the earliest of these times. */
  #nextDue = Number.POSITIVE_INFINITY;
  /** Schedules to check now, the next one last. */
  readonly #due: string[] = [];
  /** When schedules were checked last, by the wall clock. */
  #lastLook = 0;
  #nextRound = 0;
  /** Reads the states of all schedules, some at a time. */
  #round: AsyncGenerator<undefined, void> | undefined;
  #nextScan = 0;
  #nextNotices = 0;
  #nextUpkeep = 0;
  #lastNow = 0;
  readonly #ended = new AbortController();
  /** Runs being released. */
  #released: Promise<void> = Promise.resolve();
  /** Notices being sent. */
  #notices: Promise<void> = Promise.resolve();

  constructor(deps: SchedulerDeps) {
    const { config, ledger, clock, once, emit } = deps;
    this.#deps = deps;
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
  }

  get folders(): string[] {
    return this.#folders.map(({ path }) => path);
  }

  /** @param wake called when a watched folder changes */
  watch(wake: () => void): void {
    for (const folder of this.#folders)
      folder.start(
        () => {
          this.#nextScan = 0;
          wake();
        },
        (error) => this.#warn(`${folder.path}: ${(error as Error).message}`),
      );
  }

  /**
   * Enqueues what is due.
   *
   * @param signal stops a notice that is being sent
   * @returns the number of files in watched folders that are still being written, and whether schedules are left to
   *   check
   * @throws errors of the store
   */
  async look(signal: AbortSignal): Promise<{ unsteady: number; more: boolean }> {
    const { clock, notifier, reports } = this.#deps;
    const now = clock.now();
    // The clock was set back: runs may wait for a time that it had been ahead.
    if (now < this.#lastNow - CLOCK_STEP_MS) this.#nextUpkeep = 0;
    this.#lastNow = now;
    if (clock.monotonic() >= this.#nextUpkeep) await this.#upkeep(now);
    if (clock.monotonic() >= this.#nextNotices) {
      this.#nextNotices = clock.monotonic() + NOTICES_EVERY_MS;
      // Not awaited: the mail server may be slow or down.
      this.#notices = notifier.sendAgain(signal).catch(() => undefined);
      reports.sendAgain(signal);
    }
    const more = await this.#lookAtSchedules(now);
    if (this.#folders.length === 0 || clock.monotonic() < this.#nextScan) return { unsteady: 0, more };
    let unsteady = 0;
    for (const folder of this.#folders) unsteady += await this.#scan(folder, signal);
    this.#nextScan = unsteady > 0 ? 0 : clock.monotonic() + FOLDER_REST_MS;
    return { unsteady, more };
  }

  /** @returns true if some are left for the next look */
  async #lookAtSchedules(now: number): Promise<boolean> {
    const { clock } = this.#deps;
    // Computed with a clock that was ahead, these times would silence the schedules.
    if (now < this.#lastLook) {
      this.#nextRound = 0;
      this.#round = undefined;
    }
    this.#lastLook = now;
    if (now >= this.#nextRound) this.#round ??= this.#readStates(now);
    const until = clock.monotonic() + LOOK_AT_SCHEDULES_MS;
    for (;;) {
      if (this.#due.length === 0 && now >= this.#nextDue) this.#collectDue(now);
      const [name, round] = [this.#due.at(-1), this.#round];
      if (name === undefined && round === undefined) return false;
      if (clock.monotonic() > until) return true;
      if (name !== undefined) {
        await this.#check(name, now);
        this.#due.pop();
        continue;
      }
      // If the store fails, the next look begins another round.
      this.#round = undefined;
      if ((await round?.next())?.done === true) this.#nextRound = now + ROUND_EVERY_MS;
      else this.#round = round;
    }
  }

  /** Plans each schedule by its state, and begins those that are new. */
  async *#readStates(now: number): AsyncGenerator<undefined, void> {
    const left = new Map(Object.entries(this.#deps.config.schedules));
    while (left.size > 0) {
      for await (const { key: name, value } of this.#schedules.all()) {
        const schedule = left.get(name);
        if (schedule === undefined) continue;
        left.delete(name);
        const at = nextLook(value, schedule, now);
        if (at <= now) this.#due.push(name);
        else this.#plan(name, at);
        yield;
      }
      await this.#schedules.begin(left, now);
    }
  }

  #plan(name: string, at: number): void {
    this.#nextLook.set(name, at);
    this.#nextDue = Math.min(this.#nextDue, at);
  }

  #collectDue(now: number): void {
    this.#nextDue = Number.POSITIVE_INFINITY;
    // Without an iterator, which would make 10 MB of garbage each time.
    this.#nextLook.forEach((at, name) => {
      if (at <= now) this.#due.push(name);
      else if (at < this.#nextDue) this.#nextDue = at;
    });
  }

  async #check(name: string, now: number): Promise<void> {
    const schedule = this.#deps.config.schedules[name];
    if (schedule === undefined) throw new Error(`The schedule ${name} is not in the configuration.`);
    await this.#schedules.look(name, schedule, catchUpOf(schedule), now, (fire) =>
      this.#enqueue(runOfFire(fire, profileQueue(schedule.profile), now, priorityOf(schedule))),
    );
    this.#plan(name, nextFire(schedule, now) ?? Number.POSITIVE_INFINITY);
  }

  /** Waits until notices being sent have arrived or failed. */
  async told(): Promise<void> {
    await this.#notices;
    await this.#deps.reports.sent();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.told();
    this.#ended.abort();
    await this.#released;
    for (const folder of this.#folders) await folder[Symbol.asyncDispose]();
  }

  /** Repairs the effects of kills: runs without an entry, and entries and files without a run. */
  async #upkeep(now: number): Promise<void> {
    const { clock, config, once, queue, spool, runs } = this.#deps;
    this.#nextUpkeep = clock.monotonic() + UPKEEP_EVERY_MS;
    try {
      await runs.prune(now - FORGET_RUNS_MS);
      await queue.repair(runs);
      await spool.prune(runs, now - FORGET_FILES_MS);
    } catch (error) {
      this.#warn(`upkeep: ${(error as Error).message}`);
    }
    // Schedules do not wait for it: it reads all runs that wait, which may be millions.
    this.#released = this.#released
      .then(() => releaseRuns(runs, queue, { config, now, signal: this.#ended.signal }))
      .catch((error: unknown) => this.#warn(`upkeep: ${(error as Error).message}`));
    if (once) await this.#released;
  }

  /**
   * Reports a folder that cannot be read once, and scans it again later. Everything else continues.
   */
  async #scan(folder: HotFolder, signal: AbortSignal): Promise<number> {
    const { waiting, problem } = await folder.scan().catch((error: unknown): Scan => {
      if (isOfStore(error)) throw error;
      return { waiting: 0, problem: reasonOf(error).said };
    });
    const [before, text] = [this.away.get(folder.path), problem].map((said) => said && english(said));
    if (text === before) return waiting;
    if (problem === undefined) this.away.delete(folder.path);
    else {
      this.away.set(folder.path, problem);
      this.#warn(`${folder.path}: ${text}`);
    }
    const told = this.#deps.notifier.tell(
      `watching ${folder.path}`,
      problem !== undefined,
      {
        message: problem === undefined ? '' : sayIn(this.#deps.config.notify?.language)(problem),
        reason: `${folder.path} ${text ?? ''}`,
        causes: problem === undefined ? [] : [problem.code],
      },
      signal,
    );
    this.#notices = Promise.allSettled([this.#notices, told]).then(() => undefined);
    return waiting;
  }

  /** Records the run and adds it to its queue. Repeating it changes nothing. */
  async #enqueue(run: Run): Promise<void> {
    const { queue, emit, runs } = this.#deps;
    if (await queue.enqueue(run, runs)) {
      emit({ type: 'queued', run });
      return;
    }
    const known = await runs.get(run.id);
    if (known === undefined) return;
    if (isFinal(known)) {
      if (!isStillClaimed(run)) return;
      // The claimed file was replaced; `claim_replaced` has reported it.
      if (identityIn(known) !== identityIn(run)) return;
      // The next turn of a cancelled run archives its file and sends nothing.
      if (known.state !== 'cancelled') await runs.save(run, known);
      await queue.add(run);
    } else if (known.state === 'queued' || known.queue !== run.queue) {
      // With the run's own time, so that it keeps one entry and continues to wait between two tries.
      await queue.add({ ...known, queue: run.queue });
    }
  }

  #warn(message: string): void {
    this.#deps.emit({ type: 'warning', message });
  }
}

function identityIn({ work }: Run): string | undefined {
  return work.kind === 'import' && 'claimed' in work.source ? work.source.identity : undefined;
}

/** True if the file of an ended run is still in processing/, because it could not be moved. */
function isStillClaimed({ work }: Run): boolean {
  return work.kind === 'import' && 'claimed' in work.source && existsSync(work.source.claimed);
}
