/** An SSH server for files, within the test. */
import { createHash, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import ssh2 from 'ssh2';
import { onTestFinished } from 'vitest';

/** An SSH server with files in a folder: OpenSSH's rename among its extensions, or not. */
export async function sftpServer(root: string, posixRename: boolean) {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  const parsed = ssh2.utils.parseKey(privateKey);
  if (parsed instanceof Error) throw parsed;
  const fingerprint = `SHA256:${createHash('sha256').update(parsed.getPublicSSH()).digest('base64').replace(/=+$/, '')}`;
  const { STATUS_CODE, OPEN_MODE } = ssh2.utils.sftp;
  const operations: string[] = [];
  let stalled = false;
  let refused: RegExp | undefined;
  const server = new ssh2.Server({ hostKeys: [privateKey] }, (client) => {
    client.on('error', () => undefined);
    client.on('authentication', (context) => {
      if (context.method === 'password' && context.username === 'books' && context.password === 'hunter2')
        context.accept();
      else context.reject(['password']);
    });
    client.on('session', (acceptSession) => {
      acceptSession().on('sftp', (acceptSftp) => {
        const sftp = acceptSftp();
        const handles = new Map<number, number>();
        const at = (path: string) => join(root, path);
        const tell = (id: number, work: () => void) => {
          try {
            work();
            sftp.status(id, STATUS_CODE.OK);
          } catch {
            sftp.status(id, STATUS_CODE.FAILURE);
          }
        };
        const stats = (id: number, path: string) => {
          try {
            const { mode, uid, gid, size, atimeMs, mtimeMs } = statSync(at(path));
            sftp.attrs(id, { mode, uid, gid, size, atime: atimeMs / 1000, mtime: mtimeMs / 1000 });
          } catch {
            sftp.status(id, STATUS_CODE.NO_SUCH_FILE);
          }
        };
        sftp.on('REALPATH', (id, path) =>
          sftp.name(id, [
            { filename: path === '.' ? '/' : path, longname: path, attrs: {} as ssh2.Attributes },
          ]),
        );
        sftp.on('STAT', stats);
        sftp.on('LSTAT', stats);
        sftp.on('MKDIR', (id, path) => tell(id, () => mkdirSync(at(path))));
        sftp.on('REMOVE', (id, path) => {
          if (existsSync(at(path))) tell(id, () => rmSync(at(path)));
          else sftp.status(id, STATUS_CODE.NO_SUCH_FILE);
        });
        sftp.on('OPEN', (id, path, flags) => {
          operations.push(`open ${path}`);
          const handle = openSync(at(path), (flags & OPEN_MODE.WRITE) > 0 ? 'w' : 'r');
          handles.set(handle, handle);
          const name = Buffer.alloc(4);
          name.writeUInt32BE(handle);
          sftp.handle(id, name);
        });
        sftp.on('WRITE', (id, handle, offset, data) => {
          if (!stalled) tell(id, () => void writeSync(handle.readUInt32BE(), data, 0, data.length, offset));
        });
        sftp.on('READ', (id, handle, offset, length) => {
          const piece = Buffer.alloc(length);
          const read = readSync(handle.readUInt32BE(), piece, 0, length, offset);
          if (read === 0) sftp.status(id, STATUS_CODE.EOF);
          else sftp.data(id, piece.subarray(0, read));
        });
        sftp.on('FSTAT', (id) => sftp.status(id, STATUS_CODE.OP_UNSUPPORTED));
        sftp.on('FSETSTAT', (id) => sftp.status(id, STATUS_CODE.OK));
        sftp.on('SETSTAT', (id) => sftp.status(id, STATUS_CODE.OK));
        sftp.on('CLOSE', (id, handle) => tell(id, () => closeSync(handle.readUInt32BE())));
        sftp.on('RENAME', (id, from, to) => {
          operations.push(`rename ${from} ${to}`);
          tell(id, () => {
            // As the protocol has it, and OpenSSH does.
            if (existsSync(at(to)) || refused?.test(from) === true) throw new Error('refused');
            renameSync(at(from), at(to));
          });
        });
        sftp.on('EXTENDED', (id, name, data) => {
          if (name !== 'posix-rename@openssh.com' || !posixRename) {
            sftp.status(id, STATUS_CODE.OP_UNSUPPORTED);
            return;
          }
          const length = data.readUInt32BE(0);
          const from = data.subarray(4, 4 + length).toString();
          const to = data.subarray(8 + length).toString();
          operations.push(`posix-rename ${from} ${to}`);
          tell(id, () => renameSync(at(from), at(to)));
        });
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    fingerprint,
    operations,
    /** From now on nothing that is written is answered, or it is again. */
    stall: (now: boolean) => (stalled = now),
    /** From now on files of these names cannot be renamed. */
    refuse: (names: RegExp | undefined) => (refused = names),
  };
}
