/** Reads the data of a report with the export's reader, and with the same completeness (design §7). */
import { MissingScopeError } from '../api/errors.ts';
import type { Item, ItemStatus } from '../api/schemas.ts';
import { COLLECTION_NAME } from '../where/item-values.ts';
import type { LoadPage } from '../listing/list-counter.ts';
import { matches, type Query, resolveQuery } from '../export/query.ts';
import { readListings } from '../listing/read-listings.ts';
import type { ExportSource } from '../export/read/source.ts';
import { english } from '../messages/message.ts';
import type { CheckedReport } from './request.ts';

/** A query with the names of collections, if the key may read them. */
export async function resolveReport(
  { reading }: Pick<CheckedReport, 'reading'>,
  source: ExportSource,
): Promise<{ query: Query; namesKnown: boolean }> {
  try {
    const query = await resolveQuery({ ...reading, columns: [COLLECTION_NAME] }, source);
    return { query: { ...query, request: reading }, namesKnown: true };
  } catch (error) {
    // Without the names, a collection given by name cannot be found.
    if (!(error instanceof MissingScopeError) || reading.collection !== undefined) throw error;
    return { query: await resolveQuery(reading, source), namesKnown: false };
  }
}

export interface ListingsRead {
  /** The listings of the server. */
  listings: Item[];
  /** Items of status sell or trade; undefined if the key may not read items. */
  forSale: ReadonlyMap<string, Item> | undefined;
  consistency: 'stable' | 'moved';
  passes: number;
  explanation: string;
}

/** The listings, and the items that should be listed. */
export async function readListed(query: Query, source: ExportSource): Promise<ListingsRead> {
  const listings: Item[] = [];
  let seen = 0;
  const forSale = new Map<string, Item>();
  const selected = (items: readonly Item[]) => items.filter((item) => matches(query, item));
  const kept =
    (load: LoadPage<Item>): LoadPage<Item> =>
    async (page, perPage) => {
      const answer = await load(page, perPage);
      for (const item of selected(answer.data)) forSale.set(item.id, item);
      return answer;
    };
  const { reading, comparison } = await readListings(
    {
      load: source.listings,
      sink: {
        add: async (items) => {
          listings.push(...selected(items));
          source.emit({ type: 'read', rows: listings.length, seen: (seen += items.length) });
        },
        reset: async () => {
          listings.length = 0;
          seen = 0;
          forSale.clear();
        },
      },
      isOutdated: source.isOutdated,
      onPass: (pass) => source.emit({ type: 'pass', pass }),
    },
    (status: ItemStatus) => kept(source.itemsOf(status)),
  );
  query.where.check((said) => source.warn(said));
  const { consistency, passes, explanation: said } = source.withDoubt(reading);
  const explanation = english(said);
  return { listings, forSale: comparison.compared ? forSale : undefined, consistency, passes, explanation };
}
