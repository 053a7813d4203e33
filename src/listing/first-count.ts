/**
 * The count from which a completeness starts (t0 in completeness-counter.ts): the head of the list, a count, and the head again. Where
 * the second look shows nothing new, nothing was created between the two, and so what is new against the head is
 * exactly what was created after the count.
 */
import {
  ageSince,
  CompletenessCounter,
  type Head,
  headOf,
  isOlder,
  latestOf,
  type Listed,
} from './completeness-counter.ts';
import type { ListCounter, ListPage } from './list-counter.ts';

/** Tries, as items come in. */
const MOST_ROUNDS = 30;
/** Pages on which an item older than the latest is looked for. */
const MOST_HEAD_PAGES = 10;

export type FirstCount<T> =
  /** The list fits on one page: that page, read at one moment. */
  | { kind: 'whole'; page: ListPage<T> }
  /** The list's end could not be found. */
  | { kind: 'uncounted' }
  | {
      kind: 'counted';
      completeness: CompletenessCounter;
      /** As it stood just before the count. */
      head: Head;
      /** Read after the count, from page 1 on. */
      pages: readonly ListPage<T>[];
      /** Latest time that was seen before the count, ms. */
      since: number | undefined;
      /** False where something new was there at every second look: the count has no moment. */
      anchored: boolean;
    };

/**
 * @param first page 1, with more behind it
 * @param rest waits a moment, so that three requests may leave close to each other: evenly spaced by a limit of 100 a
 * second they take longer than the time between two of 60 creates a second, and no try would ever succeed
 */
export async function firstCount<T extends Listed>(
  first: ListPage<T>,
  page: (number: number) => Promise<ListPage<T>>,
  counter: ListCounter<T>,
  rest: () => Promise<void> = async () => {},
): Promise<FirstCount<T>> {
  let block = await readBlock(first, page, Number.POSITIVE_INFINITY);
  for (let round = 1; ; round += 1) {
    const head = headOf(itemsOf(block), block.ended);
    // What the search for the last page shows was read before the count, and so is not taken.
    const count = await counter.count(async () => {});
    const again = await page(1);
    if (!again.hasMore) return { kind: 'whole', page: again };
    if (count === undefined) return { kind: 'uncounted' };
    const since = latestOf(itemsOf(block));
    block = await readBlock(again, page, head.bounded ? head.latest : undefined);
    const anchored = showsNothingNew(head, block);
    if (anchored || round === MOST_ROUNDS) {
      return {
        kind: 'counted',
        completeness: new CompletenessCounter(head, count),
        head,
        pages: block.pages,
        since,
        anchored,
      };
    }
    await rest();
    // The head that this try ended with is old by now.
    block = await readBlock(await page(1), page, Number.POSITIVE_INFINITY);
  }
}

interface Block<T> {
  pages: ListPage<T>[];
  /** Whether the list ends with it. */
  ended: boolean;
}

function itemsOf<T>(block: Block<T>): T[] {
  return block.pages.flatMap(({ data }) => data);
}

/** From page 1 until an item is older than `limit` and than the latest item; without a limit page 1 alone. */
async function readBlock<T extends Listed>(
  first: ListPage<T>,
  page: (number: number) => Promise<ListPage<T>>,
  limit: number | undefined,
): Promise<Block<T>> {
  const pages = [first];
  let { hasMore } = first;
  const most = limit === undefined ? 1 : MOST_HEAD_PAGES;
  for (let number = 2; hasMore && number <= most; number += 1) {
    const items = pages.flatMap(({ data }) => data);
    const latest = latestOf(items);
    if (latest === undefined) break;
    if (items.some((item) => isOlder(item, Math.min(limit ?? latest, latest)))) break;
    const next = await page(number);
    pages.push(next);
    hasMore = next.hasMore && next.data.length > 0;
  }
  return { pages, ended: !hasMore };
}

/** Whether what was created since `head` would stand in this block, and nothing does. */
function showsNothingNew<T extends Listed>(head: Head, block: Block<T>): boolean {
  const { bounded, latest } = head;
  const items = itemsOf(block);
  // Without times: the newest stand first (contract §4), and here are those that stood there.
  if (latest === undefined) return items.every(({ id }) => head.ids.has(id));
  if (items.some((item) => ageSince(head, item) === 'new')) return false;
  return !bounded || block.ended || items.some((item) => isOlder(item, latest));
}
