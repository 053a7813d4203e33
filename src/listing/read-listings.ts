/**
 * Reads the listings. If the key is allowed to read items, they are compared with the items whose status is sell or
 * trade (contract §3), and differences are reported (design §7).
 */
import { MissingScopeError } from '../api/errors.ts';
import type { Item, ItemStatus } from '../api/schemas.ts';
import type { LoadPage } from './list-counter.ts';
import type { ItemSink, ReadItemsOptions } from './read-items.ts';
import { type PassesReading, readPass, type ReadPassesOptions, readPasses } from './read-passes.ts';

/** Items of these statuses are listed (contract §3). */
const LISTED_STATUSES = ['sell', 'trade'] as const;
/** Maximum number of ids to give; beyond that, only their number. */
const MAX_NAMED = 100;

/** The differences between listings and items. */
export interface ListingsComparison {
  /** False if the key is not allowed to read items, so that nothing was compared. */
  compared: boolean;
  /** Items of status sell or trade that were not listed, and the ids of the first 100. */
  notListed: { count: number; ids: string[] };
  /** Listings whose item was not of status sell or trade, and the ids of the first 100. */
  notForSale: { count: number; ids: string[] };
}

export interface ListingsReading extends PassesReading {
  comparison: ListingsComparison;
}

type ReadListingsOptions = ReadPassesOptions<Item> &
  Pick<ReadItemsOptions<Item>, 'isOutdated'> & { sink: Pick<ItemSink<Item>, 'add' | 'reset'> };

/** @param itemsOf loads pages of the items of one status */
export async function readListings(
  options: ReadListingsOptions,
  itemsOf: (status: ItemStatus) => LoadPage<Item>,
): Promise<ListingsReading> {
  for (;;) {
    const reading = await readOnce(options, itemsOf);
    if ((await options.isOutdated?.()) !== true) return reading;
    await options.sink.reset();
  }
}

async function readOnce(
  options: ReadListingsOptions,
  itemsOf: (status: ItemStatus) => LoadPage<Item>,
): Promise<ListingsReading> {
  const passes = await readPasses(options);
  const forSale = await readForSale(itemsOf, options.perPage);
  if (forSale === undefined) {
    const none = { count: 0, ids: [] };
    return { ...passes, comparison: { compared: false, notListed: none, notForSale: none } };
  }
  const { reading, ids } = passes;
  if (reading.consistency === 'moved' && notIn(forSale, ids).length > 0) {
    // An entry may have slid over a page border in every pass: look once more, and report what is still missing.
    await readPass(options, ids);
    reading.passes += 1;
    reading.distinct = ids.size;
  }
  return {
    ...passes,
    comparison: {
      compared: true,
      notListed: named(notIn(forSale, ids)),
      notForSale: named(notIn(ids, forSale)),
    },
  };
}

async function readForSale(
  itemsOf: (status: ItemStatus) => LoadPage<Item>,
  perPage: number | undefined,
): Promise<Set<string> | undefined> {
  const ids = new Set<string>();
  try {
    for (const status of LISTED_STATUSES) {
      const read = await readPasses({
        load: itemsOf(status),
        sink: { add: async () => {} },
        // Enough for a list that does not change; otherwise the comparison is approximate anyway.
        mostPasses: 2,
        ...(perPage === undefined ? {} : { perPage }),
      });
      for (const id of read.ids) ids.add(id);
    }
  } catch (error) {
    if (error instanceof MissingScopeError) return undefined;
    throw error;
  }
  return ids;
}

function notIn(some: ReadonlySet<string>, others: ReadonlySet<string>): string[] {
  return [...some].filter((id) => !others.has(id));
}

function named(ids: string[]): { count: number; ids: string[] } {
  return { count: ids.length, ids: ids.slice(0, MAX_NAMED) };
}
