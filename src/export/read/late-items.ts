/**
 * New items that a list does not show yet: a list may lag behind writes, and then no count shows that it is incomplete.
 * The store knows the items that it has created; the newest of them that the list lacks are read by their ids.
 */
import { ageOf } from '../../base/clock.ts';
import type { KeyValues } from '../../ledger/key-values.ts';
import type { Acknowledged } from '../../ledger/ledger.ts';
import type { Listed } from '../../listing/completeness-counter.ts';
import { KEPT_MS, LAGS, mayAppearFor } from '../../listing/new-items.ts';
import type { ListReading } from '../../listing/read-items.ts';
import { message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';
import type { ExportSource } from './source.ts';

/** Maximum number of items to read: one that exists is enough. */
const MAX_ASKED = 10;

export class LateItems {
  readonly #source: ExportSource;
  /** Null if the key may not read them: then items of other teams are not told from those of this one. */
  readonly #collections: readonly string[] | null;
  /** Newest first. */
  readonly #lacking: Map<string, Acknowledged>;
  readonly #lagMs: number;

  private constructor(
    source: ExportSource,
    collections: readonly string[] | null,
    items: readonly Acknowledged[],
    lagMs: number,
  ) {
    this.#source = source;
    this.#collections = collections;
    this.#lacking = new Map(items.map((each) => [each.itemId, each]));
    this.#lagMs = lagMs;
  }

  /**
   * Call this before the list is read, because items created later need not be in it.
   *
   * @param collections ids of the team's collections; null if the key may not read them
   */
  static async open(
    source: ExportSource,
    collections: readonly string[] | null,
    values: KeyValues | undefined,
  ) {
    const { target } = source.api;
    const all = (await source.knownItems?.acknowledged(target, null)) ?? [];
    const young = all.filter(({ at }) => ageOf(at, source.clock).least < KEPT_MS);
    return new LateItems(source, collections, young, Number((await values?.get(LAGS, target)) ?? 0));
  }

  shown(items: readonly Pick<Listed, 'id'>[]): void {
    if (this.#lacking.size > 0) for (const { id } of items) this.#lacking.delete(id.toLowerCase());
  }

  /** The reading, marked as incomplete if the list lacks an item that exists, or that may still appear. */
  async judge(reading: ListReading): Promise<ListReading> {
    await this.#leaveOutOtherTeams();
    const items = this.#lacking.size;
    const incomplete = (explanation: Message): ListReading => ({
      ...reading,
      consistency: 'moved',
      missingAtMost: null,
      explanation,
    });
    let isNew = false;
    for (const [id, item] of [...this.#lacking].slice(0, MAX_ASKED)) {
      if (await this.#source.hasItem(id)) return incomplete(message('list_lags', { items }));
      isNew ||= mayAppearFor(item, this.#lagMs, this.#source.clock) > 0;
    }
    if (!isNew) return reading;
    return incomplete(message('list_may_lag', { items }));
  }

  async #leaveOutOtherTeams(): Promise<void> {
    const { api, knownItems } = this.#source;
    if (this.#collections === null || this.#lacking.size === 0) return;
    const ids = [...this.#lacking.keys()];
    const theirs = (await knownItems?.ofOtherTeams(api.target, ids, this.#collections)) ?? [];
    for (const id of theirs) this.#lacking.delete(id);
  }
}
