/**
 * What an export has read, kept in the store until its file is in place, so that an interrupted one goes on.
 *
 * A space of key-values for each export (what is asked of which API): `holder` is the process that writes there,
 * `state` where its reading is, `chunk:…` the pages, compressed: a million items are 100 MB so, and 600 MB as
 * they come. State and chunk are put in one transaction, so that what is kept is always a reading up to a point.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import { z } from 'zod';
import type { KeyValues } from '../../ledger/key-values.ts';
import { mayStillRun, thisProcess } from '../../ledger/process-identity.ts';
import { Checkpoint } from '../../listing/checkpoint.ts';
import type { ChunkStore } from './chunk-store.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);
/** The fastest: 0.1 ms a page of 100 items, to a sixth of its size. */
const LEVEL = {
  params: { [constants.ZSTD_c_compressionLevel]: 1 },
  // Whole chunks at once: each piece of the default 16 KB is a turn of the event loop.
  chunkSize: 256 * 1024,
};

const SPACES = 'export-pages:';
/** What was read longer ago is read again: an export should not say how things were days ago. */
const KEEP_MS = 24 * 3_600_000;
const CHUNKS_AT_ONCE = 1;

/** Where an interrupted export was. */
const KeptState = z.object({
  version: z.literal(1),
  /** ISO 8601: when the first run began. */
  startedAt: z.string(),
  /** X-Request-Id of its first answer. */
  firstRequest: z.string().nullable(),
  /** Ids of the team's collections, by which the team is known again; null where the key may not read them. */
  collections: z.array(z.string()).nullable(),
  /** Address and key, hashed. */
  laneId: z.string(),
  chunks: z.int(),
  /** Rows that are wanted in the chunks. */
  rows: z.int(),
  checkpoint: Checkpoint,
});
export type KeptState = z.infer<typeof KeptState>;
type Reached = Omit<KeptState, 'version' | 'chunks'>;

const Holder = z.object({ host: z.string(), pid: z.int(), started: z.string() });

/** What tells one export from another: everything that decides which rows are wanted. */
export function keptName(wanted: unknown): string {
  return createHash('sha256').update(JSON.stringify(wanted)).digest('hex').slice(0, 24);
}

/** Removes what exports kept that nobody will go on with. */
export async function sweepKept(values: KeyValues, now: number): Promise<void> {
  for (const space of await values.spaces(SPACES)) {
    const [state] = await values.list(space, { prefix: 'state', limit: 1 });
    const [holder] = await values.list(space, { prefix: 'holder', limit: 1 });
    const at = Math.max(state?.at ?? 0, holder?.at ?? 0);
    if (now - at > KEEP_MS && !isHeld(holder?.value)) await values.remove(space);
  }
}

/** One export's place in the store. */
export class KeptExport implements ChunkStore {
  readonly #values: KeyValues;
  readonly #space: string;
  readonly #holder = JSON.stringify(thisProcess());
  #chunks = 0;
  #state: (() => Reached | undefined) | undefined;

  private constructor(values: KeyValues, space: string) {
    this.#values = values;
    this.#space = space;
  }

  /** Takes the place for this process; undefined while another one, that still runs, has it. */
  static async take(values: KeyValues, name: string): Promise<KeptExport | undefined> {
    const kept = new KeptExport(values, SPACES + name);
    const { space, holder } = { space: kept.#space, holder: kept.#holder };
    if (await values.putIfAbsent(space, 'holder', holder, 'soon')) return kept;
    const other = await values.get(space, 'holder');
    if (other === undefined || isHeld(other)) return undefined;
    return (await values.replace(space, 'holder', other, holder)) ? kept : undefined;
  }

  /** What an interrupted run left here; undefined where there is nothing that can be used. */
  async read(): Promise<KeptState | undefined> {
    const text = await this.#values.get(this.#space, 'state');
    const state = text === undefined ? undefined : KeptState.safeParse(JSON.parse(text)).data;
    if (state !== undefined) this.#chunks = state.chunks;
    return state;
  }

  /** Asked at each put: where the reading is then. */
  describeBy(state: () => Reached | undefined): void {
    this.#state = state;
  }

  async put(chunks: readonly Uint8Array[]): Promise<void> {
    // Asked at once: while the chunks are compressed, the reading goes on, and they would not have what it says.
    const state = this.#state?.();
    const packed = await Promise.all(chunks.map((chunk) => compress(chunk, LEVEL)));
    const entries = packed.map((bytes, index) => ({
      key: chunkKey(this.#chunks + index),
      value: bytes.toString('base64'),
    }));
    this.#chunks += chunks.length;
    if (state !== undefined) {
      const kept: KeptState = { version: 1, chunks: this.#chunks, ...state };
      entries.push({ key: 'state', value: JSON.stringify(kept) });
    }
    // A machine that loses its power may lose what is on its way to the disk, and reads those pages again.
    await this.#values.put(this.#space, entries, 'soon');
  }

  async *all(): AsyncGenerator<string, void> {
    for (let next = 0; next < this.#chunks; next += CHUNKS_AT_ONCE) {
      const found = await this.#values.list(this.#space, {
        after: next === 0 ? 'chunk:' : chunkKey(next - 1),
        prefix: 'chunk:',
        limit: Math.min(CHUNKS_AT_ONCE, this.#chunks - next),
      });
      for (const { value } of found) yield (await decompress(Buffer.from(value, 'base64'))).toString('utf8');
    }
  }

  /** Forgets what was read; the place stays taken. */
  async clear(): Promise<void> {
    this.#chunks = 0;
    await this.#values.remove(this.#space);
    await this.#values.putIfAbsent(this.#space, 'holder', this.#holder);
  }

  /** The file is in place: nothing is kept any more. */
  async done(): Promise<void> {
    this.#chunks = 0;
    await this.#values.remove(this.#space);
  }

  /** Gives the place free and leaves what is kept for the next run. */
  async [Symbol.asyncDispose](): Promise<void> {
    if ((await this.#values.get(this.#space, 'holder')) === this.#holder) {
      await this.#values.remove(this.#space, ['holder'], 'soon');
    }
  }
}

function chunkKey(number: number): string {
  return `chunk:${String(number).padStart(8, '0')}`;
}

function isHeld(holder: string | undefined): boolean {
  return holder !== undefined && mayStillRun(Holder.parse(JSON.parse(holder)));
}
