/**
 * Reads the whole unfiltered list of items, and says whether the reading is complete (design §7; the proof is in
 * completeness-counter.ts).
 *
 * first count → pages, several at a time → head and count until they agree → further passes while a gap remains.
 */
import {
  CompletenessCounter,
  type Head,
  headOf,
  isUntouched,
  latestOf,
  type Listed,
  type Completeness,
} from './completeness-counter.ts';
import { type Checkpoint, headFrom } from './checkpoint.ts';
import { firstCount } from './first-count.ts';
import { ListCounter, type ListPage, type LoadPage, PER_PAGE } from './list-counter.ts';
import { message } from '../messages/message.ts';
import type { Message } from '../messages/params.ts';

/** Maximum number of tries for a head and a count that agree while items keep being added. */
const MAX_ROUNDS = 30;
const MAX_PASSES = 5;
/** Maximum number of pages that wait for an earlier one, so that rows come in list order. */
const MAX_WAITING = 32;

/** Receives items as they are read, each id once. */
export interface ItemSink<T> {
  /**
   * @param items the items of the page that no earlier page had
   * @param checkpoint the point from which a later reading can continue if it has all pages up to this one; undefined
   *   if it cannot
   */
  add(items: readonly T[], page: ListPage<T>, checkpoint?: () => Checkpoint): Promise<void>;
  /** Discards everything so far, because the list is read from the beginning. */
  reset(): Promise<void>;
}

export interface ReadItemsOptions<T> {
  load: LoadPage<T>;
  sink: ItemSink<T>;
  /** Number of concurrent requests; asked before each one. */
  concurrency: () => number;
  /** Default 100. */
  perPage?: number;
  /** Probable number of entries: the first count starts there to look for the end of the list. */
  near?: number | undefined;
  /** How often to read the list if items were removed meanwhile. Default 2. */
  attempts?: number;
  /** Whether the pages read so far have turned out to lack fields: then the list is read again. */
  isOutdated?: () => Promise<boolean>;
  /** Called with the first count, and again after a restart. */
  onCount?: (count: number) => void;
  onPass?: (pass: number) => void;
  /** Waits a moment before the first count is retried. Default: no wait. */
  rest?: () => Promise<void>;
  /** Continues an interrupted reading, with its checkpoint and the items that it had read, in any order. */
  resume?: { checkpoint: Checkpoint; read: AsyncIterable<readonly Listed[]> };
}

/** The result of reading a list. */
export interface ListReading {
  /** stable: every item that existed at the beginning and still exists was read once. */
  consistency: 'stable' | 'moved';
  /** How often the list was read from its first page to its last. */
  passes: number;
  /** Distinct items read. */
  distinct: number;
  /** First and last count; null if the list could not be counted. */
  counts: { before: number | null; after: number | null };
  /** Items read that were created while the list was being read. */
  createdMeanwhile: number;
  /** Lower bound of the items removed outside the API meanwhile. */
  removedAtLeast: number;
  /** Upper bound of the items that existed at the beginning and were not read; null if unknown. */
  missingAtMost: number | null;
  /** Latest time on the head of the list when the reading began, ms; null if it could not be read. */
  latest: number | null;
  /** Why the list counts as stable or moved. */
  explanation: Message;
}

export async function readItems<T extends Listed>(options: ReadItemsOptions<T>): Promise<ListReading> {
  const { attempts = 2 } = options;
  let passesBefore = 0;
  for (let attempt = 1; ; ) {
    const reader = new ItemReader(options, passesBefore);
    const reading = await (passesBefore === 0 && options.resume !== undefined
      ? reader.resume(options.resume)
      : reader.read());
    const isOutdated = (await options.isOutdated?.()) === true;
    if (!isOutdated && (reading.removedAtLeast === 0 || attempt >= attempts)) return reading;
    if (!isOutdated) attempt += 1;
    passesBefore = reading.passes;
    await options.sink.reset();
  }
}

class ItemReader<T extends Listed> {
  readonly #options: ReadItemsOptions<T>;
  readonly #perPage: number;
  readonly #counter: ListCounter<T>;
  #passes: number;
  #completeness: CompletenessCounter | undefined;
  #start: { head: Head; since: number | undefined; anchored: boolean } | undefined;
  #nextPage = 2;

