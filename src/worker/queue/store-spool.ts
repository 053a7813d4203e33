/** Files in the store itself: every machine that uses it can run what another one took in. */
import { createReadStream } from 'node:fs';
import { open, rename, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Ledger } from '../../ledger/ledger.ts';
import { FolderSpool, type Spool } from './spool.ts';

const SPACE = 'spool:';
/** Bytes of a piece: one value, and one statement, each. */
const PIECE = 768 * 1024;
const END = 'end';

export class StoreSpool implements Spool {
  readonly shared = true;
  readonly #values: Ledger['values'];
  /** What was fetched, on this machine. */
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
    let pieces = 0;
    for await (const chunk of createReadStream(file, { highWaterMark: PIECE })) {
      await this.#values.put(space, [{ key: pieceKey(pieces), value: (chunk as Buffer).toString('base64') }]);
      pieces += 1;
    }
    // Last: without it the file is not there.
    await this.#values.put(space, [{ key: END, value: String(pieces) }]);
  }

  async fetch(runId: string, name: string): Promise<string | undefined> {
    const space = spaceOf(runId, name);
    const pieces = await this.#values.get(space, END);
    if (pieces === undefined) return this.#local.fetch(runId, name);
    const target = join(this.folder(runId), name);
    if ((await stat(target).catch(() => undefined)) !== undefined) return target;
    await using handle = await open(`${target}.part`, 'w', 0o600);
    for (let index = 0; index < Number(pieces); index += 1) {
      const piece = await this.#values.get(space, pieceKey(index));
      if (piece === undefined) return undefined;
      await handle.writeFile(Buffer.from(piece, 'base64'));
    }
    await rename(`${target}.part`, target);
    return target;
  }

  async release(runId: string): Promise<void> {
    await this.#local.remove(runId);
  }

  async remove(runId: string): Promise<void> {
    for (const space of await this.#values.spaces(`${SPACE}${runId}:`)) await this.#values.remove(space);
    await this.#local.remove(runId);
  }
}

function spaceOf(runId: string, name: string): string {
  return `${SPACE}${runId}:${name}`;
}

function pieceKey(index: number): string {
  return String(index).padStart(8, '0');
}
