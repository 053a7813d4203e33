/**
 * A watched folder: a file that stopped growing is claimed and imported.
 *
 *   drop/toys.csv ──steady──▶ drop/processing/JOB/toys.csv ──▶ drop/done/ or drop/failed/, results beside it
 *
 * The claim is one rename: of several workers one gets the file. The folder's name is the job's id, so that what a
 * killed worker has claimed is found again, whether it had come to note it or not.
 */
import { lstat, rename, rm, rmdir, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { type FSWatcher, watch } from 'chokidar';
import type { Clock } from '../../clock.ts';
import { newJobId } from '../../import/jobs/job-id.ts';
import { makeFolder } from '../../make-folder.ts';
import type { HotFolder as Settings } from '../config/schema.ts';
import { hostQueue } from '../queue/queue.ts';
import type { Run } from '../queue/run.ts';
import { shortName } from '../../short-name.ts';
import { isOfStore } from '../store-outage.ts';
import { requestOf } from '../tasks/run-import.ts';
import { type FolderEntry, folderEntries } from './folder-entries.ts';
import { OWN_FOLDERS } from './own-folders.ts';

/** A file is whole when size and time stayed as they are for so long, ms. */
export const STEADY_MS = 2_000;
/** A program that opens its file early, and thinks before it writes, has so long in a worker that stays. */
const EMPTY_MS = 60_000;
const POLL_MS = 1_000;
/** Bytes: what is put beside a file is called after it, and file systems take 255. */
const LONGEST_NAME = 180;
const MARK = '.ready';
/** What programs call files that they still write, or have open. */
const UNFINISHED = /^[.~]|\.(part|partial|filepart|tmp|crdownload|ready)$/i;

/** What editors leave beside a file: the same rows, from before. */
const BACKUP = /~$|^#.*#$|\.(bak|backup|old|orig|rej|save|sw[opx])$/i;

export interface Scan {
  /** How many files are still becoming whole. */
  waiting: number;
  /** Why a file that is whole could not be taken. */
  problem?: string;
}

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
  readonly #emptyMs: number;
  readonly #tell: (message: string) => void;
  /** By path, a character a byte, as all below. */
  readonly #seen = new Map<string, Seen>();
  /** What is left alone, and was told. */
  readonly #told = new Set<string>();
  #watcher: FSWatcher | undefined;

  /**
   * @param around.enqueue makes a run known; the same run twice is the same as once
   * @param around.once an empty file is waited for no longer than others
   * @param around.tell what a person must know: of each file once
   */
  constructor(
    settings: Settings,
    configFolder: string,
    around: {
      clock: Clock;
      enqueue: (run: Run) => Promise<void>;
      once: boolean;
      tell: (message: string) => void;
    },
  ) {
    const { clock, enqueue, once, tell } = around;
    this.#settings = settings;
    this.path = resolve(configFolder, settings.path);
    this.#request = requestOf(settings.import, configFolder);
    this.#clock = clock;
    this.#enqueue = enqueue;
    this.#emptyMs = once ? STEADY_MS : EMPTY_MS;
    this.#tell = tell;
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

  /** Claims every file that is whole, and takes over what was claimed by a worker that is gone. */
  async scan(): Promise<Scan> {
    this.#makeFolders();
    await this.#takeOver();
    const entries = await folderEntries(this.path);
    const present = new Set(entries.map(keyOf));
    for (const known of [this.#seen, this.#told])
      for (const key of known.keys()) if (!present.has(key)) known.delete(key);
    const scan: Scan = { waiting: 0 };
    for (const entry of entries) {
      if (!this.#isToBeTaken(entry)) continue;
      const marked = present.has(keyOf(entry) + MARK);
      if (!marked && this.#settings.ready) continue;
      try {
        if ((marked && (await this.#isMarkedSince(entry))) || (await this.#isSteady(entry)))
          await this.#claim(entry, marked);
        else scan.waiting += 1;
      } catch (error) {
        if (isOfStore(error)) throw error;
        // The others are taken all the same.
        scan.problem ??= `${entry.name} cannot be taken: ${(error as Error).message}`;
      }
    }
    return scan;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#watcher?.close();
  }

  #makeFolders(): void {
    for (const name of ['', ...OWN_FOLDERS]) makeFolder(join(this.path, name));
  }

  #isToBeTaken({ name, kind, path }: FolderEntry): boolean {
    if (kind === 'folder' || UNFINISHED.test(name)) return false;
    if (kind === 'link') this.#leave(path, name, 'a link could lead to a file of somebody else');
    if (kind === 'other') this.#leave(path, name, 'it is no file');
    if (kind === 'file' && BACKUP.test(name))
      this.#leave(path, name, 'its name is that of a backup. To import it, give it another one');
    return !this.#told.has(path.toString('latin1'));
  }

  #leave(path: Buffer, name: string, why: string): void {
    const key = path.toString('latin1');
    if (!this.#told.has(key)) this.#tell(`${join(this.path, name)} is left alone: ${why}`);
    this.#told.add(key);
  }

  /** A mark that is older than the file was left by a kill, of an earlier file of that name: it says nothing of this one. */
  async #isMarkedSince({ path }: FolderEntry): Promise<boolean> {
    const [found, mark] = await Promise.all([stat(path), stat(markOf(path))]).catch(() => []);
    return found !== undefined && mark !== undefined && found.mtimeMs <= mark.ctimeMs;
  }

  async #isSteady(entry: FolderEntry): Promise<boolean> {
    const found = await stat(entry.path).catch(orGone);
    if (found === undefined) return false;
    const now = this.#clock.monotonic();
    const before = this.#seen.get(keyOf(entry));
    if (before !== undefined && before.size === found.size && before.mtime === found.mtimeMs)
      return now - before.since >= (found.size === 0 ? this.#emptyMs : STEADY_MS);
    this.#seen.set(keyOf(entry), { size: found.size, mtime: found.mtimeMs, since: now });
    return false;
  }

  async #claim({ path, name }: FolderEntry, marked = false): Promise<void> {
    const id = newJobId();
    const folder = join(this.path, 'processing', id);
    makeFolder(folder);
    const claimed = join(folder, shortName(name, LONGEST_NAME));
    try {
      await rename(path, claimed);
    } catch (error) {
      await rmdir(folder).catch(() => undefined);
      // Another worker was quicker, or the file was taken away again.
      orGone(error);
      return;
    }
    if (marked) await rm(markOf(path), { force: true });
    // It may have become a link since it was listed.
    if ((await lstat(claimed)).isFile()) await this.#enqueue(this.#run(id, claimed));
  }

  /** What lies in processing/ was claimed: made known again, which changes nothing where it is known. */
  async #takeOver(): Promise<void> {
    const processing = join(this.path, 'processing');
    for (const entry of await folderEntries(processing)) {
      if (entry.kind === 'file' && !UNFINISHED.test(entry.name)) await this.#claim(entry);
      if (entry.kind !== 'folder') continue;
      const inside = await folderEntries(join(processing, entry.name)).catch(() => []);
      // A link would show a file of somebody else's in the results: whoever may write here may make one.
      const file = inside.find(({ kind }) => kind === 'file');
      if (file !== undefined)
        await this.#enqueue(this.#run(entry.name, join(processing, entry.name, file.name)));
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

function keyOf({ path }: FolderEntry): string {
  return path.toString('latin1');
}

function markOf(path: Buffer): Buffer {
  return Buffer.concat([path, Buffer.from(MARK)]);
}

/** @throws the error, where it says anything else than that the file is not there */
function orGone(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}
