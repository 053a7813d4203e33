/** Files that wait for their run or their delivery, by the run's id. */
import { readdir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import { message } from '../../messages/message.ts';
import { makeFolder } from '../../base/make-folder.ts';
import { copyWhole } from '../copy-file.ts';
import type { Runs } from './runs.ts';

export interface Spool {
  /** True if every machine that uses the store can read it. */
  readonly shared: boolean;
  /** Makes a local folder for a run's files. */
  folder(runId: string): string;
  /** Keeps a copy of a file under its own name. */
  put(runId: string, file: string): Promise<void>;
  /**
   * The local path of a file; undefined if it was never put, or is gone.
   * @throws ShelfliftError `spool_damaged` if its content is not what was put
   */
  fetch(runId: string, name: string): Promise<string | undefined>;
  /** Removes the local copies of a run's files, if they can be fetched again. */
  release(runId: string): Promise<void>;
  /** Removes all files of a run. */
  remove(runId: string): Promise<void>;
  /** Removes leftovers of kills: files of no run, put before this time (ms since the epoch). */
  prune(runs: Runs, putBefore: number): Promise<void>;
}

/** Beside an SQLite store, which has only one machine. */
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
    // Once a file counts as submitted, even a power cut must not lose it.
    await copyWhole(file, target);
  }

  async fetch(runId: string, name: string): Promise<string | undefined> {
    const file = join(this.#root, folderName(runId), name);
    return (await stat(file).catch(() => undefined))?.isFile() === true ? file : undefined;
  }

  async release(): Promise<void> {
    // The local copy is the only one.
  }

  async remove(runId: string): Promise<void> {
    await rm(join(this.#root, folderName(runId)), { recursive: true, force: true });
  }

  async prune(runs: Runs, putBefore: number): Promise<void> {
    const old = new Set<string>();
    for (const name of await readdir(this.#root).catch(() => [])) {
      const there = await stat(join(this.#root, name)).catch(() => undefined);
      if (there !== undefined && there.mtimeMs < putBefore) old.add(name);
    }
    if (old.size === 0) return;
    // A name does not say which run it is of.
    for await (const { id } of runs.each()) old.delete(folderName(id));
    for (const name of old) await rm(join(this.#root, name), { recursive: true, force: true });
  }
}

/** The file is not what was put into the spool, so nothing of it is imported or delivered. */
export function damaged(name: string): UsageError {
  return new UsageError('spool_damaged', message('spool_damaged', { file: name }));
}

/** Turns names of schedules and times into names that every file system accepts. */
function folderName(runId: string): string {
  return runId.replaceAll(/[^\w.@-]/g, '-');
}
