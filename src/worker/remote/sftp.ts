/** SFTP by ssh2-sftp-client, an optional package loaded on use. The host's key is pinned. */
import { createHash } from 'node:crypto';
import type Client from 'ssh2-sftp-client';
import type { SftpServer } from '../config/remotes.ts';
import { openConnection, PATIENCE_MS } from './connect.ts';
import { notInstalled } from './optional.ts';
import { passwordOf, type ConnectionContext, readConfigured } from './connection-context.ts';
import { defined } from '../../base/defined.ts';

/** Silences the library, which would print to stdout; stdout belongs to the caller. */
const SILENT = { error: () => undefined, end: () => undefined, close: () => undefined };

/** Logs in, and closes the connection when `work` has ended. */
export async function withSftp<T>(
  server: SftpServer,
  context: ConnectionContext,
  signal: AbortSignal,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const { default: SftpClient } = await import('ssh2-sftp-client').catch(notInstalled('ssh2-sftp-client'));
  const client = new SftpClient('shelflift', SILENT);
  const password = passwordOf(server, context);
  const privateKey =
    server.privateKeyFile === undefined ? undefined : readConfigured(server.privateKeyFile, context, true);
  const sock = await openConnection(server, signal);
  const pinned = server.hostKey.replace(/=$/, '');
  let offered: string | undefined;
  try {
    await client.connect({
      sock,
      username: server.user,
      readyTimeout: PATIENCE_MS,
      // Notices a server that disappears during an upload, which would otherwise wait forever.
      keepaliveInterval: PATIENCE_MS / 3,
      keepaliveCountMax: 3,
      retries: 0,
      hostVerifier: (key: Buffer) => {
        offered = fingerprint(key);
        return offered === pinned;
      },
      ...defined({ password, privateKey }),
    });
    return await work(client);
  } catch (cause) {
    if (offered === undefined || offered === pinned) throw cause;
    throw new Error(
      `${server.host} shows the host key ${offered}, and the configuration pins ${server.hostKey}: nothing was sent`,
      { cause },
    );
  } finally {
    await client.end().catch(() => undefined);
    sock.destroy();
  }
}

/** As `ssh-keygen -lf` and OpenSSH show it. */
function fingerprint(key: Buffer): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;
}
