/** Files that wait for their run, and those that wait for their delivery, by the run's id. */
import { copyFile, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { makeFolder } from '../../make-folder.ts';

export interface Spool {
  /** True where every machine that uses the store can read it. */
  readonly shared: boolean;
  /** A folder of this machine for a run's files; made. */
  folder(runId: string): string;
  /** Keeps a copy of a file under its own name. */
  put(runId: string, file: string): Promise<void>;
  /** The file on this machine; undefined where it was never put, or is gone. */
  fetch(runId: string, name: string): Promise<string | undefined>;
  /** Removes what this machine has of a run, where it can be fetched again. */
  release(runId: string): Promise<void>;
  /** Removes all that is kept for a run. */
  remove(runId: string): Promise<void>;
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
    // Whole or not there: a kill while copying leaves nothing that a run would take for the file.
    await copyFile(file, `${target}.part`);
    await rename(`${target}.part`, target);
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
}

/** Names of schedules and times as every file system takes them. */
function folderName(runId: string): string {
  return runId.replaceAll(/[^\w.@-]/g, '-');
}