  constructor(options: ReadItemsOptions<T>, passesBefore: number) {
    this.#options = options;
    this.#perPage = options.perPage ?? PER_PAGE;
    this.#counter = new ListCounter(options.load, this.#perPage);
    if (options.near !== undefined)
      this.#counter.lookNear(Math.max(2, Math.ceil(options.near / this.#perPage)));
    this.#passes = passesBefore;
  }

  async read(): Promise<ListReading> {
    this.#beginPass();
    const first = await this.#page(1);
    if (!first.hasMore) return this.#readAtOnce(first);
    const { rest } = this.#options;
    const start = await firstCount(first, (page) => this.#page(page), this.#counter, rest);
    if (start.kind === 'whole') return this.#readAtOnce(start.page);
    if (start.kind === 'uncounted') return this.#readUncounted();
    const { completeness } = start;
    this.#completeness = completeness;
    this.#start = start;
    this.#options.onCount?.(completeness.counts.before);
    for (const page of start.pages) await this.#take(page);
    return this.#readFrom(2, this.#counter.lastPage, completeness, start);
  }

  /** Continues an interrupted reading: its items count as if read now (completeness-counter.ts). */
  async resume({ checkpoint, read }: NonNullable<ReadItemsOptions<T>['resume']>): Promise<ListReading> {
    this.#beginPass();
    const head = headFrom(checkpoint);
    const start = { head, since: checkpoint.since ?? undefined, anchored: checkpoint.anchored };
    const completeness = new CompletenessCounter(head, checkpoint.before);
    for await (const items of read) completeness.take(items);
    this.#completeness = completeness;
    this.#start = start;
    this.#options.onCount?.(checkpoint.before);
    const lastPage = Math.ceil(checkpoint.before / this.#perPage);
    this.#counter.lookNear(lastPage);
    return this.#readFrom(checkpoint.nextPage, lastPage, completeness, start);
  }

  async #readFrom(
    page: number,
    lastPage: number,
    completeness: CompletenessCounter,
    start: { since: number | undefined; anchored: boolean },
  ): Promise<ListReading> {
    let { since } = start;
    await this.#readParallel(page, lastPage);
    await this.#readOn(Math.max(page, lastPage + 1));
    for (let pass = 1; ; pass += 1) {
      const verdict = await this.#agree(completeness, since);
      if (verdict === 'complete' && start.anchored) return this.#stable(completeness);
      if (verdict === 'removed' || pass === MAX_PASSES || verdict === 'complete') {
        return this.#moved(completeness, start.anchored);
      }
      this.#beginPass();
      const head = await this.#page(1);
      since = latestOf(head.data);
      await this.#take(head);
      if (head.hasMore) await this.#readOn(2);
    }
  }

  /** Repeats head and count until they agree, or until something other than new items keeps them apart. */
  async #agree(completeness: CompletenessCounter, passSince: number | undefined): Promise<Completeness> {
    let since = passSince;
    let countBefore: number | undefined;
    for (let round = 1; round <= MAX_ROUNDS; round += 1) {
      const head = await this.#readHead(since, round === 1);
      since = head.latest;
      let addedByCount = 0;
      const count = await this.#counter.count(async (page) => {
        addedByCount += await this.#take(page);
      });
      if (count === undefined) return 'gap';
      const verdict = completeness.judge(count);
      if (verdict !== 'gap') return verdict;
      // Nothing comes in, yet something is missing: it is deeper than the head.
      if (head.added + addedByCount === 0 && count === countBefore) return 'gap';
      countBefore = count;
    }
    return 'gap';
  }

  /**
   * From page 1 until a page shows an item not touched since `since`: by either sort key, everything touched is above
   * it. After a pass, the reading continues until a page shows nothing new.
   */
  async #readHead(
    since: number | undefined,
    untilKnown: boolean,
  ): Promise<{ added: number; latest: number | undefined }> {
    let latest: number | undefined;
    let added = 0;
    for (let page = 1; ; page += 1) {
      const loaded = await this.#page(page);
      const { data, hasMore } = loaded;
      if (page === 1) latest = latestOf(data);
      const fresh = await this.#take(loaded);
      added += fresh;
      if (!hasMore || data.length === 0) return { added, latest };
      if ((!untilKnown || fresh === 0) && data.some((item) => isUntouched(item, since)))
        return { added, latest };
    }
  }

  /** Pages `from` to `to`, several at a time, taken in order. */
  async #readParallel(from: number, to: number): Promise<void> {
    const waiting: Promise<ListPage<T>>[] = [];
    this.#nextPage = from;
    let next = from;
    let active = 0;
    const launch = () => {
      while (next <= to && active < Math.max(1, this.#options.concurrency())) {
        if (waiting.length >= MAX_WAITING) return;
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
            // Pages after a failed one are not needed: the reader of `waiting` throws.
            next = Number.POSITIVE_INFINITY;
          },
        );
      }
    };
    launch();
    for (let page = waiting.shift(); page !== undefined; page = waiting.shift()) {
      await this.#take(await page);
      this.#nextPage += 1;
      launch();
    }
  }

  async #readOn(from: number): Promise<void> {
    for (let number = from; ; number += 1) {
      const page = await this.#page(number);
      await this.#take(page);
      if (!page.hasMore || page.data.length === 0) return;
    }
  }

  /** Returns a list that fits on one page, and was therefore read at one moment. */
  async #readAtOnce(page: ListPage<T>): Promise<ListReading> {
    await this.#options.sink.add(page.data, page);
    const count = page.data.length;
    this.#options.onCount?.(count);
    return {
      consistency: 'stable',
      passes: this.#passes,
      distinct: count,
      counts: { before: count, after: count },
      createdMeanwhile: 0,
      removedAtLeast: 0,
      missingAtMost: 0,
      latest: latestOf(page.data) ?? null,
      explanation: message('list_in_one_response', {}),
    };
  }

  /** Reads all that it can if the end of the list cannot be found, without a guarantee. */
  async #readUncounted(): Promise<ListReading> {
    const completeness = new CompletenessCounter(headOf([], true), 0);
    this.#completeness = completeness;
    await this.#readOn(1);
    return {
      consistency: 'moved',
      passes: this.#passes,
      distinct: completeness.distinct,
      counts: { before: null, after: null },
      createdMeanwhile: 0,
      removedAtLeast: 0,
      missingAtMost: null,
      latest: null,
      explanation: message('list_not_counted', {}),
    };
  }

  #stable(completeness: CompletenessCounter): ListReading {
    return {
      ...this.#numbers(completeness),
      consistency: 'stable',
      missingAtMost: 0,
      explanation: message('list_complete', {
        items: completeness.distinct,
        entries: completeness.counts.after,
      }),
    };
  }

  #moved(completeness: CompletenessCounter, anchored: boolean): ListReading {
    const { after, before } = completeness.counts;
    const missing = anchored ? completeness.missing : null;
    const bound =
      missing === null
        ? message('missing_items_unknown', {})
        : message('missing_items_at_most', { missing, of: before });
    const why = !anchored
      ? message('new_items_kept_arriving', {})
      : completeness.removedAtLeast > 0
        ? message('items_removed_meanwhile', { items: completeness.removedAtLeast })
        : message('items_and_entries_differ', { items: completeness.distinct, entries: after });
    return {
      ...this.#numbers(completeness),
      consistency: 'moved',
      missingAtMost: missing,
      explanation: message('list_incomplete', { why, bound }),
    };
  }

  #numbers(completeness: CompletenessCounter) {
    return {
      passes: this.#passes,
      distinct: completeness.distinct,
      counts: completeness.counts,
      createdMeanwhile: completeness.newer,
      removedAtLeast: completeness.removedAtLeast,
      latest: this.#start?.since ?? null,
    };
  }

  #beginPass(): void {
    this.#passes += 1;
    this.#options.onPass?.(this.#passes);
  }

  #page(page: number): Promise<ListPage<T>> {
    return this.#options.load(page, this.#perPage);
  }

  /** Returns the number of items of the page that were not read before. */
  async #take(page: ListPage<T>): Promise<number> {
    const fresh = this.#completeness?.take(page.data) ?? [];
    if (fresh.length > 0) {
      const start = this.#start;
      await this.#options.sink.add(
        fresh,
        page,
        start === undefined ? undefined : () => this.#checkpoint(start),
      );
    }
    return fresh.length;
  }

  #checkpoint({
    head,
    since,
    anchored,
  }: {
    head: Head;
    since: number | undefined;
    anchored: boolean;
  }): Checkpoint {
    return {
      head: { ids: [...head.ids], latest: head.latest ?? null, bounded: head.bounded },
      before: this.#completeness?.counts.before ?? 0,
      since: since ?? null,
      anchored,
      nextPage: this.#nextPage,
    };
  }
}
