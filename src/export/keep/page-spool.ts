/**
 * Keeps what was read until all of it is: the columns of a table are known only then, and a list may have to be
 * read again. A few pages stay in memory; past that they go, many to a chunk, where the chunks are kept.
 *
 * A page is kept as the bytes that the server sent, where all of it is wanted: writing its items out again took a
 * tenth of an export's time, and encoding its text again as much.
 */
import type { Clock } from '../../clock.ts';
import type { ChunkStore } from './chunk-store.ts';

/** JSON as it is kept of one page. */
export interface KeptPage<T> {
  /** Rows that are wanted, each id once in all pages. */
  data: T[];
  /** What was read beside them; only where an interrupted export has to know. */
  seen?: unknown[];
}

export interface SpoolOptions {
  /** Pages in memory before any goes to the chunks. Default 50: an export of 5,000 items leaves no trace. */
  memoryPages?: number;
  /**
   * Where pages are to outlive the process: none stays in memory for longer, ms. The first counts from when the spool
   * was made: what came before it (the list's count takes twenty requests) need not be done again either.
   */
  flushAfter?: { ms: number; clock: Clock };
}

const MEMORY_PAGES = 50;
const CHUNK_PAGES = 16;
/** Pages that go to the chunks at once after the first: each time, a store waits for its disk. */
const FLUSH_PAGES = 3 * CHUNK_PAGES;

export class PageSpool<T> implements AsyncDisposable {
  readonly #chunks: ChunkStore;
  readonly #options: SpoolOptions;
  #pages: Uint8Array[] = [];
  #since = 0;
  #spilled = false;
  /** Chunks on their way while further pages are read. */
  #putting: Promise<void> = Promise.resolve();

  /** Closes `chunks` when it is closed. */
  constructor(chunks: ChunkStore, options: SpoolOptions = {}) {
    this.#chunks = chunks;
    this.#options = options;
    this.#since = options.flushAfter?.clock.monotonic() ?? 0;
  }

  /** @param page JSON of a KeptPage, as text or in UTF-8; await it before the next call */
  async add(page: Uint8Array | string): Promise<void> {
    const { memoryPages = MEMORY_PAGES, flushAfter } = this.#options;
    const now = flushAfter?.clock.monotonic() ?? 0;
    if (this.#pages.length === 0 && this.#spilled) this.#since = now;
    this.#pages.push(typeof page === 'string' ? Buffer.from(page) : page);
    const late = flushAfter !== undefined && now - this.#since >= flushAfter.ms;
    if (late || this.#pages.length >= (this.#spilled ? FLUSH_PAGES : memoryPages)) await this.#put();
  }

  /** Everything in memory goes to the chunks, and is there when this resolves. */
  async flush(): Promise<void> {
    await this.#put();
    await this.#putting;
  }

  /** What is on its way to the chunks is there; throws what went wrong with it. */
  async settled(): Promise<void> {
    await this.#putting;
  }

  /** Sends everything in memory on its way, after what went before it. */
  async #put(): Promise<void> {
    await this.#putting;
    if (this.#pages.length === 0) return;
    this.#spilled = true;
    const pages = this.#pages;
    this.#pages = [];
    const chunks: Uint8Array[] = [];
    for (let from = 0; from < pages.length; from += CHUNK_PAGES) {
      chunks.push(listOf(pages.slice(from, from + CHUNK_PAGES)));
    }
    this.#putting = this.#chunks.put(chunks);
    // It is thrown to whoever waits for it.
    this.#putting.catch(() => undefined);
  }

  async clear(): Promise<void> {
    await this.#putting;
    this.#pages = [];
    await this.#chunks.clear();
  }

  /** All pages in the order in which they came. */
  async *pages(): AsyncGenerator<KeptPage<T>, void> {
    await this.#putting;
    for await (const chunk of this.#chunks.all()) yield* JSON.parse(chunk) as KeptPage<T>[];
    for (const page of this.#pages) yield JSON.parse(Buffer.from(page).toString('utf8')) as KeptPage<T>;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#pages = [];
    await this.#putting.catch(() => undefined);
    await this.#chunks[Symbol.asyncDispose]();
  }
}

const COMMA = Buffer.from(',');

/** The texts of a JSON list's elements as the list. */
function listOf(elements: readonly Uint8Array[]): Buffer {
  const parts = elements.flatMap((element, index) => (index === 0 ? [element] : [COMMA, element]));
  return Buffer.concat([Buffer.from('['), ...parts, Buffer.from(']')]);
}
