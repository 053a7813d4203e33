/**
 * Delivers by rclone. Each file is uploaded under a temporary name and then moved into place: the target
 * is either complete or absent.
 */
import { ShelfliftError } from '../../base/errors.ts';
import { basename, dirname } from 'node:path';
import type { ConnectionContext } from '../remote/connection-context.ts';
import { rclone, remotePath } from '../remote/rclone.ts';
import type { IsTaken } from './change-files.ts';
import { namedFiles, type Parcel, partialName } from './parcel.ts';

/**
 * Without this option, rclone treats files of equal size as identical on a server that keeps no times
 * (WebDAV), and does not upload the new content.
 */
const ALWAYS_WRITE = ['--ignore-times'];

/** @throws the same errors as `rclone` */
export async function deliverByRclone(
  target: string,
  parcel: Parcel,
  context: ConnectionContext,
  signal: AbortSignal,
): Promise<void> {
  const folder = folderOf(parcel.name);
  for (const { file, as } of namedFiles(parcel)) {
    const partial = remotePath(target, folder, partialName(file, parcel));
    await rclone('copyto', ALWAYS_WRITE, [file, partial], { context, signal });
    await rclone('moveto', ALWAYS_WRITE, [partial, remotePath(target, folder, as)], {
      context,
      signal,
    });
  }
}

/** Lists the folder of a name once, and tells which names are in it. @throws the same errors as `rclone` */
export async function lookByRclone<T>(
  target: string,
  wanted: string,
  around: { context: ConnectionContext; signal: AbortSignal },
  choose: (isTaken: IsTaken) => Promise<T>,
): Promise<T> {
  const list = await rclone('lsf', [], [remotePath(target, folderOf(wanted))], around).catch(
    (error: unknown) => {
      // The delivery makes the folder.
      if (error instanceof ShelfliftError && error.code === 'remote_missing') return '';
      throw error;
    },
  );
  // Many cloud drives take names that differ only in case for the same.
  const taken = new Set(list.toLowerCase().split('\n'));
  return choose((name) => taken.has(basename(name).toLowerCase()));
}

function folderOf(name: string): string {
  return dirname(name).replaceAll('\\', '/');
}
