/**
 * What an export has read, kept in the store until its file is in place, so that an interrupted one goes on.
 *
 * A space of key-values for each export (what is asked of which API, by which team): `holder` is the process that
 * writes there, `state` where its reading is, `chunk:…` the pages, compressed: a million items are 100 MB so, and
 * 600 MB as they come. State and chunk are put in one transaction, so that what is kept is always a reading up to a
 * point. Whether a holder on another host still runs is a guess, so whoever lost the place notices it at its next
 * put, and chunks are named by who put them.
 */
import { createHash, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import { z } from 'zod';
import { ShelfliftError } from '../../errors.ts';
import type { KeyValues } from '../../ledger/key-values.ts';
import { thisProcess } from '../../ledger/process-identity.ts';
import { Checkpoint } from '../../listing/checkpoint.ts';
import { TeamMark } from '../read/team.ts';
import type { ChunkStore } from './chunk-store.ts';
import { Holder, mayHold } from './holder.ts';

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

/** Where an interrupted export was. */
const KeptState = z.object({
  version: z.literal(2),
  /** ISO 8601: when the first run began. */
  startedAt: z.string(),
  /** X-Request-Id of its first answer. */
  firstRequest: z.string().nullable(),
  team: TeamMark,
  /** The state of `--changed-since-last` that the pages were read for; null without one. */
  changes: z.string().nullable(),
  /** Keys of the chunks, in order. */
  chunks: z.array(z.string()),
  /** Rows that are wanted in the chunks. */
  rows: z.int(),
  checkpoint: Checkpoint,
});
export type KeptState = z.infer<typeof KeptState>;
type Reached = Omit<KeptState, 'version' | 'chunks'>;

/** What tells one export from another: everything that decides which rows are wanted. */
export function keptName(wanted: unknown): string {
  return createHash('sha256').update(JSON.stringify(wanted)).digest('hex').slice(0, 24);
}

/** Pages are as old as the first of them, however often the export was gone on with since. */
export function isOld({ startedAt }: Pick<KeptState, 'startedAt'>, now: number): boolean {
  return now - Date.parse(startedAt) > KEEP_MS;
}

/** Removes what exports kept that nobody will go on with. */
export async function sweepKept(values: KeyValues, now: number): Promise<void> {
  for (const space of await values.spaces(SPACES)) {
    const holder = await holderOf(values, space);
    if (holder?.holds(now) === true) continue;
    const state = parsed(await values.get(space, 'state'));
    // Of another version, or of a run that was ended before it had counted the list.
    const [first] = state === undefined ? await values.list(space, { limit: 1 }) : [];
    const startedAt = state?.startedAt ?? new Date(first?.at ?? now).toISOString();
    if (isOld({ startedAt }, now)) await values.remove(space);
  }
}

/** One export's place in the store. */
export class KeptExport implements ChunkStore {
  readonly #values: KeyValues;
  readonly #space: string;
  /** Two exports of one process are two holders. */
  readonly #tag = randomBytes(6).toString('hex');
  readonly #holder = JSON.stringify({ ...thisProcess(), tag: this.#tag });
  #chunks: string[] = [];
  #state: (() => Reached | undefined) | undefined;

  private constructor(values: KeyValues, space: string) {
    this.#values = values;
    this.#space = space;
  }

  /** Takes the place for this process; undefined while another one, that may still run, has it. */
  static async take(values: KeyValues, name: string, now: number): Promise<KeptExport | undefined> {
    const kept = new KeptExport(values, SPACES + name);
    const space = kept.#space;
    if (await values.putIfAbsent(space, 'holder', kept.#holder, 'soon')) return kept;
    const other = await holderOf(values, space);
    if (other === undefined || other.holds(now)) return undefined;
    return (await values.replace(space, 'holder', other.text, kept.#holder)) ? kept : undefined;
  }

  /** What an interrupted run left here; undefined where there is nothing that can be used. */
  async read(): Promise<KeptState | undefined> {
    const state = parsed(await this.#values.get(this.#space, 'state'));
    if (state !== undefined) this.#chunks = [...state.chunks];
    return state;
  }

  /** Asked at each put: where the reading is then. */
  describeBy(state: () => Reached | undefined): void {
    this.#state = state;
  }

  /** @throws ShelfliftError `export_taken_over` where another process has the place now */
  async put(chunks: readonly Uint8Array[]): Promise<void> {
    // Asked at once: while the chunks are compressed, the reading goes on, and they would not have what it says.
    const state = this.#state?.();
    const packed = await Promise.all(chunks.map((chunk) => compress(chunk, LEVEL)));
    // Also the sign that this process still runs.
    if (!(await this.#values.replace(this.#space, 'holder', this.#holder, this.#holder, 'soon')))
      throw takenOver();
    const entries = packed.map((bytes, index) => ({
      key: `chunk:${String(this.#chunks.length + index).padStart(8, '0')}:${this.#tag}`,
      value: bytes.toString('base64'),
    }));
    this.#chunks.push(...entries.map(({ key }) => key));
    if (state !== undefined) {
      const kept: KeptState = { version: 2, chunks: this.#chunks, ...state };
      entries.push({ key: 'state', value: JSON.stringify(kept) });
    }
    // A machine that loses its power may lose what is on its way to the disk, and reads those pages again.
    await this.#values.put(this.#space, entries, 'soon');
  }

  /** @throws ShelfliftError `export_taken_over` where another process has removed them */
  async *all(): AsyncGenerator<string, void> {
    for (const key of this.#chunks) {
      const value = await this.#values.get(this.#space, key);
      if (value === undefined) throw takenOver();
      yield (await decompress(Buffer.from(value, 'base64'))).toString('utf8');
    }
  }

  /** Forgets what was read; the place stays taken. */
  async clear(): Promise<void> {
    const keys = ['state', ...this.#chunks];
    this.#chunks = [];
    await this.#values.remove(this.#space, keys);
  }

  /** The file is in place: nothing is kept any more. */
  async done(): Promise<void> {
    this.#chunks = [];
    if (await this.#isOurs()) await this.#values.remove(this.#space);
  }

  /** Gives the place free and leaves what is kept for the next run. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (await this.#isOurs()) await this.#values.remove(this.#space, ['holder'], 'soon');
  }

  async #isOurs(): Promise<boolean> {
    return (await this.#values.get(this.#space, 'holder')) === this.#holder;
  }
}

async function holderOf(values: KeyValues, space: string) {
  const [found] = await values.list(space, { prefix: 'holder', limit: 1 });
  if (found === undefined) return undefined;
  const holder = Holder.parse(JSON.parse(found.value));
  return { text: found.value, holds: (now: number) => mayHold(holder, found.at, now) };
}

function parsed(text: string | undefined): KeptState | undefined {
  return text === undefined ? undefined : KeptState.safeParse(JSON.parse(text)).data;
}

function takenOver(): ShelfliftError {
  return new ShelfliftError(
    'export_taken_over',
    'Another process has gone on with this export from what was read so far. Nothing was written.',
    { remedy: 'Let that one finish, or run this one again with --fresh.' },
  );
}
