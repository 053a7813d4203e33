/** Files that wait for their run, and those that wait for their delivery, by the run's id. */
import { readdir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { UsageError } from '../../errors.ts';
import { makeFolder } from '../../make-folder.ts';
import { copyWhole } from '../copy-file.ts';

export interface Spool {
  /** True where every machine that uses the store can read it. */
  readonly shared: boolean;
  /** A folder of this machine for a run's files; made. */
  folder(runId: string): string;
  /** Keeps a copy of a file under its own name. */
  put(runId: string, file: string): Promise<void>;
  /**
   * The file on this machine; undefined where it was never put, or is gone.
   * @throws ShelfliftError `spool_damaged` where it is not what was put
   */
  fetch(runId: string, name: string): Promise<string | undefined>;
  /** Removes what this machine has of a run, where it can be fetched again. */
  release(runId: string): Promise<void>;
  /** Removes all that is kept for a run. */
  remove(runId: string): Promise<void>;
  /** Removes what is kept for none of these runs, and was put before then (ms since the epoch): kills leave it. */
  prune(runIds: ReadonlySet<string>, putBefore: number): Promise<void>;
}

/** Beside an SQLite store: the machine of the store is the only one. */
export class FolderSpool implements Spool {
  readonly shared = false;
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  folder(runId: string): string {
    const folder = join(this.#root, folderName(runId));
    makeFolder(folder, 0o700);
    return folder;
  }

  async put(runId: string, file: string): Promise<void> {
    const target = join(this.folder(runId), basename(file));
    if (target === file) return;
    // Once it is said to be taken in, also a power cut must not lose it.
    await copyWhole(file, target);
  }

  async fetch(runId: string, name: string): Promise<string | undefined> {
    const file = join(this.#root, folderName(runId), name);
    return (await stat(file).catch(() => undefined))?.isFile() === true ? file : undefined;
  }

  async release(): Promise<void> {
    // This machine's copy is the only one.
  }

  async remove(runId: string): Promise<void> {
    await rm(join(this.#root, folderName(runId)), { recursive: true, force: true });
  }

  async prune(runIds: ReadonlySet<string>, putBefore: number): Promise<void> {
    const known = new Set([...runIds].map(folderName));
    for (const name of await readdir(this.#root).catch(() => [])) {
      const folder = join(this.#root, name);
      const there = known.has(name) ? undefined : await stat(folder).catch(() => undefined);
      if (there !== undefined && there.mtimeMs < putBefore)
        await rm(folder, { recursive: true, force: true });
    }
  }
}

/** What comes out of the spool is not what was put in: nothing is imported or delivered of it. */
export function damaged(name: string): UsageError {
  return new UsageError(
    'spool_damaged',
    `the copy of ${name} in the spool is damaged: its SHA-256 is another`,
  );
}

/** Names of schedules and times as every file system takes them. */
function folderName(runId: string): string {
  return runId.replaceAll(/[^\w.@-]/g, '-');
}
