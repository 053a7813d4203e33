/**
 * New items that a list does not show yet: a list may lag behind writes, and then no count shows that it is incomplete.
 * The store knows the items that it has created; the newest of them that the list lacks are read by their ids.
 */
import { ageOf } from '../../base/clock.ts';
import type { KnownItems } from '../../ledger/ledger.ts';
import type { Listed } from '../../listing/completeness-counter.ts';
import type { ListReading } from '../../listing/read-items.ts';
import { counted } from '../../base/counted.ts';
import type { ExportSource } from './source.ts';

/** The time is limited, because a list may never show some items, and a person may have removed them. */
const KEPT_MS = 3_600_000;
/** Maximum number of items to read: one that exists is enough. */
const MAX_ASKED = 10;

export class LateItems {
  readonly #source: ExportSource;
  /** Newest first. */
  readonly #lacking: Set<string>;

  private constructor(source: ExportSource, ids: string[]) {
    this.#source = source;
    this.#lacking = new Set(ids);
  }

  /** Call this before the list is read, because items created later need not be in it. */
  static async open(source: ExportSource, known: Pick<KnownItems, 'acknowledged'> | undefined) {
    const all = (await known?.acknowledged(source.api.target, null)) ?? [];
    const young = all.filter(({ at }) => ageOf(at, source.clock).least < KEPT_MS);
    return new LateItems(
      source,
      young.map(({ itemId }) => itemId),
    );
  }

  shown(items: readonly Pick<Listed, 'id'>[]): void {
    if (this.#lacking.size > 0) for (const { id } of items) this.#lacking.delete(id.toLowerCase());
  }

  /** The reading, marked as incomplete if the list lacks an item that exists. */
  async judge(reading: ListReading): Promise<ListReading> {
    for (const id of [...this.#lacking].slice(0, MAX_ASKED)) {
      if (!(await this.#source.hasItem(id))) continue;
      const items = counted(this.#lacking.size, 'item that was created', 'items that were created');
      const explanation = `The list lags behind: it did not show ${items} within the last hour, and at least one of them exists. Read it again later.`;
      return { ...reading, consistency: 'moved', missingAtMost: null, explanation };
    }
    return reading;
  }
}
