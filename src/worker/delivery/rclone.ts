/**
 * Delivers by rclone. Each file is uploaded under a temporary name and then moved into place: the target
 * is either complete or absent.
 */
import { basename, dirname } from 'node:path';
import type { ConnectionContext } from '../remote/connection-context.ts';
import { rclone, remotePath } from '../remote/rclone.ts';
import { type Parcel, partialName } from './parcel.ts';

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
  const folder = dirname(parcel.name).split(/[\\/]/).join('/');
  for (const file of parcel.files) {
    const partial = remotePath(target, folder, partialName(file, parcel));
    await rclone('copyto', ALWAYS_WRITE, [file, partial], { context, signal });
    await rclone('moveto', ALWAYS_WRITE, [partial, remotePath(target, folder, basename(file))], {
      context,
      signal,
    });
  }
}
