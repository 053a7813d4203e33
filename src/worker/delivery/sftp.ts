/** SFTP by ssh2-sftp-client, an optional package loaded on use. The host's key is pinned. */
import { createHash } from 'node:crypto';
import { basename, posix } from 'node:path';
import type { SftpTarget } from '../config/schema.ts';
import { openConnection, PATIENCE_MS } from './connect.ts';
import { loadOptional } from './optional.ts';
import { type Parcel, type Place, readConfigured, secretOf } from './place.ts';

/** What the library says by itself it prints, and stdout belongs to the caller. */
const SILENT = { error: () => undefined, end: () => undefined, close: () => undefined };

/** Each file is uploaded beside its place and renamed over it: whole or not there. */
export async function deliverBySftp(
  target: SftpTarget,
  parcel: Parcel,
  place: Place,
  signal: AbortSignal,
): Promise<void> {
  const { default: Client } = await loadOptional('ssh2-sftp-client', () => import('ssh2-sftp-client'));
  const client = new Client('shelflift', SILENT);
  const password = secretOf(target, place);
  const privateKey =
    target.privateKeyFile === undefined ? undefined : readConfigured(target.privateKeyFile, place, true);
  const sock = await openConnection(target, signal);
  let offered: string | undefined;
  try {
    await client.connect({
      sock,
      username: target.user,
      readyTimeout: PATIENCE_MS,
      // A server that went away in the middle is noticed: an upload itself would wait for ever.
      keepaliveInterval: PATIENCE_MS / 3,
      keepaliveCountMax: 3,
      retries: 0,
      hostVerifier: (key: Buffer) => {
        offered = fingerprint(key);
        return offered === target.hostKey.replace(/=$/, '');
      },
      ...(password === undefined ? {} : { password }),
      ...(privateKey === undefined ? {} : { privateKey }),
    });
    const name = parcel.name.split(/[\\/]/).join('/');
    const folder = posix.join(target.folder, posix.dirname(name));
    if ((await client.exists(folder)) === false) await client.mkdir(folder, true);
    for (const file of parcel.files) {
      const final = posix.join(folder, basename(file));
      const mark = createHash('sha256').update(parcel.key).digest('hex').slice(0, 8);
      const partial = posix.join(folder, `.${basename(file)}.${mark}.part`);
      await client.fastPut(file, partial);
      await replace(client, partial, final);
    }
  } catch (cause) {
    if (offered === undefined || offered === target.hostKey.replace(/=$/, '')) throw cause;
    throw new Error(
      `${target.host} shows the host key ${offered}, and the configuration pins ${target.hostKey}: nothing was sent`,
      { cause },
    );
  } finally {
    await client.end().catch(() => undefined);
    sock.destroy();
  }
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

/** As `ssh-keygen -lf` and OpenSSH show it. */
function fingerprint(key: Buffer): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;
}
