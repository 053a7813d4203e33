/**
 * Reads the whole unfiltered list of items, and says whether that is all (DESIGN §7; the argument is in census.ts).
 *
 * first count → pages, several at a time → head and count until they agree → passes where a gap stays.
 */
import { Census, headOf, isUntouched, type Listed, type Verdict } from './census.ts';
import { firstCount, latestOf } from './first-count.ts';
import { ListCounter, type ListPage, type LoadPage, PER_PAGE } from './list-counter.ts';

/** Tries for a head and a count that agree, as items come in. */
const MOST_ROUNDS = 30;
const MOST_PASSES = 5;
/** Pages that wait for an earlier one, so that rows come in the list's order. */
const MOST_WAITING = 32;

/** Where items go as they are read, each id once. */
export interface ItemSink<T> {
  add(items: readonly T[]): Promise<void>;
  /** Everything so far is forgotten: the list is read from the beginning. */
  reset(): Promise<void>;
}

export interface ReadItemsOptions<T> {
  load: LoadPage<T>;
  sink: ItemSink<T>;
  /** Pages to ask for at the same time; asked before each. */
  concurrency: () => number;
  /** Default 100. */
  perPage?: number;
  /** Told of the first count, and again after a restart. */
  onCount?: (count: number) => void;
  onPass?: (pass: number) => void;
}

/** What is known of a reading when it is over. */
export interface Reading {
  /** stable: every item that stood at the beginning, and still stands, was read, each once. */
  consistency: 'stable' | 'moved';
  /** Readings of the list from its first page to its last. */
  passes: number;
  /** Distinct items read. */
  distinct: number;
  /** First and last count; null where the list could not be counted. */
  counts: { before: number | null; after: number | null };
  /** Items created while the list was read, that were read. */
  createdMeanwhile: number;
  /** Items removed outside the API while the list was read, at least. */
  removedAtLeast: number;
  /** Items that stood at the beginning and were not read, at most; null where that is not known. */
  missingAtMost: number | null;
  /** One sentence for people. */
  explanation: string;
}

export async function readItems<T extends Listed>(options: ReadItemsOptions<T>): Promise<Reading> {
  let passesBefore = 0;
  for (let attempt = 1; ; attempt += 1) {
    const reader = new ItemReader(options, passesBefore);
    const reading = await reader.read();
    if (reading.removedAtLeast === 0 || attempt === 2) return reading;
    passesBefore = reading.passes;
    await options.sink.reset();
  }
}

class ItemReader<T extends Listed> {
  readonly #options: ReadItemsOptions<T>;
  readonly #perPage: number;
  readonly #counter: ListCounter<T>;
  #passes: number;
  #census: Census | undefined;

  constructor(options: ReadItemsOptions<T>, passesBefore: number) {
    this.#options = options;
    this.#perPage = options.perPage ?? PER_PAGE;
    this.#counter = new ListCounter(options.load, this.#perPage);
    this.#passes = passesBefore;
  }

