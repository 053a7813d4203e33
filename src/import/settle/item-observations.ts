/**
 * What answers have shown of items: the latest time so far, and ids.
 *
 * Settling uses neither the local clock nor the Date header. The mark of an intent is the latest created_at or
 * updated_at that any answer had shown before it was committed (design §4, settling, 1).
 */
import type { ApiClient } from '../../api/client.ts';
import type { Item } from '../../api/schemas.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { CLOCK_SLACK_MS } from '../job/server-normalisation.ts';

/** 5,000 items: people rarely create more within two minutes, and items of this store's rows are known. */
const MAX_HEAD_PAGES = 50;

export class ItemObservations {
  readonly #ledger: Ledger;
  readonly #apiUrl: string;
  #mark: number | null = null;

  constructor(ledger: Ledger, apiUrl: string) {
    this.#ledger = ledger;
    this.#apiUrl = apiUrl;
  }

  /** ms since the epoch by the server's clock; null if no answer has shown an item yet. */
  get mark(): number | null {
    return this.#mark;
  }

  /** Records the times of items. */
  observe(items: readonly Item[]): void {
    for (const item of items) {
      const newest = newestTime(item);
      if (newest !== undefined && (this.#mark === null || newest > this.#mark)) this.#mark = newest;
    }
  }

  /** Records times and ids of listed items: an item whose id was shown before an intent is not from that intent. */
  async observeList(items: readonly Item[]): Promise<void> {
    this.observe(items);
    await this.#ledger.items.noteSeen(
      this.#apiUrl,
      items.map((item) => item.id.toLowerCase()),
    );
  }

  /**
   * Reads the list before the first create.
   *
   * @param all read every page with items that could later seem to be new, because the job will edit some of them and
   *   could then not tell them from items that it created; otherwise only the first page
   */
  async readHead(client: ApiClient, signal: AbortSignal | undefined, all: boolean): Promise<void> {
    for (let page = 1; page <= (all ? MAX_HEAD_PAGES : 1); page += 1) {
      const { value } = await client.listItems({
        page,
        priority: 'settle',
        ...(signal === undefined ? {} : { signal }),
      });
      await this.observeList(value.data);
      const newest = this.#mark ?? 0;
      if (!value.pagination.has_more) return;
      if (value.data.every((item) => isOlder(item, newest - CLOCK_SLACK_MS))) return;
    }
  }
}

/** True if both times are older; false for a time that cannot be parsed. */
export function isOlder(item: Item, than: number): boolean {
  return Date.parse(item.created_at) < than && Date.parse(item.updated_at) < than;
}

/** The later of an item's two times, ms since the epoch; undefined if neither can be parsed. */
export function newestTime(item: Item): number | undefined {
  const times = [Date.parse(item.created_at), Date.parse(item.updated_at)].filter(
    (time) => !Number.isNaN(time),
  );
  return times.length === 0 ? undefined : Math.max(...times);
}
