/** What is due: fire times, files in watched folders, notices that could not be told; and what kills have left. */
import { existsSync } from 'node:fs';
import type { Clock } from '../clock.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { ReadConfig } from './config/read-config.ts';
import { catchUpOf } from './config/schema.ts';
import type { EmitWorker } from './events.ts';
import { HotFolder, type Scan } from './hot-folders/hot-folder.ts';
import type { Notifier } from './notify.ts';
import { profileQueue, type Queue } from './queue/queue.ts';
import { isFinal, type Run } from './queue/run.ts';
import type { Runs } from './queue/runs.ts';
import type { Spool } from './queue/spool.ts';
import { nextFire } from './schedule/fire-times.ts';
import { runOfFire, Schedules } from './schedule/schedules.ts';
import { isOfStore } from './store-outage.ts';

export interface Surroundings {
  config: ReadConfig;
  ledger: Ledger;
  queue: Queue;
  spool: Spool;
  runs: Runs;
  notifier: Notifier;
  clock: Clock;
  once: boolean;
  emit: EmitWorker;
}

/** Where nothing has happened, folders are looked at all the same: a network share tells nothing. */
const FOLDER_REST_MS = 5_000;
const FORGET_RUNS_MS = 90 * 86_400_000;
/** Files of no run: somebody may be submitting them just now. */
const FORGET_FILES_MS = 86_400_000;
const NOTICES_EVERY_MS = 60_000;
const UPKEEP_EVERY_MS = 3_600_000;

export class LookAround implements AsyncDisposable {
  readonly #around: Surroundings;
  readonly #schedules: Schedules;
  readonly #folders: HotFolder[];
  /** Watched folders that could not be read, and why. */
  readonly away = new Map<string, string>();
  /** Schedule → when it is to be looked at again. */
  readonly #nextLook = new Map<string, number>();
  #nextScan = 0;
  #nextNotices = 0;
  #nextUpkeep = 0;
  /** What could not be told before, on its way. */
  #notices: Promise<void> = Promise.resolve();

  constructor(around: Surroundings) {
    const { config, ledger, clock, once, emit } = around;
    this.#around = around;
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

  /** @param wake called when something happens in a watched folder */
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
   * @param signal ends a notice on its way
   * @returns how many files in watched folders are still becoming whole
   * @throws errors of the store
   */
  async look(signal: AbortSignal): Promise<number> {
    const { config, clock, notifier } = this.#around;
    const now = clock.now();
    if (clock.monotonic() >= this.#nextUpkeep) await this.#upkeep(now);
    if (clock.monotonic() >= this.#nextNotices) {
      this.#nextNotices = clock.monotonic() + NOTICES_EVERY_MS;
      // Nothing waits for a mail server.
      this.#notices = notifier.sendAgain(signal).catch(() => undefined);
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
    for (const folder of this.#folders) unsteady += await this.#scan(folder, signal);
    this.#nextScan = unsteady > 0 ? 0 : clock.monotonic() + FOLDER_REST_MS;
    return unsteady;
  }

  /** Notices that are on their way have come to an end. */
  async told(): Promise<void> {
    await this.#notices;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#notices;
    for (const folder of this.#folders) await folder[Symbol.asyncDispose]();
  }

  /** What kills leave: runs without an entry, entries and files without a run. Nothing waits for it. */
  async #upkeep(now: number): Promise<void> {
    const { clock, queue, spool, runs } = this.#around;
    this.#nextUpkeep = clock.monotonic() + UPKEEP_EVERY_MS;
    try {
      await runs.prune(now - FORGET_RUNS_MS);
      await queue.repair(() => runs.list());
      await spool.prune(new Set((await runs.list()).map(({ id }) => id)), now - FORGET_FILES_MS);
    } catch (error) {
      this.#warn(`upkeep: ${(error as Error).message}`);
    }
  }

  /**
   * A share that is away, or a file that cannot be taken, keeps nothing else from running. It is told once, and looked
   * at again.
   */
  async #scan(folder: HotFolder, signal: AbortSignal): Promise<number> {
    const { waiting, problem } = await folder.scan().catch((error: unknown): Scan => {
      if (isOfStore(error)) throw error;
      return { waiting: 0, problem: (error as Error).message };
    });
    const before = this.away.get(folder.path);
    if (problem === before) return waiting;
    if (problem === undefined) this.away.delete(folder.path);
    else {
      this.away.set(folder.path, problem);
      this.#warn(`${folder.path}: ${problem}`);
    }
    const told = this.#around.notifier.tell(
      `watching ${folder.path}`,
      problem !== undefined,
      problem ?? '',
      signal,
    );
    this.#notices = Promise.allSettled([this.#notices, told]).then(() => undefined);
    return waiting;
  }

  /** Known, and in its queue: the same run twice is the same as once. */
  async #enqueue(run: Run): Promise<void> {
    const { queue, emit, runs } = this.#around;
    if (await runs.add(run)) {
      emit({ type: 'queued', run });
      await queue.add(run);
      return;
    }
    const known = await runs.get(run.id);
    if (known === undefined) return;
    if (isFinal(known)) {
      if (!isStillClaimed(run)) return;
      // Something else lies there than was claimed: `claim_replaced` has told of it.
      if (identityIn(known) !== undefined && identityIn(known) !== identityIn(run)) return;
      // Cancelled: its turn puts the file away, and sends nothing.
      if (known.state !== 'cancelled') await runs.save(run, known);
      await queue.add(run);
    } else if (known.state === 'queued' || known.queue !== run.queue) {
      // With the time it has: its entry stays one entry, and a wait between two tries stays a wait.
      await queue.add({ ...known, queue: run.queue });
    }
  }

  #warn(message: string): void {
    this.#around.emit({ type: 'warning', message });
  }
}

function identityIn({ work }: Run): string | undefined {
  return work.kind === 'import' && 'claimed' in work.source ? work.source.identity : undefined;
}

/** True for a file that has ended and lies in processing/ all the same: it could not be moved away. */
function isStillClaimed({ work }: Run): boolean {
  return work.kind === 'import' && 'claimed' in work.source && existsSync(work.source.claimed);
}
