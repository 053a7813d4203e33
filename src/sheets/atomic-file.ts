/**
 * Writes a file that is either complete or absent: under a temporary name in the same folder, flushed to the disk, then
 * renamed. A failure or a kill leaves the old file unchanged.
 */
import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { type FileHandle, lstat, open, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { SheetError } from '../base/errors.ts';
import { systemCode } from './file-error.ts';
import { removeStaleTempFiles, temporaryName } from './stale-temp-files.ts';
import { byHand, message } from '../messages/message.ts';
import type { Message } from '../messages/params.ts';

export interface AtomicFile {
  /** Absolute path the file will have. */
  readonly file: string;
  /** Appends; resolves when the operating system has accepted it, so awaiting it gives backpressure. */
  write(chunk: string | Uint8Array): Promise<void>;
  /** Flushes and renames. Returns the SHA-256 of the content as lower-case hex, and its size in bytes. */
  commit(): Promise<{ sha256: string; bytes: number }>;
  /** Removes the temporary file; the old file stays. Does nothing after commit or a second time. */
  abort(): Promise<void>;
}

/**
 * Opens `file` for writing. The new file keeps the old one's mode; for a link, the target is replaced.
 *
 * @param given permissions of the file, less the umask; default: those of the replaced file
 * @throws SheetError `cannot_write` if the folder is missing or not writable, and those of placeOf
 */
export async function openAtomicFile(file: string, given?: number): Promise<AtomicFile> {
  const { target, mode } = await placeOf(file);
  await removeStaleTempFiles(dirname(target), basename(target));
  const temporary = join(dirname(target), temporaryName(basename(target)));
  const handle = await openNew(target, temporary, given, mode);
  const hash = createHash('sha256');
  let bytes = 0;
  let closed = false;

  const discard = async () => {
    if (closed) return;
    closed = true;
    await handle.close();
    await rm(temporary, { force: true });
  };

  return {
    file: target,
    async write(chunk) {
      const buffer = typeof chunk === 'string' ? Buffer.from(chunk, 'utf8') : chunk;
      hash.update(buffer);
      bytes += buffer.byteLength;
      try {
        await writeAll(handle, buffer);
      } catch (cause) {
        throw writeError(target, cause);
      }
    },
    async commit() {
      try {
        await handle.sync();
        await handle.close();
        closed = true;
        await rename(temporary, target);
      } catch (cause) {
        if (!closed) await handle.close();
        closed = true;
        await rm(temporary, { force: true });
        throw writeError(target, cause);
      }
      await syncFolder(dirname(target));
      return { sha256: hash.digest('hex'), bytes };
    },
    abort: discard,
  };
}

/** Writes a whole text atomically. Throws the same errors as openAtomicFile. */
export async function writeFileAtomic(file: string, text: string): Promise<void> {
  const target = await openAtomicFile(file);
  try {
    await target.write(text);
    await target.commit();
  } finally {
    await target.abort();
  }
}

/**
 * The absolute path to write to, and the mode (permission bits) of an existing file.
 *
 * A link is followed only if it and its target belong to this user; someone else's link may lead anywhere.
 * @throws SheetError `cannot_write` for any other link, and for anything that is not a regular file
 */
export async function placeOf(file: string): Promise<{ target: string; mode?: number }> {
  const named = resolve(file);
  await checkFolderOf(named);
  const found = await lstat(named).catch(() => undefined);
  if (found === undefined || found.isDirectory()) return { target: named };
  if (!found.isSymbolicLink()) return { target: named, mode: modeOf(named, found) };
  const target = await realpath(named).catch(() => undefined);
  const linked = target === undefined ? undefined : await lstat(target).catch(() => undefined);
  if (target === undefined || linked === undefined) throw closed(named, message('link_leads_nowhere', {}));
  const own = process.getuid?.();
  if (own !== undefined && (found.uid !== own || linked.uid !== own))
    throw closed(named, message('link_of_others', { target }));
  return { target, mode: modeOf(target, linked) };
}

/**
 * Refuses a folder that is a link made by another user, because such a link may lead anywhere.
 * @throws SheetError `cannot_write`
 */
export async function checkFolderOf(file: string): Promise<void> {
  const folder = dirname(resolve(file));
  const found = await lstat(folder).catch(() => undefined);
  const own = process.getuid?.();
  if (found?.isSymbolicLink() !== true || own === undefined) return;
  if (found.uid !== own && found.uid !== 0) throw closed(file, message('folder_link_of_others', { folder }));
}

function modeOf(file: string, found: Stats): number {
  if (!found.isFile()) throw closed(file, message('not_a_regular_file', {}));
  return found.mode & 0o777;
}

async function openNew(
  target: string,
  temporary: string,
  given: number | undefined,
  kept: number | undefined,
): Promise<FileHandle> {
  try {
    const handle = await open(temporary, 'wx', given ?? kept);
    // Includes the bits that the umask has removed.
    if (given === undefined && kept !== undefined) await handle.chmod(kept);
    return handle;
  } catch (cause) {
    throw writeError(target, cause);
  }
}

async function writeAll(handle: FileHandle, buffer: Uint8Array): Promise<void> {
  let at = 0;
  while (at < buffer.byteLength) {
    const { bytesWritten } = await handle.write(buffer, at, buffer.byteLength - at);
    at += bytesWritten;
  }
}

/** Makes the new name durable by syncing the folder (POSIX); Windows cannot open folders and does not need it. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Explains errors of unwritable places and full disks; other errors pass unchanged. */
export function writeError(file: string, cause: unknown): unknown {
  const code = systemCode(cause);
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new SheetError('disk_full', message('disk_full', { file }), {
      cause,
      position: { file },
      actions: [byHand('free_space_for_file', {})],
    });
  }
  const why = whyUnwritable(cause);
  return why === undefined ? cause : closed(file, why, cause);
}

const REASONS = {
  ENOENT: 'folder_does_not_exist',
  ENOTDIR: 'folder_is_a_file',
  EISDIR: 'folder_has_that_name',
  ENOTEMPTY: 'folder_has_that_name',
  EACCES: 'user_may_not_write',
  EPERM: 'user_may_not_write',
  EROFS: 'disk_is_read_only',
  ENAMETOOLONG: 'name_is_too_long',
  EBUSY: 'open_elsewhere',
} as const;

/** Why nothing can be written at a place, if the system's error is one of a place. */
export function whyUnwritable(cause: unknown): Message | undefined {
  const reason = Object.entries(REASONS).find(([code]) => code === systemCode(cause))?.[1];
  return reason === undefined ? undefined : message(reason, {});
}

function closed(file: string, why: Message, cause?: unknown): SheetError {
  return new SheetError('cannot_write', message('cannot_write', { file, why }), {
    cause,
    position: { file },
    actions: [byHand('choose_another_place', {})],
  });
}
