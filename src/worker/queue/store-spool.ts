/** Files in the store itself, so that any machine can run what was submitted on another one. */
import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Ledger } from '../../ledger/ledger.ts';
import { hashFile } from '../../sheets/hash-file.ts';
import type { Runs } from './runs.ts';
import { damaged, FolderSpool, type Spool } from './spool.ts';

/** Prefix of the files' spaces. */
export const SPOOLED = 'spool:';
/** Bytes per piece: each is one value, written by one statement. */
const PIECE = 768 * 1024;
const END = 'end';

export class StoreSpool implements Spool {
  readonly shared = true;
  readonly #values: Ledger['values'];
  /** Local folder of fetched files. */
  readonly #local: FolderSpool;

  constructor(ledger: Pick<Ledger, 'values'>, localFolder: string) {
    this.#values = ledger.values;
    this.#local = new FolderSpool(localFolder);
  }

  folder(runId: string): string {
    return this.#local.folder(runId);
  }

  async put(runId: string, file: string): Promise<void> {
    const space = spaceOf(runId, basename(file));
    // Names of pieces are unique, so that a suspended worker cannot mix its pieces into a file put later.
    const id = randomBytes(4).toString('hex');
    const hash = createHash('sha256');
    let pieces = 0;
    for await (const chunk of createReadStream(file, { highWaterMark: PIECE })) {
      hash.update(chunk as Buffer);
      const value = (chunk as Buffer).toString('base64');
      await this.#values.put(space, [{ key: pieceKey(id, pieces), value }]);
      pieces += 1;
    }
    // Written last: without it the file does not exist.
    await this.#values.put(space, [{ key: END, value: `${id} ${pieces} ${hash.digest('hex')}` }]);
  }

  async fetch(runId: string, name: string): Promise<string | undefined> {
    const space = spaceOf(runId, name);
    const end = await this.#values.get(space, END);
    if (end === undefined) return this.#local.fetch(runId, name);
    const [id = '', pieces, sha256] = end.split(' ');
    const target = join(this.folder(runId), name);
    const here = (await stat(target).catch(() => undefined)) !== undefined;
    if (here && (await hashFile(target)) === sha256) return target;
    const hash = createHash('sha256');
    await using handle = await open(`${target}.part`, 'w', 0o600);
    for (let index = 0; index < Number(pieces); index += 1) {
      const piece = Buffer.from((await this.#values.get(space, pieceKey(id, index))) ?? '', 'base64');
      hash.update(piece);
      await handle.writeFile(piece);
    }
    if (hash.digest('hex') !== sha256) throw damaged(name);
    await rename(`${target}.part`, target);
    return target;
  }

  async release(runId: string): Promise<void> {
    await this.#local.remove(runId);
  }

  async remove(runId: string): Promise<void> {
    for (const space of await this.#values.spaces(`${SPOOLED}${runId}:`)) await this.#values.remove(space);
    await this.#local.remove(runId);
  }

  async prune(runs: Runs, putBefore: number): Promise<void> {
    for (const space of await this.#values.spaces(SPOOLED)) {
      const [first] = await this.#values.list(space, { limit: 1 });
      if (first === undefined || first.at >= putBefore) continue;
      const parts = space.slice(SPOOLED.length).split(':');
      // Ids and names may contain colons, too.
      const ids = parts.map((_, index) => parts.slice(0, index).join(':'));
      if ((await runs.existing(ids)).size === 0) await this.#values.remove(space);
    }
    await this.#local.prune(runs, putBefore);
  }
}

function spaceOf(runId: string, name: string): string {
  return `${SPOOLED}${runId}:${name}`;
}

function pieceKey(id: string, index: number): string {
  return `${id}-${String(index).padStart(8, '0')}`;
}
