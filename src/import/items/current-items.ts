/**
 * Reads items by id in the cheaper of two ways: one request per item, or pages of the list. This depends on the length
 * of the list, which a few requests determine.
 */
import { momentOf } from '../../base/clock.ts';
import { saidOf } from '../../base/errors.ts';
import { FieldsUnknownError, NotFoundError } from '../../api/errors.ts';
import type { RequestPriority } from '../../api/limiter.ts';
import { type Item, PER_PAGE_MAX } from '../../api/schemas.ts';
import { idsToAskAgain } from '../engine/absence.ts';
import { NO_INTENTS, type Reading } from '../engine/reading.ts';
import { issueOf } from '../engine/stored-issue.ts';
import type { JobDeps } from '../job/deps.ts';
import { asLastChanged } from './own-changes.ts';
import { noteOf } from '../job/events.ts';
import { message } from '../../messages/message.ts';
import type { Intents, StoredIssue } from '../../ledger/ledger.ts';
import type { ItemLookup, JobPlan } from '../../ledger/job-parts.ts';

/** For up to this many ids, one request each is cheaper than measuring the list. */
const FEW = 20;
const AT_ONCE = 8;
/** Pages to read before estimating: one page for this many ids. */
const IDS_A_FIRST_PAGE = 50;
/** Accuracy at which the measured length of the list is good enough. */
const CLOSE_ENOUGH = 0.05;

/** Items that were read by their ids with unknown fields. */
const PARTLY_READ = new WeakMap<Item, FieldsUnknownError>();

/** Why no change of the item can be planned: some of its fields are unknown. */
export function unknownFieldsOf(item: Item): StoredIssue | undefined {
  const error = PARTLY_READ.get(item);
  if (error === undefined) return undefined;
  return issueOf('fields_unknown', saidOf(error), { itemId: item.id.toLowerCase() });
}

type ReadDeps = Pick<JobDeps, 'client' | 'signal' | 'clock' | 'readings'> & {
  /** Replaces items that show an older state. */
  current?: (read: readonly Item[]) => Promise<Item[]>;
};

/** How items are read. */
interface ReadOptions {
  /** Names of the fields that the caller decides by: single answers that lack them are completed. */
  fields?: Iterable<string>;
  /** Repeats each read. Not for a plan, which is repeated as a whole. */
  patiently?: JobDeps['patiently'];
  /** Of pages of the list, among the other requests. */
  priority?: RequestPriority;
}

/** Facts about the API that a plan learned; the job stores them. */
export type PlanFacts = Pick<JobPlan, 'teamCollections' | 'reading' | 'missing' | 'plannedAfter'>;

/**
 * Items by id. Ids that the API does not know are missing from the result. For an item that this store has just created
 * or changed, and that the API does not know or show whole, it is asked again for a minute.
 */
export async function itemsById(
  deps: JobDeps,
  ids: Iterable<string>,
  options: ReadOptions = {},
): Promise<{ items: Map<string, Item>; reading: ItemLookup }> {
  const reader = new ItemReader({ ...deps, current: await asLastChanged(deps) }, ids, options);
  const found = new Map<string, Item>();
  const take = (items: Item[]) => {
    for (const item of items) found.set(item.id.toLowerCase(), item);
    if (items.length > 0) deps.emit({ type: 'checking', done: found.size, total: reader.total });
  };
  for await (const items of reader.pages()) take(items);
  // Pages shift while they are read, so an item missing in the list may exist: only a 404 is proof.
  const ask = (id: string) => async () => take(await reader.one(id));
  await inParallel(AT_ONCE, [...reader.missing].map(ask));
  for await (const late of idsToAskAgain(reader.missing, deps.client.target, deps)) {
    await inParallel(AT_ONCE, late.map(ask));
  }
  const { way, requests } = reader.reading;
  if (reader.total > FEW) {
    const params = { items: reader.total, requests, isList: way === 'pages' };
    deps.emit(noteOf(message('reading_items', params)));
  }
  return { items: found, reading: reader.reading };
}

/**
 * Reads pages of the list while they cost less than one request for each missing item. Items that they do not show stay
 * `missing`.
 */
export class ItemReader {
  readonly #deps: ReadDeps;
  readonly #missing: Set<string>;
  readonly #fields: readonly string[];
  readonly #patiently: NonNullable<JobDeps['patiently']>;
  readonly #priority: RequestPriority;
  readonly #pagesRead = new Set<number>();
  /** The page that showed each item. */
  readonly #pageOf = new Map<string, number>();
  #next = 1;
  /** The first page known to be beyond the end of the list. */
  #beyond = Number.POSITIVE_INFINITY;
  #requests = 0;
  #way: ItemLookup['way'] = 'each';
  readonly total: number;

  constructor(
    deps: ReadDeps,
    ids: Iterable<string>,
    { fields = [], patiently, priority = 'read' }: ReadOptions = {},
  ) {
    this.#deps = deps;
    this.#fields = [...fields];
    this.#patiently = patiently ?? ((read) => read());
    this.#priority = priority;
    this.#missing = new Set([...ids].map((id) => id.toLowerCase()));
    this.total = this.#missing.size;
  }

  /** Lower-case ids that no answer has shown whole yet. */
  get missing(): ReadonlySet<string> {
    return this.#missing;
  }

