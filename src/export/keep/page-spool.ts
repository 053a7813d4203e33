/**
 * Keeps pages until everything has been read: the columns of a table are known only then, and a list may have to be
 * read again. A few pages stay in memory; beyond that they go to the chunk store, many to a chunk.
 *
 * A page that is wanted as a whole is kept as the bytes that the server sent: serialising its items again took a tenth
 * of an export's time, and encoding the text another tenth.
 */
import type { Clock } from '../../base/clock.ts';
import { parseExactJson } from '../../base/exact-json.ts';
import type { ChunkStore } from './chunk-store.ts';

/** The stored JSON of a page. */
export interface KeptPage<T> {
  /** Wanted rows, each id once in all pages. */
  data: T[];
  /** Other items of the page; only if a resumed export needs them. */
  seen?: unknown[];
}

export interface SpoolOptions {
  /** Pages in memory before any goes to the chunk store. Default 50: an export of 5,000 items leaves no trace. */
  memoryPages?: number;
  /**
   * For pages that must survive the process: no page stays in memory longer than this. The first interval starts with
   * the spool, so that earlier work (counting the list takes twenty requests) is not lost.
   */
  flushAfter?: { ms: number; clock: Clock };
}

const MEMORY_PAGES = 50;
const CHUNK_PAGES = 16;
/** Number of pages written together after the first time, because a store waits for its disk each time. */
const FLUSH_PAGES = 3 * CHUNK_PAGES;

export class PageSpool<T> implements AsyncDisposable {
  readonly #chunks: ChunkStore;
  readonly #options: SpoolOptions;
  #pages: Uint8Array[] = [];
  #since = 0;
  #spilled = false;
  /** Chunks being written while further pages are read. */
  #putting: Promise<void> = Promise.resolve();

  /** Closing the spool closes `chunks`. */
  constructor(chunks: ChunkStore, options: SpoolOptions = {}) {
    this.#chunks = chunks;
    this.#options = options;
    this.#since = options.flushAfter?.clock.monotonic() ?? 0;
  }

  /** @param page JSON of a KeptPage, as text or in UTF-8; await the call before the next one */
  async add(page: Uint8Array | string): Promise<void> {
    const { memoryPages = MEMORY_PAGES, flushAfter } = this.#options;
    const now = flushAfter?.clock.monotonic() ?? 0;
    if (this.#pages.length === 0 && this.#spilled) this.#since = now;
    this.#pages.push(typeof page === 'string' ? Buffer.from(page) : page);
    const late = flushAfter !== undefined && now - this.#since >= flushAfter.ms;
    if (late || this.#pages.length >= (this.#spilled ? FLUSH_PAGES : memoryPages)) await this.#put();
  }

  /** Writes everything in memory to the chunk store, and waits for it. */
  async flush(): Promise<void> {
    await this.#put();
    await this.#putting;
  }

  /** Waits for chunks being written; throws their error. */
  async settled(): Promise<void> {
    await this.#putting;
  }

  /** Starts to write everything in memory, after any write in progress. */
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
    // Whoever awaits `#putting` gets the error.
    this.#putting.catch(() => undefined);
  }

  async clear(): Promise<void> {
    await this.#putting;
    this.#pages = [];
    await this.#chunks.clear();
  }

  /** All pages in the order in which they were added. */
  async *pages(): AsyncGenerator<KeptPage<T>, void> {
    await this.#putting;
    for await (const chunk of this.#chunks.all()) yield* parseExactJson(chunk) as KeptPage<T>[];
    for (const page of this.#pages) yield parseExactJson(Buffer.from(page).toString('utf8')) as KeptPage<T>;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#pages = [];
    await this.#putting.catch(() => undefined);
    await this.#chunks[Symbol.asyncDispose]();
  }
}

const COMMA = Buffer.from(',');

/** Joins the texts of elements to a JSON list. */
function listOf(elements: readonly Uint8Array[]): Buffer {
  const parts = elements.flatMap((element, index) => (index === 0 ? [element] : [COMMA, element]));
  return Buffer.concat([Buffer.from('['), ...parts, Buffer.from(']')]);
}
