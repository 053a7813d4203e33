/** A claimed file that waits in processing/, where others may have replaced it. */
import { basename, dirname, join } from 'node:path';
import type { BigIntStats } from 'node:fs';
import { lstat, rmdir, utimes } from 'node:fs/promises';
import { UsageError } from '../../base/errors.ts';
import { message } from '../../messages/message.ts';
import { fileError } from '../../sheets/file-error.ts';
import { hashFile } from '../../sheets/hash-file.ts';
import { copyWhole } from '../copy-file.ts';
import { HeldFolder, identityOf, openRealFile, orGone } from './held-folder.ts';
import { PROCESSING } from './own-folders.ts';

export interface Claimed {
  claimed: string;
  /** The watched folder. */
  folder: string;
  identity: string;
}

/**
 * Copies the claimed file to a folder that only this user can write to. So the imported file is the one
 * that was claimed, even if the watched folder changes meanwhile.
 *
 * @param folder a folder of this user
 * @returns the copy
 * @throws UsageError `unsafe_folder`, `claim_replaced`, `no_such_file`
 */
export async function copyClaimed(source: Claimed, folder: string, signal: AbortSignal): Promise<string> {
  const copy = join(folder, basename(source.claimed));
  await using watched = await HeldFolder.open(source.folder);
  await withClaimed(source, watched, async ({ path, found }) => {
    await using file = await openRealFile(path).catch((cause: unknown) => {
      throw fileError(join(source.folder, basename(copy)), cause);
    });
    const opened = await file?.stat({ bigint: true });
    // A file with a further name elsewhere may belong to another user, and the person who dropped it may
    // not be allowed to read it.
    const isSame = opened?.dev === found?.dev && opened?.ino === found?.ino && opened?.nlink === 1n;
    if (file === undefined || opened === undefined || !isSame) throw replaced(source);
    await copyWhole(file, copy, signal);
    // The metadata from before the copy, so that a change during the copy is noticed.
    await utimes(copy, Number(opened.atimeMs) / 1000, Number(opened.mtimeMs) / 1000);
  });
  return copy;
}

/**
 * Whether the claimed file has been written to since `copyClaimed` made the copy; false if it is gone.
 *
 * @param read the content's hash as it was imported, if that is known: another machine may have the copy
 */
export async function hasGrown(source: Claimed, copy: string, read: string | undefined): Promise<boolean> {
  const [now, before] = await Promise.all([source.claimed, copy].map((path) => lstat(path).catch(orGone)));
  if (now === undefined || !now.isFile()) return false;
  if (before === undefined) return read !== undefined && (await hashFile(source.claimed)) !== read;
  if (now.size !== before.size) return true;
  if (Math.abs(now.mtimeMs - before.mtimeMs) < 1) return false;
  return (await hashFile(source.claimed)) !== (await hashFile(copy));
}

/**
 * @param work gets the path of the claimed file and its metadata, which is undefined if the file is gone
 * @throws UsageError `unsafe_folder`; `claim_replaced` if it is not the file that was claimed
 */
export async function withClaimed<T>(
  source: Claimed,
  watched: HeldFolder,
  work: (at: { path: string; found: BigIntStats | undefined }) => Promise<T>,
): Promise<T> {
  await using processing = await watched.inside(PROCESSING, { make: true, closed: true });
  const id = basename(dirname(source.claimed));
  // The folder is removed with its file.
  await using folder = await processing.inside(id, { closed: true }).catch(orGone);
  const at = folder === undefined ? undefined : await fileIn(folder, source);
  const result = await work(at ?? { path: source.claimed, found: undefined });
  // A power cut must not bring the file back once its run has ended: it would be taken for another one.
  await folder?.sync();
  // Fails unless the file has gone.
  await rmdir(processing.at(id)).catch(() => undefined);
  await processing.sync();
  return result;
}

async function fileIn(
  folder: HeldFolder,
  source: Claimed,
): Promise<{ path: string; found: BigIntStats | undefined }> {
  const path = folder.at(basename(source.claimed));
  const found = await lstat(path, { bigint: true }).catch(orGone);
  if (found !== undefined && !(found.isFile() && (await isClaimed(source, found, folder))))
    throw replaced(source);
  return { path, found };
}

async function isClaimed({ identity }: Claimed, found: BigIntStats, folder: HeldFolder): Promise<boolean> {
  return identity === (await identityOf(found, folder));
}

function replaced({ claimed, folder }: Claimed): UsageError {
  return new UsageError('claim_replaced', message('claim_replaced', { file: claimed }), {
    actions: [{ do: 'byHand', label: message('move_into_folder', { folder }) }],
  });
}
