/** Delivers by rclone. Each file is uploaded beside its place and moved over it: whole or not there. */
import { basename, dirname } from 'node:path';
import type { ConnectionContext } from '../remote/connection-context.ts';
import { rclone, remotePath } from '../remote/rclone.ts';
import { type Parcel, partialName } from './parcel.ts';

/**
 * Without it rclone takes a file of equal size for the same one where a server keeps no times (WebDAV): the new content
 * would be thrown away, and the old one stay.
 */
const ALWAYS_WRITE = ['--ignore-times'];

/** @throws as `rclone` */
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
