/** Reads what a query asks for into a spool, and keeps what columns and manifest need to know of it. */
import type { Collection, Item } from '../api/schemas.ts';
import type { SalesReading } from './flat-tables.ts';
import { matches, type Query } from './query.ts';
import { readItems, type Reading } from './read-items.ts';
import { type ListingsComparison, readListings } from './read-listings.ts';
import { readPasses } from './read-passes.ts';
import type { ExportSource } from './source.ts';
import { Spool } from './spool.ts';

export type Row = Item | Collection | SalesReading;

/** Rows that were read and pass the filters. Closing it removes the temporary file. */
export interface Rows extends AsyncDisposable {
  count: number;
  reading: Reading;
  /** Names of the custom fields that the rows have. */
  customFields: ReadonlySet<string>;
  /** Items and listings: rows by status. */
  statuses: ReadonlyMap<string, number> | undefined;
  listings: ListingsComparison | undefined;
  /** In the order in which they were read. */
  batches(): AsyncIterable<Row[]>;
}

export async function readRows(query: Query, source: ExportSource): Promise<Rows> {
  const kept = new KeptRows(query, source);
  try {
    const { reading, comparison } = await readResource(query, source, kept);
    const { resource } = query.request;
    return {
      count: kept.spool.rows,
      reading,
      customFields: kept.customFields,
      statuses: resource === 'items' || resource === 'listings' ? kept.statuses : undefined,
      listings: comparison,
      batches: () => kept.spool.batches(),
      [Symbol.asyncDispose]: () => kept.spool[Symbol.asyncDispose](),
    };
  } catch (error) {
    await kept.spool[Symbol.asyncDispose]();
    throw error;
  }
}

/** The sales summary and when it was read. */
export async function readSales(source: ExportSource): Promise<SalesReading> {
  const summary = await source.sales();
  return { ...summary, reported_at: new Date(source.clock.now()).toISOString() };
}

async function readResource(
  query: Query,
  source: ExportSource,
  kept: KeptRows,
): Promise<{ reading: Reading; comparison?: ListingsComparison }> {
  const { resource } = query.request;
  const onPass = (pass: number) => source.tell({ kind: 'pass', pass });
  if (resource === 'listings') {
    return readListings({ load: source.listings, sink: kept, onPass }, (status) => source.itemsOf(status));
  }
  if (resource === 'collections') {
    const sink = { add: (collections: readonly Collection[]) => kept.keep(collections) };
    return readPasses({ load: source.collections, sink, onPass });
  }
  if (resource === 'sales') {
    await kept.keep([await readSales(source)]);
    return { reading: ONE_ANSWER };
  }
  const reading = await readItems({
    load: source.items,
    sink: kept,
    concurrency: source.concurrency,
    onCount: (entries) => source.tell({ kind: 'counted', entries }),
    onPass,
  });
  return { reading };
}

const ONE_ANSWER: Reading = {
  consistency: 'stable',
  passes: 1,
  distinct: 1,
  counts: { before: null, after: null },
  createdMeanwhile: 0,
  removedAtLeast: 0,
  missingAtMost: 0,
  explanation: 'The summary came in one answer.',
};

class KeptRows {
  readonly spool = new Spool<Row>();
  readonly customFields = new Set<string>();
  readonly statuses = new Map<string, number>();
  readonly #query: Query;
  readonly #source: ExportSource;

  constructor(query: Query, source: ExportSource) {
    this.#query = query;
    this.#source = source;
  }

  async add(items: readonly Item[]): Promise<void> {
    const rows = items.filter((item) => matches(this.#query, item));
    for (const item of rows) {
      this.statuses.set(item.status, (this.statuses.get(item.status) ?? 0) + 1);
      for (const name of Object.keys(item.custom_fields ?? {})) this.customFields.add(name);
    }
    await this.keep(rows);
  }

  async keep(rows: readonly Row[]): Promise<void> {
    await this.spool.add(rows);
    this.#source.tell({ kind: 'read', rows: this.spool.rows });
  }

  async reset(): Promise<void> {
    this.statuses.clear();
    this.customFields.clear();
    await this.spool.clear();
  }
}
