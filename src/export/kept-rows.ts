/** The rows that were read and are wanted, and what columns and manifest need to know of them. */
import type { Item } from '../api/schemas.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { KeptState } from './kept-export.ts';
import type { ListPage } from './list-counter.ts';
import type { KeptPage, PageSpool } from './page-spool.ts';
import type { Row } from './read-rows.ts';
import { ValueTotals } from './value-totals.ts';

export interface KeptRowsOptions {
  spool: PageSpool<Row>;
  /** Whether an item is wanted. */
  matches: (item: Item) => boolean;
  /** True where the pages have to tell of what is not wanted too: an interrupted export goes on with them. */
  keepSeen: boolean;
  /** Told after each page. */
  onRows: (rows: number, seen: number) => void;
}

export class KeptRows {
  readonly customFields = new Set<string>();
  readonly statuses = new Map<string, number>();
  readonly values = new ValueTotals();
  /** Rows that are wanted so far. */
  count = 0;
  /** Items that were read so far, wanted or not. */
  #seen = 0;
  /** Where a later reading may go on that has what was added so far. */
  checkpoint: Checkpoint | undefined;
  /** The interrupted run that this one goes on with; undefined once all is read again. */
  before: KeptState | undefined;
  readonly #options: KeptRowsOptions;

  constructor(options: KeptRowsOptions) {
    this.#options = options;
  }

  /** Items of a page that no page had before. */
  async add(items: readonly Item[], page: ListPage<Item>, checkpoint?: () => Checkpoint): Promise<void> {
    const rows = items.filter(this.#options.matches);
    for (const row of rows) this.#tally(row);
    this.checkpoint = checkpoint?.();
    this.#seen += items.length;
    await this.#keep(rows, rows.length === page.data.length ? page.text : this.#textOf(rows, items));
  }

  /** Rows that are kept as they are. */
  async keep(rows: readonly Row[]): Promise<void> {
    this.#seen += rows.length;
    await this.#keep(rows, undefined);
  }

  /** Counts a page that an interrupted run had kept; gives all that was read with it. */
  recall({ data, seen = [] }: KeptPage<Row>): Item[] {
    const rows = data as Item[];
    for (const row of rows) this.#tally(row);
    this.count += rows.length;
    this.#seen += rows.length + seen.length;
    return [...rows, ...(seen as Item[])];
  }

  async reset(): Promise<void> {
    this.count = 0;
    this.#seen = 0;
    this.checkpoint = undefined;
    this.before = undefined;
    this.statuses.clear();
    this.customFields.clear();
    this.values.clear();
    await this.#options.spool.clear();
  }

  async #keep(rows: readonly Row[], text: string | undefined): Promise<void> {
    this.count += rows.length;
    await this.#options.spool.add(text ?? JSON.stringify({ data: rows }));
    this.#options.onRows(this.count, this.#seen);
  }

  #tally(item: Item): void {
    this.statuses.set(item.status, (this.statuses.get(item.status) ?? 0) + 1);
    for (const name in item.custom_fields) this.customFields.add(name);
    if (typeof item.estimated_value === 'number') this.values.add(item.estimated_value, item.currency);
  }

  #textOf(rows: readonly Item[], items: readonly Item[]): string {
    const page: KeptPage<Row> = { data: [...rows] };
    if (this.#options.keepSeen && rows.length < items.length) {
      const wanted = new Set(rows);
      page.seen = items
        .filter((item) => !wanted.has(item))
        .map(({ id, created_at, updated_at }) => ({ id, created_at, updated_at }));
    }
    return JSON.stringify(page);
  }
}