  async read(): Promise<Reading> {
    this.#nextPass();
    const first = await this.#page(1);
    if (!first.hasMore) return this.#readAtOnce(first.data);
    const start = await firstCount(first, (page) => this.#page(page), this.#counter);
    if (start.kind === 'whole') return this.#readAtOnce(start.items);
    if (start.kind === 'uncounted') return this.#readUncounted();
    const { census } = start;
    this.#census = census;
    let since = start.since;
    this.#options.onCount?.(census.counts.before);

    await this.#take(start.items);
    await this.#readParallel(2, this.#counter.lastPage);
    await this.#readOn(this.#counter.lastPage + 1);
    for (let pass = 1; ; pass += 1) {
      const verdict = await this.#agree(census, since);
      if (verdict === 'complete' && start.anchored) return this.#stable(census);
      if (verdict === 'removed' || pass === MOST_PASSES || verdict === 'complete') {
        return this.#moved(census, start.anchored);
      }
      this.#nextPass();
      const head = await this.#page(1);
      since = latestOf(head.data);
      await this.#take(head.data);
      if (head.hasMore) await this.#readOn(2);
    }
  }

  /** Head and count, until they agree or do not any more for inflow. */
  async #agree(census: Census, passSince: number | undefined): Promise<Verdict> {
    let since = passSince;
    let countBefore: number | undefined;
    for (let round = 1; round <= MOST_ROUNDS; round += 1) {
      const head = await this.#readHead(since, round === 1);
      since = head.latest;
      let addedByCount = 0;
      const count = await this.#counter.count(async (items) => {
        addedByCount += await this.#take(items);
      });
      if (count === undefined) return 'gap';
      const verdict = census.judge(count);
      if (verdict !== 'gap') return verdict;
      // Nothing comes in, and still something is missing: it is deeper than the head.
      if (head.added + addedByCount === 0 && count === countBefore) return 'gap';
      countBefore = count;
    }
    return 'gap';
  }

  /**
   * From page 1 until a page shows something that was not touched since `since`: by either sort key, all that was
   * is above it. After a pass, until a page is also known whole.
   */
  async #readHead(
    since: number | undefined,
    untilKnown: boolean,
  ): Promise<{ added: number; latest: number | undefined }> {
    let latest: number | undefined;
    let added = 0;
    for (let page = 1; ; page += 1) {
      const { data, hasMore } = await this.#page(page);
      if (page === 1) latest = latestOf(data);
      const fresh = await this.#take(data);
      added += fresh;
      if (!hasMore || data.length === 0) return { added, latest };
      if ((!untilKnown || fresh === 0) && data.some((item) => isUntouched(item, since)))
        return { added, latest };
    }
  }

  /** Pages `from` to `to`, several at a time, taken in their order. */
  async #readParallel(from: number, to: number): Promise<void> {
    const waiting: Promise<ListPage<T>>[] = [];
    let next = from;
    let active = 0;
    const launch = () => {
      while (next <= to && active < Math.max(1, this.#options.concurrency())) {
        if (waiting.length >= MOST_WAITING) return;
        active += 1;
        const page = this.#page(next);
        next += 1;
        waiting.push(page);
        page.then(
          () => {
            active -= 1;
            launch();
          },
          () => {
            // No page after a failed one is wanted: the reader of `waiting` throws.
            next = Number.POSITIVE_INFINITY;
          },
        );
      }
    };
    launch();
    for (let page = waiting.shift(); page !== undefined; page = waiting.shift()) {
      await this.#take((await page).data);
      launch();
    }
  }

  /** From a page on, one after the other, to the list's end. */
  async #readOn(from: number): Promise<void> {
    for (let page = from; ; page += 1) {
      const { data, hasMore } = await this.#page(page);
      await this.#take(data);
      if (!hasMore || data.length === 0) return;
    }
  }

  /** One page that is the whole list is a moment of it. */
  async #readAtOnce(items: readonly T[]): Promise<Reading> {
    await this.#options.sink.add(items);
    const count = items.length;
    this.#options.onCount?.(count);
    return {
      consistency: 'stable',
      passes: this.#passes,
      distinct: count,
      counts: { before: count, after: count },
      createdMeanwhile: 0,
      removedAtLeast: 0,
      missingAtMost: 0,
      explanation: 'The whole list came in one answer.',
    };
  }

  /** The list's end cannot be found: everything that can be read, without a promise. */
  async #readUncounted(): Promise<Reading> {
    const census = new Census(headOf([], true), 0);
    this.#census = census;
    await this.#readOn(1);
    return {
      consistency: 'moved',
      passes: this.#passes,
      distinct: census.distinct,
      counts: { before: null, after: null },
      createdMeanwhile: 0,
      removedAtLeast: 0,
      missingAtMost: null,
      explanation:
        'The list could not be counted, because its last page could not be found; how many items are missing is not known.',
    };
  }

  #stable(census: Census): Reading {
    return {
      ...this.#numbers(census),
      consistency: 'stable',
      missingAtMost: 0,
      explanation: `${census.distinct} distinct items were read, and the list then had ${census.counts.after} positions: that is all of them.`,
    };
  }

  #moved(census: Census, anchored: boolean): Reading {
    const { after, before } = census.counts;
    const missing = anchored ? census.missing : null;
    const bound =
      missing === null
        ? 'how many items are missing is not known'
        : `of the ${before} items that stood at the beginning, ${missing} were not read`;
    const why = !anchored
      ? 'The list never stood still for a first count'
      : census.removedAtLeast > 0
        ? `At least ${census.removedAtLeast} items were removed outside the API while the list was read, and again when it was read a second time`
        : `${census.distinct} distinct items were read, and the list then had ${after} positions`;
    return {
      ...this.#numbers(census),
      consistency: 'moved',
      missingAtMost: missing,
      explanation: `${why}: ${bound}.`,
    };
  }

  #numbers(census: Census) {
    return {
      passes: this.#passes,
      distinct: census.distinct,
      counts: census.counts,
      createdMeanwhile: census.newer,
      removedAtLeast: census.removedAtLeast,
    };
  }

  #nextPass(): void {
    this.#passes += 1;
    this.#options.onPass?.(this.#passes);
  }

  #page(page: number): Promise<ListPage<T>> {
    return this.#options.load(page, this.#perPage);
  }

  /** How many of the items were not read before. */
  async #take(items: readonly T[]): Promise<number> {
    const fresh = this.#census?.take(items) ?? [];
    if (fresh.length > 0) await this.#options.sink.add(fresh);
    return fresh.length;
  }
}
