/**
 * A watched folder: claims files that have stopped growing, and enqueues their imports.
 *
 *   drop/toys.csv ──steady──▶ drop/processing/JOB/toys.csv ──▶ drop/done/ or drop/failed/, results beside it
 *
 * A claim is one rename, so only one of several workers gets the file. The folder's name is the job's id, so that the
 * claims of a killed worker are found even if it did not record them.
 */
import { realpathSync } from 'node:fs';
import { lstat, rename, rm, rmdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { type FSWatcher, watch } from 'chokidar';
import type { Clock } from '../../base/clock.ts';
import { newJobId } from '../../import/job/job-id.ts';
import { makeFolder } from '../../base/make-folder.ts';
import type { HotFolder as Settings } from '../config/schema.ts';
import { hostQueue } from '../queue/queue.ts';
import { saidOf } from '../../base/errors.ts';
import { message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';
import type { Run } from '../queue/run.ts';
import { shortName } from '../../base/short-name.ts';
import { isOfStore } from '../store-outage.ts';
import { requestOf } from '../tasks/run-import.ts';
import { type FolderEntry, HeldFolder, identityOf, openRealFile, orGone } from './held-folder.ts';
import { OWN_FOLDERS, PROCESSING, ARCHIVE_FOLDERS } from './own-folders.ts';

/** A file is complete once its size and time have not changed for this long … */
export const STEADY_MS = 2_000;
/** … or this long if it was seen to grow, or its last line is not terminated: an upload may pause. */
const PAUSE_MS = 30_000;
/** A permanent worker waits this long for an empty file, because some programs create it long before they write. */
const EMPTY_MS = 60_000;
const POLL_MS = 1_000;
/** Maximum length of a name in bytes. Names of result files are longer, and file systems allow 255. */
const MAX_NAME = 180;
/** Line breaks and other characters in a name that would write lines of their own into mails, notes and logs. */
const UNSEEN = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu;
const MARK = '.ready';
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** Names that programs give to files they are still writing. */
const UNFINISHED = /^[.~]|\.(part|partial|filepart|tmp|crdownload|ready)$/i;

const LINK = 'a link could lead to a file of somebody else';

/** Names of editors' backup files, which contain old rows. */
const BACKUP = /~$|^#.*#$|\.(bak|backup|old|orig|rej|save|sw[opx])$/i;

export interface Scan {
  /** Files that are still being written. */
  waiting: number;
  /** Why a complete file could not be claimed. */
  problem?: Message;
}

interface FileSighting {
  size: number;
  mtime: number;
  /** When the entry was last seen to change, monotonic ms. */
  since: number;
  /** True if the entry was seen to change. */
  grows: boolean;
}

export class HotFolder implements AsyncDisposable {
  readonly path: string;
  readonly #settings: Settings;
  readonly #request: ReturnType<typeof requestOf>;
  readonly #clock: Clock;
  readonly #enqueue: (run: Run) => Promise<void>;
  readonly #emptyMs: number;
  readonly #tell: (message: string) => void;
  /** Bytes of a name → when its entry was seen. */
  readonly #seen = new Map<string, FileSighting>();
  /** Path of each entry that is left alone → the reason that was reported. */
  readonly #reported = new Map<string, string>();
  /** Entries that this scan has left alone. */
  readonly #left = new Set<string>();
  #watcher: FSWatcher | undefined;

  /**
   * @param around.enqueue records a run; repeating it changes nothing
   * @param around.once true to wait no longer for an empty file than for others
   * @param around.tell reports a problem, once per file
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
   * Makes the folder if it is missing, and calls `changed` whenever something happens in it. If the folder cannot be
   * made, nothing is watched: `scan` reports why, and finds the files once the folder exists.
   */
  start(changed: () => void, onError: (error: unknown) => void): void {
    let path: string;
    try {
      makeFolder(this.path);
      // Links on the way to the folder are followed, links within it are not.
      path = realpathSync(this.path);
    } catch {
      return;
    }
    this.#watcher = watch(path, {
      depth: 0,
      followSymlinks: false,
      ignoreInitial: true,
      usePolling: this.#settings.polling,
      interval: POLL_MS,
      ignored: (each) => OWN_FOLDERS.some((name) => each === join(path, name)),
    })
      .on('all', changed)
      .on('error', onError);
  }

  /**
   * Claims every complete file, and takes over the claims of dead workers.
   *
   * @throws UsageError `unsafe_folder` if one of the worker's folders has been replaced
   */
  async scan(): Promise<Scan> {
    makeFolder(this.path);
    this.#left.clear();
    await using folder = await HeldFolder.open(this.path);
    await using processing = await folder.inside(PROCESSING, { make: true, closed: true });
    for (const name of ARCHIVE_FOLDERS)
      await (await folder.inside(name, { make: true }))[Symbol.asyncDispose]();
    await this.#takeOver(processing, folder);
    const entries = await folder.entries();
    const present = new Set(entries.map(({ key }) => key));
    for (const key of this.#seen.keys()) if (!present.has(key)) this.#seen.delete(key);
    const scan: Scan = { waiting: 0 };
    for (const entry of entries) {
      const marked = present.has(entry.key + MARK);
      if (!marked && this.#settings.ready) continue;
      try {
        if (!(await this.#isToBeTaken(entry))) continue;
        if ((marked && (await this.#isMarkedSince(entry))) || (await this.#isSteady(entry)))
          await this.#claim(entry, { from: folder, processing, marked });
        else scan.waiting += 1;
      } catch (error) {
        if (isOfStore(error)) throw error;
        // The other files are still claimed.
        scan.problem ??= message('file_not_taken', { name: entry.name, why: saidOf(error as Error) });
      }
    }
    for (const path of this.#reported.keys()) if (!this.#left.has(path)) this.#reported.delete(path);
    return scan;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#watcher?.close();
  }

  async #isToBeTaken({ name, kind, path }: FolderEntry): Promise<boolean> {
    if (kind === 'folder' || UNFINISHED.test(name)) return false;
    const why =
      kind === 'link'
        ? LINK
        : kind === 'other'
          ? 'it is not a regular file'
          : BACKUP.test(name)
            ? 'its name is that of a backup. To import it, give it another one'
            : await whyNotOurs(path);
    return !this.#isLeft(join(this.path, name), why);
  }

  /** @param why undefined if the entry is not to be left alone */
  #isLeft(path: string, why: string | undefined): boolean {
    if (why === undefined) return false;
    if (this.#reported.get(path) !== why) this.#tell(`${path} is left alone: ${why}`);
    this.#reported.set(path, why);
    this.#left.add(path);
    return true;
  }

  /** A mark that is older than the file belongs to an earlier file of that name, and was left by a kill. */
  async #isMarkedSince({ path }: FolderEntry): Promise<boolean> {
    const [found, mark] = await Promise.all([lstat(path), lstat(markOf(path))]).catch(() => []);
    return found !== undefined && mark !== undefined && found.mtimeMs <= mark.ctimeMs;
  }

  async #isSteady({ path, key }: FolderEntry): Promise<boolean> {
    const found = await lstat(path).catch(orGone);
    if (found === undefined) return false;
    const now = this.#clock.monotonic();
    const before = this.#seen.get(key);
    if (before === undefined || before.size !== found.size || before.mtime !== found.mtimeMs) {
      const grows = before !== undefined;
      this.#seen.set(key, { size: found.size, mtime: found.mtimeMs, since: now, grows });
      return false;
    }
    const still = now - before.since;
    if (found.size === 0) return still >= this.#emptyMs;
    if (still < STEADY_MS) return false;
    return still >= PAUSE_MS || !(before.grows || (await isInLine(path)));
  }

  async #claim(
    { path, name }: FolderEntry,
    { from, processing, marked }: { from: HeldFolder; processing: HeldFolder; marked: boolean },
  ): Promise<void> {
    const id = newJobId();
    // Another worker may mistake the empty folder for one that a kill has left. Then the next scan claims
    // the file.
    await using folder = await processing.inside(id, { make: true, closed: true }).catch(orGone);
    if (folder === undefined) return;
    const claimed = shortName(name.replaceAll(UNSEEN, '_'), MAX_NAME);
    try {
      await rename(path, folder.at(claimed));
    } catch (error) {
      await rmdir(processing.at(id)).catch(() => undefined);
      // Another worker was faster, or the file was removed.
      orGone(error);
      return;
    }
    if (marked) await rm(markOf(path), { force: true });
    // Synced first: after a power cut, a file whose run is recorded must not be back where it was dropped, or it would
    // be imported again.
    for (const each of [folder, processing, from]) await each.sync();
    await this.#enqueueClaimed(id, folder, claimed);
  }

  /** Enqueues the runs of files that were claimed into processing/; runs that are already known stay as they are. */
  async #takeOver(processing: HeldFolder, watched: HeldFolder): Promise<void> {
    for (const entry of await processing.entries()) {
      if (entry.kind === 'file' && !UNFINISHED.test(entry.name))
        await this.#claim(entry, { from: processing, processing, marked: false });
      if (entry.kind !== 'folder') continue;
      // The file may be on its way to the archive.
      await using folder = await processing.inside(entry.name, { closed: true }).catch(orGone);
      if (folder === undefined) continue;
      const inside = (await folder.entries().catch(orGone)) ?? [];
      const file = inside.find(({ kind }) => kind === 'file') ?? inside[0];
      // The worker was killed before it moved the file into the folder.
      if (file === undefined) await rmdir(processing.at(entry.name)).catch(() => undefined);
      else {
        await removeOrphanedMark(watched, file.name);
        await this.#enqueueClaimed(entry.name, folder, file.name);
      }
    }
  }

  /** Enqueues a claimed file, which may have become a link since it was listed. */
  async #enqueueClaimed(id: string, folder: HeldFolder, name: string): Promise<void> {
    const path = join(folder.path, name);
    const found = await lstat(folder.at(name), { bigint: true }).catch(orGone);
    if (found === undefined) return;
    if (this.#isLeft(path, found.isFile() ? undefined : LINK)) return;
    await this.#enqueue(this.#run(id, path, await identityOf(found, folder)));
  }

  #run(id: string, claimed: string, identity: string): Run {
    const now = this.#clock.now();
    const { profile, alertShare } = this.#settings;
    const source = { claimed, folder: this.path, identity, alertShare };
    return {
      id,
      queue: hostQueue(hostname(), profile),
      priority: 'write',
      work: { kind: 'import', source, request: this.#request },
      state: 'queued',
      tries: 0,
      createdAt: now,
      notBefore: now,
    };
  }
}

/** Why a complete file is not claimed: the person who dropped it may not be allowed to read it. */
async function whyNotOurs(path: Buffer): Promise<string | undefined> {
  const found = await lstat(path).catch(orGone);
  if (found === undefined || found.nlink < 2) return undefined;
  return 'it has another name elsewhere (a hard link), and may be a file of somebody else. Copy it here instead';
}

/** Removes the mark that a kill left after the file was claimed. */
async function removeOrphanedMark(watched: HeldFolder, name: string): Promise<void> {
  const mark = watched.at(name + MARK);
  if ((await lstat(mark).catch(orGone)) === undefined) return;
  // In this order, because a mark that existed before the next file of that name does not apply to that file.
  if ((await lstat(watched.at(name)).catch(orGone)) === undefined) await rm(mark, { force: true });
}

/** Whether a text seems to end in the middle of a line. Workbooks have no lines. */
async function isInLine(path: Buffer): Promise<boolean> {
  await using file = await openRealFile(path).catch(() => undefined);
  if (file === undefined) return false;
  const { size } = await file.stat();
  const start = Buffer.alloc(2);
  const end = Buffer.alloc(2);
  await file.read(start, 0, 2, 0);
  await file.read(end, 0, 2, Math.max(0, size - 2));
  // A zip; a compound file.
  if (['504b', 'd0cf'].includes(start.toString('hex'))) return false;
  // The other byte is 0 in UTF-16.
  const last = end.filter((byte) => byte !== 0).at(-1);
  return last !== LINE_FEED && last !== CARRIAGE_RETURN;
}

function markOf(path: Buffer): Buffer {
  return Buffer.concat([path, Buffer.from(MARK)]);
}
