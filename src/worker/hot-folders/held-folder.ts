/**
 * A folder that is held open while it is used, so that nobody can replace it with a link or another folder.
 *
 * Anybody who may write to a watched folder may also rename its contents at any moment. On Linux every path goes
 * through the open folder (/proc/self/fd/N), so a rename cannot redirect it. Other systems do not offer Node such a
 * path: there the folder is checked and then used by name.
 */
import { type BigIntStats, constants, existsSync } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readdir, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import { message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';

/** Undefined on Windows, where bitwise operations treat it as 0. */
const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
const OPEN_FOLDERS = '/proc/self/fd';
const CAN_HOLD = process.platform === 'linux' && existsSync(OPEN_FOLDERS);
/** Mode of the folders that shelflift creates: others may read them, whatever the umask. */
const MODE = 0o755;
const WRITABLE_BY_OTHERS = 0o022;

export interface FolderEntry {
  /** Path of the entry, valid while the folder is held. */
  path: Buffer;
  /** The bytes of the entry's name, one character each: names from older systems are not UTF-8. */
  key: string;
  /** The entry's name as text, for people and for derived names. */
  name: string;
  kind: 'file' | 'folder' | 'link' | 'other';
}

export class HeldFolder implements AsyncDisposable {
  /** Path of the folder, as text for people. */
  readonly path: string;
  readonly #handle: FileHandle | undefined;

  private constructor(path: string, handle: FileHandle | undefined) {
    this.path = path;
    this.#handle = handle;
  }

  /** The watched folder itself. Links on the way are followed, because its path was configured. */
  static async open(path: string): Promise<HeldFolder> {
    if (!CAN_HOLD) return new HeldFolder(path, undefined);
    return new HeldFolder(path, await open(path, O_RDONLY | O_DIRECTORY));
  }

  /**
   * One of the worker's folders in this folder: a real folder that belongs to this user or to root.
   *
   * @param options.make makes it if it is missing
   * @param options.closed removes other people's right to write into it
   * @throws UsageError `unsafe_folder`
   */
  async inside(
    name: string,
    { make = false, closed = false }: { make?: boolean; closed?: boolean } = {},
  ): Promise<HeldFolder> {
    const path = join(this.path, name);
    const held = this.at(name);
    if (make) await mkdir(held, MODE).catch(unlessThere);
    const found = await lstat(held);
    if (found.isSymbolicLink()) throw unsafe(message('unsafe_link', { path }));
    if (!found.isDirectory()) throw unsafe(message('unsafe_not_a_folder', { path }));
    const folder = new HeldFolder(path, CAN_HOLD ? await openFolder(held, path) : undefined);
    try {
      const { uid, mode } = (await folder.#handle?.stat()) ?? found;
      const own = process.getuid?.();
      if (own !== undefined && uid !== own && uid !== 0)
        throw unsafe(message('unsafe_owner', { path, user: uid }));
      if (closed && own !== undefined && (mode & WRITABLE_BY_OTHERS) !== 0) await folder.#close(mode);
      return folder;
    } catch (error) {
      await folder[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Makes new and moved names in the folder durable. */
  async sync(): Promise<void> {
    await this.#handle?.sync();
  }

  /** The path of an entry of this folder, for system calls that do not follow a final link. */
  at(name: string): string {
    return this.#handle === undefined ? join(this.path, name) : `${OPEN_FOLDERS}/${this.#handle.fd}/${name}`;
  }

  async entries(): Promise<FolderEntry[]> {
    const folder = this.#handle === undefined ? this.path : `${OPEN_FOLDERS}/${this.#handle.fd}`;
    const found = await readdir(folder, { withFileTypes: true, encoding: 'buffer' });
    const start = Buffer.from(folder + sep);
    return found.map((entry) => ({
      path: Buffer.concat([start, entry.name]),
      key: entry.name.toString('latin1'),
      name: textOf(entry.name),
      kind: entry.isFile()
        ? 'file'
        : entry.isDirectory()
          ? 'folder'
          : entry.isSymbolicLink()
            ? 'link'
            : 'other',
    }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle?.close();
  }

  async #close(mode: number): Promise<void> {
    try {
      await this.#handle?.chmod(mode & 0o777 & ~WRITABLE_BY_OTHERS);
    } catch {
      throw unsafe(message('unsafe_open', { path: this.path }));
    }
  }
}

/** Opens a file, but not a link or anything that would block its reader. */
export async function openRealFile(path: string | Buffer): Promise<FileHandle | undefined> {
  const handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((error: unknown) => {
    // The error of O_NOFOLLOW for a link; FreeBSD has EMLINK.
    if (['ELOOP', 'EMLINK'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  });
  if (handle === undefined || (await handle.stat()).isFile()) return handle;
  await handle.close();
  return undefined;
}

/**
 * Identifies a claimed file by inode and device, so that a replacement is noticed. A restart may change the number of a
 * device, so the device is left out if it is the folder's own.
 */
export async function identityOf({ dev, ino }: BigIntStats, folder: HeldFolder): Promise<string> {
  const around = await stat(folder.at('.'), { bigint: true });
  return `${dev === around.dev ? '' : dev}:${ino}`;
}

async function openFolder(held: string, path: string): Promise<FileHandle> {
  try {
    return await open(held, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  } catch (error) {
    // The entry was a folder a moment ago.
    if (['ELOOP', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? ''))
      throw unsafe(message('unsafe_link', { path }));
    throw error;
  }
}

function unsafe(said: Message): UsageError {
  return new UsageError('unsafe_folder', said, {
    actions: [{ do: 'byHand', label: message('move_folder_away', {}) }],
  });
}

/** @throws the error, unless it says that the file or folder does not exist */
export function orGone(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}

function unlessThere(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
}

/** Windows-1252 has a letter for every byte, and the right one for most old names. */
function textOf(name: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(name);
  } catch {
    return new TextDecoder('windows-1252').decode(name);
  }
}
