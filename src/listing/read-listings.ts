/**
 * Listings are what the server says is listed; where the key may read items, that is held against the items
 * whose status is sell or trade (contract §3), and what the two disagree on is named (design §7).
 */
import { MissingScopeError } from '../api/errors.ts';
import type { Item, ItemStatus } from '../api/schemas.ts';
import type { LoadPage } from './list-counter.ts';
import { type PassesReading, readPass, type ReadPassesOptions, readPasses } from './read-passes.ts';

/** The statuses of which the contract says that they are listed (§3). */
const LISTED_STATUSES = ['sell', 'trade'] as const;
/** Ids that are named; with more, only their number. */
const MOST_NAMED = 100;

/** What listings and items disagree on. */
export interface ListingsComparison {
  /** False where the key may not read items: nothing was compared. */
  compared: boolean;
  /** Items of status sell or trade that were not among the listings, and ids of the first 100 of them. */
  notListed: { count: number; ids: string[] };
  /** Listings whose item was not of status sell or trade, and ids of the first 100 of them. */
  notForSale: { count: number; ids: string[] };
}

export interface ListingsReading extends PassesReading {
  comparison: ListingsComparison;
}

/** @param itemsOf pages of the items of one status */
export async function readListings(
  options: ReadPassesOptions<Item>,
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
    // Some may have slid over a page border in every pass: one more look, and what is left is named.
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
        // Enough for a list that stands still; of one that does not, the comparison is a picture in any case.
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
  return { count: ids.length, ids: ids.slice(0, MOST_NAMED) };
}