  get reading(): ItemLookup {
    const reading: ItemLookup = { way: this.#way, items: this.total, requests: this.#requests };
    if (this.#way === 'pages') reading.otherwise = this.total;
    else if (Number.isFinite(this.#beyond)) reading.otherwise = this.#beyond - 1;
    return reading;
  }

  /**
   * Batches of missing items, from one page or a few; ends when further pages would cost more than single requests.
   *
   * @param itemsAtOnce limits the pages read in parallel to those that are likely to show this many items
   */
  async *pages(itemsAtOnce = Number.POSITIVE_INFINITY): AsyncGenerator<Item[], void> {
    if (this.total <= FEW) return;
    const first = Math.ceil(this.total / IDS_A_FIRST_PAGE);
    while (this.#missing.size > 0 && this.#next <= first && this.#next < this.#beyond) {
      yield await this.#read([this.#next]);
    }
    if (this.#beyond > first + 1 && this.#missing.size > 0) {
      // A list with more pages than there are ids is more expensive.
      const most = this.#missing.size + this.#pagesRead.size;
      yield await this.#read([most]);
      if (this.#beyond > most + 1) return;
      yield* this.#findEnd(first, most);
    }
    this.#way = 'pages';
    for (;;) {
      const left = this.#pagesLeft();
      // The last pages of the list may show fewer items than they cost requests.
      if (this.#missing.size === 0 || left.length === 0 || this.#missing.size < left.length) return;
      const together = Math.ceil((itemsAtOnce * left.length) / this.#missing.size);
      yield await this.#read(left.slice(0, Math.min(AT_ONCE, together)));
    }
  }

  /** Marks an item to be read again, with the page that showed it first. */
  again(id: string): void {
    this.#missing.add(id.toLowerCase());
    const page = this.#pageOf.get(id.toLowerCase());
    if (page === undefined) return;
    this.#pagesRead.delete(page);
    this.#next = Math.min(this.#next, page);
  }

  async one(id: string): Promise<Item[]> {
    const { client, signal, clock } = this.#deps;
    this.#requests += 1;
    const intents = await this.#intents();
    try {
      const { value, tookMs } = await this.#patiently(() =>
        client.getItem(id, { signal, fields: this.#fields }),
      );
      const at = momentOf(clock, tookMs);
      const current = await this.#patiently(async () => this.#deps.current?.([value]));
      return this.#take(current ?? [value], { at, intents });
    } catch (error) {
      if (error instanceof NotFoundError) return [];
      if (!(error instanceof FieldsUnknownError)) throw error;
      // It stays missing, and is asked for again if the list may show its last change late.
      PARTLY_READ.set(error.item, error);
      return [error.item];
    }
  }

  /** Finds the approximate number of pages by bisection; the pages that it reads count as read. */
  async *#findEnd(from: number, to: number): AsyncGenerator<Item[], void> {
    let last = from;
    while (this.#beyond - last > Math.max(1, last * CLOSE_ENOUGH)) {
      const page = Math.floor((last + Math.min(this.#beyond, to)) / 2);
      if (page <= last) return;
      yield await this.#read([page]);
      if (page < this.#beyond) last = page;
    }
  }

  #pagesLeft(): number[] {
    const left: number[] = [];
    const end = Math.min(this.#beyond, this.#next + this.#missing.size + this.#pagesRead.size + 1);
    for (let page = this.#next; page < end; page += 1) if (!this.#pagesRead.has(page)) left.push(page);
    return left;
  }

  async #read(pages: number[]): Promise<Item[]> {
    const { client, signal, clock } = this.#deps;
    const intents = await this.#intents();
    const shown = await Promise.all(
      pages.map(async (page) => {
        this.#pagesRead.add(page);
        if (page === this.#next) this.#next += 1;
        this.#requests += 1;
        const { value, tookMs } = await this.#patiently(() =>
          client.listItems({ page, perPage: PER_PAGE_MAX, signal, priority: this.#priority }),
        );
        if (value.data.length === 0) this.#beyond = Math.min(this.#beyond, page);
        else if (!value.pagination.has_more) this.#beyond = Math.min(this.#beyond, page + 1);
        const current = (await this.#patiently(async () => this.#deps.current?.(value.data))) ?? value.data;
        const items = this.#take(current, { at: momentOf(clock, tookMs), intents, isListed: true });
        for (const { id } of items) this.#pageOf.set(id.toLowerCase(), page);
        return items;
      }),
    );
    return shown.flat();
  }

  async #intents(): Promise<Intents> {
    return (await this.#deps.readings?.intents()) ?? NO_INTENTS;
  }

  #take(items: Item[], reading: Reading): Item[] {
    const fresh = items.filter((item) => this.#missing.delete(item.id.toLowerCase()));
    for (const item of fresh) this.#deps.readings?.note(item, reading);
    return fresh;
  }
}

async function inParallel(most: number, tasks: Iterable<() => Promise<void>>): Promise<void> {
  const iterator = tasks[Symbol.iterator]();
  await Promise.all(
    Array.from({ length: most }, async () => {
      for (let next = iterator.next(); next.done !== true; next = iterator.next()) await next.value();
    }),
  );
}
