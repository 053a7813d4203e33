/**
 * The count at which a reading starts (t0 in completeness-counter.ts): the head of the list, a count, and the head
 * again. If the second look shows nothing new, nothing was created between the two, so items that are new compared with
 * the head are exactly those created after the count.
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

/** Maximum number of tries while items keep being added. */
const MAX_ROUNDS = 30;
/** Maximum number of pages to search for an item older than the latest. */
const MAX_HEAD_PAGES = 10;

export type FirstCount<T> =
  /** The list fits on one page, read at one moment. */
  | { kind: 'whole'; page: ListPage<T> }
  /** The end of the list could not be found. */
  | { kind: 'uncounted' }
  | {
      kind: 'counted';
      completeness: CompletenessCounter;
      /** The head just before the count. */
      head: Head;
      /** Read after the count, from page 1 on. */
      pages: readonly ListPage<T>[];
      /** Latest time that was seen before the count, ms. */
      since: number | undefined;
      /** False if every second look showed new items, so that the count has no definite time. */
      anchored: boolean;
    };

/**
 * @param first page 1, if further pages follow
 * @param rest waits a moment, so that three requests can be sent close together: with a limit of 100 per second and 60
 *   creates per second, some create would always fall between evenly spaced requests, and no try would succeed
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
    // Pages seen while searching for the last page were read before the count, so they are not taken.
    const count = await counter.count(async () => {});
    const again = await page(1);
    if (!again.hasMore) return { kind: 'whole', page: again };
    if (count === undefined) return { kind: 'uncounted' };
    const since = latestOf(itemsOf(block));
    block = await readBlock(again, page, head.bounded ? head.latest : undefined);
    const anchored = showsNothingNew(head, block);
    if (anchored || round === MAX_ROUNDS) {
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
    // This try's last head is out of date by now.
    block = await readBlock(await page(1), page, Number.POSITIVE_INFINITY);
  }
}

interface Block<T> {
  pages: ListPage<T>[];
  /** True if the list ends with it. */
  ended: boolean;
}

function itemsOf<T>(block: Block<T>): T[] {
  return block.pages.flatMap(({ data }) => data);
}

/**
 * Reads from page 1 until an item is older than `limitMs` and than the latest item; without a limit, reads only page 1.
 */
async function readBlock<T extends Listed>(
  first: ListPage<T>,
  page: (number: number) => Promise<ListPage<T>>,
  limitMs: number | undefined,
): Promise<Block<T>> {
  const pages = [first];
  let { hasMore } = first;
  const most = limitMs === undefined ? 1 : MAX_HEAD_PAGES;
  for (let number = 2; hasMore && number <= most; number += 1) {
    const items = pages.flatMap(({ data }) => data);
    const latest = latestOf(items);
    if (latest === undefined) break;
    if (items.some((item) => isOlder(item, Math.min(limitMs ?? latest, latest)))) break;
    const next = await page(number);
    pages.push(next);
    hasMore = next.hasMore && next.data.length > 0;
  }
  return { pages, ended: !hasMore };
}

/** True if anything created since `head` would be in this block, and nothing is. */
function showsNothingNew<T extends Listed>(head: Head, block: Block<T>): boolean {
  const { bounded, latest } = head;
  const items = itemsOf(block);
  // Without times: the newest come first (contract §4), and all of these were on the head before.
  if (latest === undefined) return items.every(({ id }) => head.ids.has(id));
  if (items.some((item) => ageSince(head, item) === 'new')) return false;
  return !bounded || block.ended || items.some((item) => isOlder(item, latest));
}
