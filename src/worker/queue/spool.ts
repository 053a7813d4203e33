/**
 * Files that wait for their run or their delivery, by the run's id.
 *
 * An SQLite store has one machine, so they are in a folder beside it. A database serves many machines:
 * the files are in it, in pieces, so that any machine can import a file that was submitted on another
 * one; the folder has copies.
 */
import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { makeFolder } from '../../base/make-folder.ts';
import { UsageError } from '../../base/errors.ts';
import type { KeyValues } from '../../ledger/key-values.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { isPostgresLocation } from '../../ledger/postgres/location.ts';
import { message } from '../../messages/message.ts';
import { hashFile } from '../../sheets/hash-file.ts';
import { copyWhole } from '../copy-file.ts';
import type { Runs } from './runs.ts';

/** Prefix of the files' spaces in a database. */
export const SPOOLED = 'spool:';
/** Bytes per piece: each is one value, written by one statement. */
const PIECE = 768 * 1024;
const END = 'end';

export class Spool {
  readonly #root: string;
  readonly #values: KeyValues | undefined;

  /** @param values of the database that has the files; without a database they are only in the folder */
  constructor(folder: string, values?: KeyValues) {
    this.#root = folder;
    this.#values = values;
  }

  /** @param fetched local folder for files that are fetched from databases */
  static of(ledger: Ledger, fetched: string): Spool {
    if (!isPostgresLocation(ledger.location)) return new Spool(spoolFolderOf(ledger.location));
    // Schedules of two databases may have the same name, and so the same runs.
    const store = createHash('sha256').update(ledger.location).digest('hex').slice(0, 8);
    return new Spool(join(fetched, store), ledger.values);
  }

  /** Makes a local folder for a run's files. */
  folder(runId: string): string {
    const folder = this.#folderOf(runId);
    makeFolder(folder, 0o700);
    return folder;
  }

  /**
   * Makes a folder in the run's folder for the files of one try. Its name is part of their names: a worker that was
   * suspended cannot replace what another one has made since.
   */
  async folderOfTry(runId: string): Promise<string> {
    return mkdtemp(join(this.folder(runId), 'try-'));
  }

  /**
   * Keeps a file: a copy, unless files are kept in the run's folder and the file is there already.
   *
   * @param name default its path in the run's folder; for a file from elsewhere, its own name
   * @returns the name to fetch it by
   */
  async put(runId: string, file: string, name = this.#nameOf(runId, file)): Promise<string> {
    const values = this.#values;
    if (values === undefined) {
      const target = join(this.folder(runId), name);
      // Once a file counts as submitted, it must survive even a power cut.
      if (resolve(target) !== resolve(file)) {
        makeFolder(dirname(target), 0o700);
        await copyWhole(file, target);
      }
      return name;
    }
    const space = spaceOf(runId, name);
    // Names of pieces are unique, so that a suspended worker cannot mix its pieces into a file put later.
    const id = randomBytes(4).toString('hex');
    const hash = createHash('sha256');
    let pieces = 0;
    for await (const chunk of createReadStream(file, { highWaterMark: PIECE })) {
      hash.update(chunk as Buffer);
      const value = (chunk as Buffer).toString('base64');
      await values.put(space, [{ key: pieceKey(id, pieces), value }]);
      pieces += 1;
    }
    // Written last: without it the file does not exist.
    await values.put(space, [{ key: END, value: `${id} ${pieces} ${hash.digest('hex')}` }]);
    return name;
  }

  /**
   * The local path of a file; undefined if it was never put, or is gone.
   * @throws ShelfliftError `spool_damaged` if its content differs from the file that was put
   */
  async fetch(runId: string, name: string): Promise<string | undefined> {
    const target = join(this.#folderOf(runId), name);
    const found = await stat(target).catch(() => undefined);
    const space = spaceOf(runId, name);
    const end = await this.#values?.get(space, END);
    if (this.#values === undefined || end === undefined) return found?.isFile() === true ? target : undefined;
    const [id = '', pieces, sha256] = end.split(' ');
    if (found !== undefined && (await hashFile(target)) === sha256) return target;
    const hash = createHash('sha256');
    makeFolder(dirname(target), 0o700);
    const part = `${target}.part`;
    await using handle = await open(part, 'w', 0o600);
    for (let index = 0; index < Number(pieces); index += 1) {
      const piece = Buffer.from((await this.#values.get(space, pieceKey(id, index))) ?? '', 'base64');
      hash.update(piece);
      await handle.writeFile(piece);
    }
    if (hash.digest('hex') !== sha256) throw damaged(name);
    await rename(part, target);
    return target;
  }

  /** Removes the local copies of a run's files, if they can be fetched again. */
  async release(runId: string): Promise<void> {
    if (this.#values !== undefined) await rm(this.#folderOf(runId), { recursive: true, force: true });
  }

  /** Removes all files of a run. */
  async remove(runId: string): Promise<void> {
    for (const space of (await this.#values?.spaces(`${SPOOLED}${runId}:`)) ?? [])
      await this.#values?.remove(space);
    await rm(this.#folderOf(runId), { recursive: true, force: true });
  }

  /** Removes leftovers of kills: files of no run, put before this time (ms since the epoch). */
  async prune(runs: Runs, putBefore: number): Promise<void> {
    for (const space of (await this.#values?.spaces(SPOOLED)) ?? []) {
      const [first] = (await this.#values?.list(space, { limit: 1 })) ?? [];
      if (first === undefined || first.at >= putBefore) continue;
      const parts = space.slice(SPOOLED.length).split(':');
      // Ids and names may contain colons, too.
      const ids = parts.map((_, index) => parts.slice(0, index).join(':'));
      if ((await runs.existing(ids)).size === 0) await this.#values?.remove(space);
    }
    const old = new Set<string>();
    for (const name of await readdir(this.#root).catch(() => [])) {
      const there = await stat(join(this.#root, name)).catch(() => undefined);
      if (there !== undefined && there.mtimeMs < putBefore) old.add(name);
    }
    if (old.size === 0) return;
    // A name does not tell which run it belongs to.
    for await (const { id } of runs.each()) old.delete(folderName(id));
    for (const name of old) await rm(join(this.#root, name), { recursive: true, force: true });
  }

  #folderOf(runId: string): string {
    return join(this.#root, folderName(runId));
  }

  #nameOf(runId: string, file: string): string {
    const inside = relative(this.#folderOf(runId), file);
    return inside.startsWith('..') || isAbsolute(inside) ? basename(file) : inside.replaceAll(sep, '/');
  }
}

/** The spool of an SQLite store, by the path of its file. */
export function spoolFolderOf(store: string): string {
  return `${store}.spool`;
}

/** The error for a file that has changed in the spool; it is neither imported nor delivered. */
export function damaged(name: string): UsageError {
  return new UsageError('spool_damaged', message('spool_damaged', { file: name }));
}

/** Turns names of schedules and times into names that every file system accepts. */
function folderName(runId: string): string {
  return runId.replaceAll(/[^\w.@-]/g, '-');
}

function spaceOf(runId: string, name: string): string {
  return `${SPOOLED}${runId}:${name}`;
}

function pieceKey(id: string, index: number): string {
  return `${id}-${String(index).padStart(8, '0')}`;
}
