/**
 * Delivers over SFTP. Each file is uploaded under a temporary name and then renamed: the target is either
 * complete or absent.
 */
import { posix } from 'node:path';
import type Client from 'ssh2-sftp-client';
import type { SftpTarget } from '../config/remotes.ts';
import type { ConnectionContext } from '../remote/connection-context.ts';
import { withSftp } from '../remote/sftp.ts';
import type { IsTaken } from './change-files.ts';
import { namedFiles, type Parcel, partialName } from './parcel.ts';

export async function deliverBySftp(
  target: SftpTarget,
  parcel: Parcel,
  context: ConnectionContext,
  signal: AbortSignal,
): Promise<void> {
  await withSftp(target, context, signal, async (client) => {
    const folder = posix.dirname(pathOf(target, parcel.name));
    if ((await client.exists(folder)) === false) await client.mkdir(folder, true);
    for (const { file, as } of namedFiles(parcel)) {
      const partial = posix.join(folder, partialName(file, parcel));
      await client.fastPut(file, partial);
      await replace(client, partial, posix.join(folder, as));
    }
  });
}

/** Asks the server whether it has files of some names. */
export async function lookBySftp<T>(
  target: SftpTarget,
  context: ConnectionContext,
  signal: AbortSignal,
  choose: (isTaken: IsTaken) => Promise<T>,
): Promise<T> {
  return withSftp(target, context, signal, (client) =>
    choose(async (name) => (await client.exists(pathOf(target, name))) !== false),
  );
}

function pathOf({ folder }: SftpTarget, name: string): string {
  return posix.join(folder, name.replaceAll('\\', '/'));
}

/**
 * OpenSSH's rename replaces a file in one step. The standard SFTP rename fails if the name is taken, so the earlier
 * file is moved away first, and moved back if the new file cannot take its place.
 */
async function replace(client: Client, from: string, to: string): Promise<void> {
  try {
    await client.posixRename(from, to);
    return;
  } catch {
    // Not every server has this extension.
  }
  const earlier = `${from}.old`;
  const isTaken = (await client.exists(to)) !== false;
  if (isTaken) {
    await client.delete(earlier, true);
    await client.rename(to, earlier);
  }
  try {
    await client.rename(from, to);
  } catch (cause) {
    if (isTaken) await client.rename(earlier, to);
    throw cause;
  }
  // Also left by a delivery that was interrupted after its first step.
  await client.delete(earlier, true);
}
