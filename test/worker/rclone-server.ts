/** rclone's own servers, and a configuration of rclone that names them. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from '../support/open-import.ts';

export const HAS_RCLONE = existsSync('/usr/bin/rclone');
export const RCLONE_KINDS = ['webdav', 'sftp'] as const;

export interface RcloneServer {
  /** What the server shows. */
  root: string;
  /** The file that RCLONE_CONFIG names; it has the remote `cloud`. */
  config: string;
  stop(): void;
}

/** @param login the password that the configuration has; the right one is `hunter2` */
export async function rcloneServer(
  kind: (typeof RCLONE_KINDS)[number],
  login = 'hunter2',
): Promise<RcloneServer> {
  const folder = await temporaryFolder();
  const root = join(folder, 'root');
  await mkdir(root);
  const child = spawn(
    'rclone',
    [
      'serve',
      kind,
      root,
      '--addr',
      '127.0.0.1:0',
      '--user',
      'books',
      '--pass',
      'hunter2',
      '--dir-cache-time',
      '0s',
    ],
    { env: { PATH: process.env['PATH'], HOME: folder }, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  // Read to its end: a server that cannot write its log ends.
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const portIn = () => /(?:started|listening) on \D*127\.0\.0\.1:(\d+)\D/.exec(said)?.[1];
  while (portIn() === undefined) {
    if (child.exitCode !== null) throw new Error(said);
    await once(child.stderr, 'data');
  }
  const port = portIn() ?? '';
  const where =
    kind === 'webdav' ? `url = http://127.0.0.1:${port}\nvendor = other` : `host = 127.0.0.1\nport = ${port}`;
  const hidden = spawnSync('rclone', ['obscure', login], { encoding: 'utf8' }).stdout.trim();
  const config = join(folder, 'rclone.conf');
  writeFileSync(config, `[cloud]\ntype = ${kind}\n${where}\nuser = books\npass = ${hidden}\n`, {
    mode: 0o600,
  });
  return { root, config, stop: () => void child.kill('SIGKILL') };
}
