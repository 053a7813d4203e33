/**
 * What answers have shown: the greatest time seen so far, and ids.
 *
 * No clock of ours and no Date header decides anything in settling: the mark of an intent is the greatest
 * created_at or updated_at that any answer had shown before it was committed (design §4, settling, 1).
 */
import type { ApiClient } from '../../api/client.ts';
import type { Item } from '../../api/schemas.ts';
import type { Ledger } from '../../ledger/ledger.ts';

export class ItemObservations {
  readonly #ledger: Ledger;
  readonly #apiUrl: string;
  #mark: number | null = null;

  constructor(ledger: Ledger, apiUrl: string) {
    this.#ledger = ledger;
    this.#apiUrl = apiUrl;
  }

  /** ms since the epoch on the server's clock; null when no answer has shown an item yet. */
  get mark(): number | null {
    return this.#mark;
  }

  /** Takes note of items' times. */
  observe(items: readonly Item[]): void {
    for (const item of items) {
      const newest = newestTime(item);
      if (newest !== undefined && (this.#mark === null || newest > this.#mark)) this.#mark = newest;
    }
  }

  /** Takes note of items of a list, ids included: what was shown before an intent is not its item. */
  async observeList(items: readonly Item[]): Promise<void> {
    this.observe(items);
    await this.#ledger.items.noteSeen(
      this.#apiUrl,
      items.map((item) => item.id.toLowerCase()),
    );
  }

  /** One page of listItems, read before the first create. */
  async readHead(client: ApiClient, signal: AbortSignal | undefined): Promise<void> {
    const { value } = await client.listItems({
      page: 1,
      priority: 'settle',
      ...(signal === undefined ? {} : { signal }),
    });
    await this.observeList(value.data);
  }
}

/** The later of an item's two times; undefined when neither can be read. */
export function newestTime(item: Item): number | undefined {
  const times = [Date.parse(item.created_at), Date.parse(item.updated_at)].filter(
    (time) => !Number.isNaN(time),
  );
  return times.length === 0 ? undefined : Math.max(...times);
}
