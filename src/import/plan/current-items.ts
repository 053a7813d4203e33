/**
 * Reads the items that a plan compares with, in the cheaper of two ways: a request an item, or pages of 100 of
 * the list. Which one is cheaper depends on how long the list is, and that is found out for a few requests.
 */
import type { ApiClient } from '../../api/client.ts';
import { NotFoundError } from '../../api/errors.ts';
import { type Item, type ItemStatus, PER_PAGE_MAX } from '../../api/schemas.ts';
import type { ImportDeps } from '../deps.ts';
import { counted } from '../../counted.ts';

/** Below this many ids a request each is certainly no dearer than finding out. */
const FEW = 20;
const AT_ONCE = 8;
/** Pages that are read before anything is estimated: one for so many ids. */
const IDS_A_FIRST_PAGE = 50;
/** The list's length is known well enough when it is known to so much of it. */
const CLOSE_ENOUGH = 0.05;

type ReadDeps = Pick<ImportDeps, 'client' | 'signal' | 'emit'>;

/** How the items were read, in requests, and what the other way would have cost. */
export interface Reading {
  /** `each`: a request an item. `pages`: the list, and a request for each item that it did not show. */
  way: 'each' | 'pages';
  items: number;
  requests: number;
  /** Requests of the way that was not taken, by the estimate; absent where the list's length is not known. */
  otherwise?: number;
}

/** Items by id; ids that the API does not know are absent from the result. */
export async function itemsById(
  deps: ReadDeps,
  ids: Iterable<string>,
): Promise<{ items: Map<string, Item>; reading: Reading }> {
  const reader = new ReaderById(deps, ids);
  return { items: await reader.read(), reading: reader.reading };
}

class ReaderById {
  readonly #deps: ReadDeps;
  readonly #missing: Set<string>;
  readonly #total: number;
  readonly #found = new Map<string, Item>();
  readonly #pagesRead = new Set<number>();
  /** A page that is known not to be there; the last one is before it. */
  #beyond = Number.POSITIVE_INFINITY;
  #requests = 0;
  #way: Reading['way'] = 'each';

  constructor(deps: ReadDeps, ids: Iterable<string>) {
    this.#deps = deps;
    this.#missing = new Set([...ids].map((id) => id.toLowerCase()));
    this.#total = this.#missing.size;
  }

  async read(): Promise<Map<string, Item>> {
    if (this.#total > FEW) await this.#readPages();
    // Also what the list did not show: pages shift while they are read, and only a 404 says "not there".
    await this.#readEach();
    return this.#found;
  }

  async #readPages(): Promise<void> {
    const first = Math.ceil(this.#total / IDS_A_FIRST_PAGE);
    for (let page = 1; page <= first && page < this.#beyond; page += 1) await this.#page(page);
    if (this.#missing.size === 0 || this.#ended) {
      this.#way = 'pages';
      return;
    }
    // Where the list goes on behind as many pages as there are ids, pages are the dearer way.
    const most = this.#missing.size + this.#pagesRead.size;
    await this.#page(most);
    if (this.#beyond > most + 1) {
      this.#tell(`a request each, for the list is longer than ${counted(most, 'page')}`);
      return;
    }
    this.#way = 'pages';
    const pages = await this.#countPages(first, most);
    this.#tell(`by the list, which has about ${counted(pages, 'page')} of ${PER_PAGE_MAX}`);
    await inParallel(AT_ONCE, this.#pagesLeft(first, pages));
  }

  /** The list's number of pages, close enough; pages that were looked at are read. */
  async #countPages(from: number, to: number): Promise<number> {
    let last = from;
    while (this.#beyond - last > Math.max(1, last * CLOSE_ENOUGH)) {
      const page = Math.floor((last + Math.min(this.#beyond, to)) / 2);
      if (page <= last) break;
      await this.#page(page);
      if (page < this.#beyond) last = page;
    }
    return Math.max(last, this.#beyond - 1);
  }

  /** Page after page, as long as that is cheaper than asking for the ids that are still missing. */
  *#pagesLeft(first: number, pages: number): Generator<() => Promise<void>> {
    for (let page = first + 1; page < this.#beyond; page += 1) {
      if (this.#missing.size === 0 || this.#missing.size <= pages - page) return;
      if (!this.#pagesRead.has(page)) yield () => this.#page(page);
    }
  }

  get reading(): Reading {
    const reading: Reading = { way: this.#way, items: this.#total, requests: this.#requests };
    if (this.#way === 'pages') reading.otherwise = this.#total;
    else if (Number.isFinite(this.#beyond)) reading.otherwise = this.#beyond - 1;
    return reading;
  }

  get #ended(): boolean {
    return this.#pagesRead.has(this.#beyond - 1);
  }

  async #page(page: number): Promise<void> {
    const { client, signal } = this.#deps;
    this.#pagesRead.add(page);
    this.#requests += 1;
    const { value } = await client.listItems({ page, perPage: PER_PAGE_MAX, signal });
    if (value.data.length === 0) this.#beyond = Math.min(this.#beyond, page);
    else if (!value.pagination.has_more) this.#beyond = Math.min(this.#beyond, page + 1);
    for (const item of value.data) this.#take(item);
  }

  async #readEach(): Promise<void> {
    const { client, signal } = this.#deps;
    const ask = (id: string) => async () => {
      this.#requests += 1;
      try {
        this.#take((await client.getItem(id, { signal })).value);
      } catch (error) {
        if (!(error instanceof NotFoundError)) throw error;
      }
    };
    await inParallel(AT_ONCE, [...this.#missing].map(ask));
  }

  #take(item: Item): void {
    const id = item.id.toLowerCase();
    if (!this.#missing.delete(id)) return;
    this.#found.set(id, item);
    this.#deps.emit({ type: 'checking', done: this.#found.size, total: this.#total });
  }

  #tell(why: string): void {
    this.#deps.emit({
      type: 'note',
      message: `${this.#total === 1 ? 'the item concerned is' : `the ${this.#total} items concerned are`} read ${why}`,
    });
  }
}

/** Every item of the list; the head is read again until a page is known, so that items added meanwhile are in. */
export async function allItems(
  client: ApiClient,
  signal: AbortSignal,
  onItem: (item: Item) => Promise<void> | void,
  status?: ItemStatus,
): Promise<void> {
  const seen = new Set<string>();
  const query = status === undefined ? { signal } : { signal, status };
  const take = async (items: Item[]): Promise<number> => {
    let fresh = 0;
    for (const item of items) {
      if (seen.has(item.id)) continue;
      seen.add(item.id);
      fresh += 1;
      await onItem(item);
    }
    return fresh;
  };
  for await (const item of client.items(query)) await take([item]);
  for (let page = 1; ; page += 1) {
    const { value } = await client.listItems({ ...query, page });
    if ((await take(value.data)) === 0 || !value.pagination.has_more) return;
  }
}

/** Runs tasks, several at a time; the next is taken only when there is room for it. */
async function inParallel(most: number, tasks: Iterable<() => Promise<void>>): Promise<void> {
  const iterator = tasks[Symbol.iterator]();
  await Promise.all(
    Array.from({ length: most }, async () => {
      for (let next = iterator.next(); next.done !== true; next = iterator.next()) await next.value();
    }),
  );
}
