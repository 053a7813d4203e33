/**
 * Keeps the pages that an export has read in the store until its file is in place, so that an interrupted export can
 * continue.
 *
 * Each export (what is requested from which API, by which team) has a space of key-values: `holder` is the process that
 * writes there, `state` is its progress, and `chunk:…` are the compressed pages (a million items take 100 MB instead of
 * 600 MB). State and chunk are written in one transaction, so the stored data is always a reading up to some point.
 * Whether a holder on another host is still running is a guess, so a process that lost the space notices at its next
 * put, and chunk names include their writer.
 */
import { createHash, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import { z } from 'zod';
import { ShelfliftError } from '../../base/errors.ts';
import { message } from '../../messages/message.ts';
import type { KeyValues } from '../../ledger/key-values.ts';
import { thisProcess } from '../../ledger/process-identity.ts';
import { Checkpoint } from '../../listing/checkpoint.ts';
import { TeamMark } from '../read/team.ts';
import type { ChunkStore } from './chunk-store.ts';
import { Holder, mayHold } from './holder.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);
/** The fastest level: 0.1 ms for a page of 100 items, at a sixth of its size. */
const LEVEL = {
  params: { [constants.ZSTD_c_compressionLevel]: 1 },
  // Whole chunks at once: each piece of the default 16 KB costs a turn of the event loop.
  chunkSize: 256 * 1024,
};

const SPACES = 'export-pages:';
/** Older pages are read again: an export should not show values from days ago. */
const KEEP_MS = 24 * 3_600_000;

/** The progress of an interrupted export. */
const KeptState = z.object({
  version: z.literal(2),
  /** ISO 8601: when the first run began. */
  startedAt: z.string(),
  /** X-Request-Id of its first response. */
  firstRequest: z.string().nullable(),
  team: TeamMark,
  /** The `--changed-since-last` state that the pages were read for; null without one. */
  changes: z.string().nullable(),
  /** Keys of the chunks, in order. */
  chunks: z.array(z.string()),
  /** Number of wanted rows in the chunks. */
  rows: z.int(),
  /** Names of custom fields in the items read, if an expression uses them. */
  customFields: z.array(z.string()),
  checkpoint: Checkpoint,
});
export type KeptState = z.infer<typeof KeptState>;
type Reached = Omit<KeptState, 'version' | 'chunks'>;

/** Identifies an export by everything that determines its rows. */
export function keptName(wanted: unknown): string {
  return createHash('sha256').update(JSON.stringify(wanted)).digest('hex').slice(0, 24);
}

/** The age of pages is that of the first page, however often the export was resumed. */
export function isOld({ startedAt }: Pick<KeptState, 'startedAt'>, now: number): boolean {
  return now - Date.parse(startedAt) > KEEP_MS;
}

/** Store → when this process last swept it: with twenty concurrent exports, their sweeps were half of all queries. */
const swept = new WeakMap<KeyValues, number>();
const SWEEP_EVERY_MS = 3_600_000;

/** Removes kept pages that nobody will resume, at most once an hour. */
export async function sweepKept(values: KeyValues, now: number): Promise<void> {
  if (Math.abs(now - (swept.get(values) ?? Number.NEGATIVE_INFINITY)) < SWEEP_EVERY_MS) return;
  swept.set(values, now);
  for (const space of await values.spaces(SPACES)) {
    const holder = await holderOf(values, space);
    if (holder?.holds(now) === true) continue;
    const state = parsed(await values.get(space, 'state'));
    // The state was written by another version, or by a run that ended before it had counted the list.
    const [first] = state === undefined ? await values.list(space, { limit: 1 }) : [];
    const startedAt = state?.startedAt ?? new Date(first?.at ?? now).toISOString();
    if (isOld({ startedAt }, now)) await values.remove(space);
  }
}

/** One export's space in the store. */
export class KeptExport implements ChunkStore {
  readonly #values: KeyValues;
  readonly #space: string;
  /** Distinguishes two exports of one process. */
  readonly #tag = randomBytes(6).toString('hex');
  readonly #holder = JSON.stringify({ ...thisProcess(), tag: this.#tag });
  #chunks: string[] = [];
  #state: (() => Reached | undefined) | undefined;

  private constructor(values: KeyValues, space: string) {
    this.#values = values;
    this.#space = space;
  }

  /** Takes the space for this process; undefined while another process that may still be running has it. */
  static async take(values: KeyValues, name: string, now: number): Promise<KeptExport | undefined> {
    const kept = new KeptExport(values, SPACES + name);
    const space = kept.#space;
    if (await values.putIfAbsent(space, 'holder', kept.#holder, 'soon')) return kept;
    const other = await holderOf(values, space);
    if (other === undefined || other.holds(now)) return undefined;
    return (await values.replace(space, 'holder', other.text, kept.#holder)) ? kept : undefined;
  }

  /** The state that an interrupted run left here; undefined if it cannot be used. */
  async read(): Promise<KeptState | undefined> {
    const state = parsed(await this.#values.get(this.#space, 'state'));
    if (state !== undefined) this.#chunks = [...state.chunks];
    return state;
  }

  /** Sets the function that returns the progress of the reading; called at each put. */
  describeBy(state: () => Reached | undefined): void {
    this.#state = state;
  }

  /** @throws ShelfliftError `export_taken_over` if another process has the space now */
  async put(chunks: readonly Uint8Array[]): Promise<void> {
    // Called before compressing: meanwhile the reading continues, and its state would claim pages these chunks
    // lack.
    const state = this.#state?.();
    const packed = await Promise.all(chunks.map((chunk) => compress(chunk, LEVEL)));
    // This also shows that the process is still running.
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
    // A power failure may lose what is not on disk yet; those pages are read again.
    await this.#values.put(this.#space, entries, 'soon');
  }

  /** @throws ShelfliftError `export_taken_over` if another process has removed them */
  async *all(): AsyncGenerator<string, void> {
    for (const key of this.#chunks) {
      const value = await this.#values.get(this.#space, key);
      if (value === undefined) throw takenOver();
      yield (await decompress(Buffer.from(value, 'base64'))).toString('utf8');
    }
  }

  /** Deletes the pages that were read, but keeps the space. */
  async clear(): Promise<void> {
    const keys = ['state', ...this.#chunks];
    this.#chunks = [];
    await this.#values.remove(this.#space, keys);
  }

  /** Call this once the file is in place: removes everything. */
  async done(): Promise<void> {
    this.#chunks = [];
    if (await this.#isOurs()) await this.#values.remove(this.#space);
  }

  /** Releases the space, and leaves its content to the next run. */
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
  return new ShelfliftError('export_taken_over', message('export_taken_over', {}), {
    actions: [
      { do: 'byHand', label: message('wait_for_process', {}) },
      { do: 'setOption', label: message('to_read_everything', {}), option: 'fresh' },
    ],
  });
}
