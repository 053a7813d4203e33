/**
 * A watched folder: a file that stopped growing is claimed and imported.
 *
 *   drop/toys.csv ──steady──▶ drop/processing/JOB/toys.csv ──▶ drop/done/ or drop/failed/, results beside it
 *
 * The claim is one rename: of several workers one gets the file. The folder's name is the job's id, so that what a
 * killed worker has claimed is found again, whether it had come to note it or not.
 */
import { lstat, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { type FSWatcher, watch } from 'chokidar';
import type { Clock } from '../../clock.ts';
import { newJobId } from '../../import/jobs/job-id.ts';
import { makeFolder } from '../../make-folder.ts';
import type { HotFolder as Settings } from '../config/schema.ts';
import { hostQueue } from '../queue/queue.ts';
import type { Run } from '../queue/run.ts';
import { requestOf } from '../tasks/run-import.ts';

/** A file is whole when size and time stayed as they are for so long, ms. */
export const STEADY_MS = 2_000;
const POLL_MS = 1_000;
const MARK = '.ready';
const OWN_FOLDERS = ['processing', 'done', 'failed'];
/** What programs call files that they still write, or have open. */
const UNFINISHED = /^[.~]|\.(part|partial|filepart|tmp|crdownload|ready)$/i;

interface Seen {
  size: number;
  mtime: number;
  /** Monotonic ms. */
  since: number;
}

export class HotFolder implements AsyncDisposable {
  readonly path: string;
  readonly #settings: Settings;
  readonly #request: ReturnType<typeof requestOf>;
  readonly #clock: Clock;
  readonly #enqueue: (run: Run) => Promise<void>;
  readonly #seen = new Map<string, Seen>();
  #watcher: FSWatcher | undefined;

  /** @param enqueue makes a run known; the same run twice is the same as once */
  constructor(settings: Settings, configFolder: string, clock: Clock, enqueue: (run: Run) => Promise<void>) {
    this.#settings = settings;
    this.path = resolve(configFolder, settings.path);
    this.#request = requestOf(settings.import, configFolder);
    this.#clock = clock;
    this.#enqueue = enqueue;
  }

  /**
   * Makes the folder where it is missing, and calls `changed` whenever something happens in it. A folder that
   * cannot be made is not listened to: `scan` says why, and finds what is in it once it is there.
   */
  start(changed: () => void, onError: (error: unknown) => void): void {
    try {
      this.#makeFolders();
    } catch {
      return;
    }
    this.#watcher = watch(this.path, {
      depth: 0,
      ignoreInitial: true,
      usePolling: this.#settings.polling,
      interval: POLL_MS,
      ignored: (path) => OWN_FOLDERS.some((name) => path === join(this.path, name)),
    })
      .on('all', changed)
      .on('error', onError);
  }

  /**
   * Claims every file that is whole, and takes over what was claimed by a worker that is gone.
   *
   * @returns how many files are still becoming whole
   */
  async scan(): Promise<number> {
    this.#makeFolders();
    await this.#takeOver();
    const names = (await readdir(this.path, { withFileTypes: true })).filter((entry) => entry.isFile());
    const present = new Set(names.map(({ name }) => name));
    for (const name of this.#seen.keys()) if (!present.has(name)) this.#seen.delete(name);
    let waiting = 0;
    for (const { name } of names) {
      if (UNFINISHED.test(name)) continue;
      const marked = present.has(name + MARK);
      if (!marked && this.#settings.ready) continue;
      if ((marked && (await this.#isMarkedSince(name))) || (await this.#isSteady(name)))
        await this.#claim(join(this.path, name), marked);
      else waiting += 1;
    }
    return waiting;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#watcher?.close();
  }

  #makeFolders(): void {
    for (const name of ['', ...OWN_FOLDERS]) makeFolder(join(this.path, name));
  }

  /** A mark that is older than the file was left by a kill, of an earlier file of that name: it says nothing of this one. */
  async #isMarkedSince(name: string): Promise<boolean> {
    const file = join(this.path, name);
    const [found, mark] = await Promise.all([stat(file), stat(file + MARK)]).catch(() => []);
    return found !== undefined && mark !== undefined && found.mtimeMs <= mark.ctimeMs;
  }

  async #isSteady(name: string): Promise<boolean> {
    const found = await stat(join(this.path, name)).catch(() => undefined);
    if (found === undefined) return false;
    const now = this.#clock.monotonic();
    const before = this.#seen.get(name);
    if (before !== undefined && before.size === found.size && before.mtime === found.mtimeMs)
      return now - before.since >= STEADY_MS;
    this.#seen.set(name, { size: found.size, mtime: found.mtimeMs, since: now });
    return false;
  }

  async #claim(file: string, marked = false): Promise<void> {
    const id = newJobId();
    const folder = join(this.path, 'processing', id);
    makeFolder(folder);
    const claimed = join(folder, basename(file));
    try {
      await rename(file, claimed);
    } catch (error) {
      await rmdir(folder).catch(() => undefined);
      // Another worker was quicker, or the file was taken away again.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
      throw error;
    }
    if (marked) await rm(file + MARK, { force: true });
    // It may have become a link since it was listed.
    if ((await lstat(claimed)).isFile()) await this.#enqueue(this.#run(id, claimed));
  }

  /** What lies in processing/ was claimed: made known again, which changes nothing where it is known. */
  async #takeOver(): Promise<void> {
    const processing = join(this.path, 'processing');
    for (const entry of await readdir(processing, { withFileTypes: true })) {
      const path = join(processing, entry.name);
      if (entry.isFile() && !UNFINISHED.test(entry.name)) await this.#claim(path);
      if (!entry.isDirectory()) continue;
      const inside = await readdir(path, { withFileTypes: true }).catch(() => []);
      // A link would show a file of somebody else's in the results: whoever may write here may make one.
      const file = inside.find((each) => each.isFile());
      if (file !== undefined) await this.#enqueue(this.#run(entry.name, join(path, file.name)));
    }
  }

  #run(id: string, claimed: string): Run {
    const now = this.#clock.now();
    return {
      id,
      queue: hostQueue(hostname(), this.#settings.profile),
      priority: 'write',
      work: { kind: 'import', source: { claimed, folder: this.path }, request: this.#request },
      state: 'queued',
      tries: 0,
      createdAt: now,
      notBefore: now,
    };
  }
}
