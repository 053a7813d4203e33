/**
 * Reads the list of items far enough back to be certain which ones exist (design §4, settling, 3).
 *
 * Pages shift during the reading: new items appear at the head, and a list sorted by updated_at moves edited items
 * there. So the scan repeats its pass until it shows no item that an earlier pass should have shown.
 */
import type { Item } from '../../api/schemas.ts';
import { CLOCK_SLACK_MS } from '../job/server-normalisation.ts';
import { isOlder, newestTime } from './item-observations.ts';
import type { SettleContext } from './settle-context.ts';

export interface ScanOptions {
  /** Sees all items. */
  shown?: (items: readonly Item[]) => void;
  /** Oldest mark of the rows, ms since the epoch; null to read to the end of the list. */
  until: number | null;
  /** Minimum number of pages to read, whatever their times; default 1. */
  leastPages?: number;
}

export interface ScanResult {
  /** Items that no row owns, by lower-case id. */
  unowned: Map<string, Item>;
  /** False if all five passes showed new items: `list_never_still`. */
  still: boolean;
}

const MAX_PASSES = 5;

export async function scanItems(context: SettleContext, options: ScanOptions): Promise<ScanResult> {
  const unowned = new Map<string, Item>();
  const begin = await pass(context, options, unowned);
  // The newest time when the first pass began, by the server's clock; later passes go back that far.
  const newestAtBegin = begin.newestOfFirstPage;
  for (let passes = 2; passes <= MAX_PASSES; passes += 1) {
    const until = options.until === null ? null : newestAtBegin;
    const next = await pass(context, { ...options, until }, unowned);
    const late = next.added.some((item) => createdBy(item, newestAtBegin));
    if (!late) return { unowned, still: true };
  }
  return { unowned, still: false };
}

interface Pass {
  added: Item[];
  newestOfFirstPage: number | null;
}

/**
 * Reads pages one by one until all items of a page are two minutes older than `until`, and at least `leastPages` pages.
 */
async function pass(
  { client, observations, ledger, job, signal }: SettleContext,
  { shown, until, leastPages = 1 }: ScanOptions,
  unowned: Map<string, Item>,
): Promise<Pass> {
  const added: Item[] = [];
  let newestOfFirstPage: number | null = null;
  for (let page = 1; ; page += 1) {
    const { value } = await client.listItems({ page, priority: 'settle', signal });
    const items = value.data;
    shown?.(items);
    await observations.observeList(items);
    const ids = items.map((item) => item.id.toLowerCase());
    const owned = await ledger.items.owned(job.apiUrl, ids);
    for (const item of items) {
      const id = item.id.toLowerCase();
      if (owned.has(id)) continue;
      if (!unowned.has(id)) added.push(item);
      unowned.set(id, item);
    }
    if (page === 1) newestOfFirstPage = items.reduce<number | null>(later, null);
    if (items.length === 0 || !value.pagination.has_more) return { added, newestOfFirstPage };
    if (page >= leastPages && until !== null && items.every((item) => isOlder(item, until - CLOCK_SLACK_MS)))
      return { added, newestOfFirstPage };
  }
}

function later(newest: number | null, item: Item): number | null {
  const time = newestTime(item);
  if (time === undefined) return newest;
  return newest === null ? time : Math.max(newest, time);
}

function createdBy(item: Item, time: number | null): boolean {
  const created = Date.parse(item.created_at);
  return time === null || Number.isNaN(created) || created <= time;
}
