/**
 * One page per store. The lock file names the port of the running one, and a secret that only this user can read.
 *
 * The process on that port may be a different one by now, even another user's. So the secret is never sent: each side
 * proves that it knows the secret, using a number that the other side has just chosen.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { makeFolder } from '../base/make-folder.ts';

const Lock = z.object({ port: z.number().int(), secret: z.string(), pid: z.number().int() });

/** Where a running page answers another `shelflift ui`. */
export const KNOCK_PATH = '/instance/open';
const KNOCK_WITHIN_MS = 3000;

export class Instance {
  readonly #file: string;
  #secret = '';

  /** @param folder of the store; the lock file is private in it */
  constructor(folder: string) {
    makeFolder(folder, 0o700);
    this.#file = join(folder, 'ui.lock');
  }

  /** An address that opens the running page at `path`; undefined if no page is running. */
  async openRunning(path: string): Promise<string | undefined> {
    const lock = await this.#read();
    if (lock === undefined) return undefined;
    const nonce = randomBytes(16).toString('hex');
    try {
      const answer = await fetch(`http://127.0.0.1:${lock.port}${KNOCK_PATH}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Origin: `http://127.0.0.1:${lock.port}` },
        body: JSON.stringify({ nonce, path, proof: proofOf(lock.secret, 'open', nonce, path) }),
        redirect: 'error',
        signal: AbortSignal.timeout(KNOCK_WITHIN_MS),
      });
      const { url, proof } = z.object({ url: z.string(), proof: z.string() }).parse(await answer.json());
      return isSame(proof, proofOf(lock.secret, 'opened', nonce, url)) ? url : undefined;
    } catch {
      // If nobody or another program listens there, the lock file is left over.
      return undefined;
    }
  }

  /** Lets other processes find this one. */
  async announce(port: number): Promise<void> {
    this.#secret = randomBytes(32).toString('hex');
    await writeFile(this.#file, JSON.stringify({ port, secret: this.#secret, pid: process.pid }), {
      mode: 0o600,
    });
    await chmod(this.#file, 0o600);
  }

  /** Answers a request to open the page; undefined without the proof. */
  answer(body: unknown, open: (path: string) => string): { url: string; proof: string } | undefined {
    const knock = z
      .object({ nonce: z.string().max(64), path: z.string().max(200), proof: z.string().max(64) })
      .safeParse(body);
    if (!knock.success || this.#secret === '') return undefined;
    const { nonce, path, proof } = knock.data;
    if (!isSame(proof, proofOf(this.#secret, 'open', nonce, path))) return undefined;
    const url = open(path);
    return { url, proof: proofOf(this.#secret, 'opened', nonce, url) };
  }

  /** Removes the lock file, unless another process has announced itself since. */
  async withdraw(): Promise<void> {
    if ((await this.#read())?.secret === this.#secret) await rm(this.#file, { force: true });
  }

  async #read(): Promise<z.infer<typeof Lock> | undefined> {
    try {
      return Lock.parse(JSON.parse(await readFile(this.#file, 'utf8')));
    } catch {
      return undefined;
    }
  }
}

function proofOf(secret: string, ...parts: string[]): string {
  return createHmac('sha256', secret).update(JSON.stringify(parts)).digest('hex');
}

function isSame(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.length === other.length && timingSafeEqual(one, other);
}
