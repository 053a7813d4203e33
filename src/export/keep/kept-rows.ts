/** Puts wanted rows into the spool while they are read. */
import type { Item } from '../../api/schemas.ts';
import type { Checkpoint } from '../../listing/checkpoint.ts';
import type { KeptState } from './kept-export.ts';
import type { ListPage } from '../../listing/list-counter.ts';
import type { KeptPage, PageSpool } from './page-spool.ts';
import type { Row } from '../row.ts';
import { RowTally } from '../write/row-tally.ts';

/** Receives rows while others are still being read. */
export interface RowSink {
  /** @param customFields names of all custom fields in the rows so far */
  add(rows: readonly Item[], customFields: ReadonlySet<string>): Promise<void>;
  /** The reading starts over: discards the rows added so far. */
  reset(): Promise<void>;
}

export interface KeptRowsOptions {
  spool: PageSpool<Row>;
  sink?: RowSink | undefined;
  /** Receives all items, wanted or not. */
  every?: RowSink | undefined;
  /** Whether an item is wanted. */
  matches: (item: Item) => boolean;
  /** Whether the last export of the same name had an item that is not wanted now. */
  left: (item: Item) => boolean;
  /** True if pages must also record unwanted items: an interrupted export resumes from them. */
  keepSeen: boolean;
  /** Called after each page. */
  onRows: (rows: number, seen: number) => void;
}

export class KeptRows {
  readonly tally = new RowTally();
  readonly left: Item[] = [];
  /** The point from which a later reading can continue if it has the rows added so far. */
  checkpoint: Checkpoint | undefined;
  /** The interrupted run that this one continues; undefined once the reading starts over. */
  before: KeptState | undefined;
  /** Whether `every` received all items completely: an interrupted run keeps only the wanted ones. */
  isEvery = true;
  /** Items read so far, wanted or not. */
  #seen = 0;
  readonly #options: KeptRowsOptions;

  constructor(options: KeptRowsOptions) {
    this.#options = options;
  }

  /** Adds the items of a page that no earlier page had. */
  async add(items: readonly Item[], page: ListPage<Item>, checkpoint?: () => Checkpoint): Promise<void> {
    const rows = items.filter(this.#options.matches);
    for (const row of rows) this.tally.add(row);
    this.checkpoint = checkpoint?.();
    this.#seen += items.length;
    const whole = rows.length === page.data.length ? page.body : undefined;
    await this.#keep(whole ?? this.#textOf(rows, items));
    await this.#options.sink?.add(rows, this.tally.customFields);
    await this.#options.every?.add(items, this.tally.customFields);
  }

  /** Keeps rows without filtering. */
  async keep(rows: readonly Row[]): Promise<void> {
    this.#seen += rows.length;
    this.tally.rows += rows.length;
    await this.#keep(JSON.stringify({ data: rows }));
  }

  /** Counts a page that an interrupted run had kept, and returns all items that were read with it. */
  async recall({ data, seen = [] }: KeptPage<Row>): Promise<Item[]> {
    const rows = data as Item[];
    for (const row of rows) this.tally.add(row);
    this.#seen += rows.length + seen.length;
    for (const item of seen as Item[]) if (this.#options.left(item)) this.left.push(item);
    await this.#options.sink?.add(rows, this.tally.customFields);
    await this.#options.every?.add(rows, this.tally.customFields);
    if (seen.length > 0) this.isEvery = false;
    return [...rows, ...(seen as Item[])];
  }

  async reset(): Promise<void> {
    this.tally.clear();
    this.left.length = 0;
    this.#seen = 0;
    this.checkpoint = undefined;
    this.before = undefined;
    this.isEvery = true;
    await this.#options.sink?.reset();
    await this.#options.every?.reset();
    await this.#options.spool.clear();
  }

  async #keep(page: Uint8Array | string): Promise<void> {
    await this.#options.spool.add(page);
    this.#options.onRows(this.tally.rows, this.#seen);
  }

  #textOf(rows: readonly Item[], items: readonly Item[]): string {
    const page: KeptPage<Row> = { data: [...rows] };
    if (rows.length === items.length) return JSON.stringify(page);
    const wanted = new Set(rows);
    const seen: unknown[] = [];
    for (const item of items) {
      if (wanted.has(item)) continue;
      const hasLeft = this.#options.left(item);
      if (hasLeft) this.left.push(item);
      const { id, created_at, updated_at } = item;
      seen.push(hasLeft ? item : { id, created_at, updated_at });
    }
    if (this.#options.keepSeen) page.seen = seen;
    return JSON.stringify(page);
  }
}
