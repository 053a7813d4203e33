/** Delivers over SFTP. Each file is uploaded beside its place and renamed over it: whole or not there. */
import { basename, posix } from 'node:path';
import type { SftpTarget } from '../config/remotes.ts';
import type { Place } from '../remote/place.ts';
import { withSftp } from '../remote/sftp.ts';
import { type Parcel, partialName } from './parcel.ts';

export async function deliverBySftp(
  target: SftpTarget,
  parcel: Parcel,
  place: Place,
  signal: AbortSignal,
): Promise<void> {
  await withSftp(target, place, signal, async (client) => {
    const name = parcel.name.split(/[\\/]/).join('/');
    const folder = posix.join(target.folder, posix.dirname(name));
    if ((await client.exists(folder)) === false) await client.mkdir(folder, true);
    for (const file of parcel.files) {
      const partial = posix.join(folder, partialName(file, parcel));
      await client.fastPut(file, partial);
      await replace(client, partial, posix.join(folder, basename(file)));
    }
  });
}

interface Renames {
  posixRename(from: string, to: string): Promise<unknown>;
  rename(from: string, to: string): Promise<unknown>;
  delete(path: string, noErrorOk?: boolean): Promise<unknown>;
}

/** SFTP's own rename refuses a name that is taken; OpenSSH's extension replaces it, in one step. */
async function replace(client: Renames, from: string, to: string): Promise<void> {
  try {
    await client.posixRename(from, to);
  } catch {
    await client.delete(to, true);
    await client.rename(from, to);
  }
}
