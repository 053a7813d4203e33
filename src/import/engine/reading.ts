/**
 * The items and keys that this run has read, when it read them, and which committed intents of the store's jobs the
 * readings account for.
 *
 * A write may rely on a reading only if no other row has committed a later intent for the item. The transaction of the
 * intent checks this (`accounted` of a RowMove). So if two jobs change an item, the later one reads it again, whatever
 * their keys.
 *
 * Readings are not stored in the ledger: those of an earlier process are too old for a write, and if the wall clock was
 * set back, they would look newer than they are.
 */
import { type Clock, type Moment, msSince } from '../../base/clock.ts';
import type { Item } from '../../api/schemas.ts';
import type { Intents, Ledger } from '../../ledger/ledger.ts';

/** When values were read. */
export interface Reading {
  /** When the request was sent: the values it returned are no older. */
  at: Moment;
  /** Intents that were committed before the request: it shows their effects, except for open intents. */
  intents: Intents;
  /** Read from a list, which may show an older state of the item than its own address. */
  isListed?: true;
}

export interface ReadingDeps {
  clock: Clock;
  ledger: { items: Pick<Ledger['items'], 'intents'> };
  client: { target: string };
}

export const NO_INTENTS: Intents = { committed: 0, open: new Map() };

/** Or twenty times as long as the look-up took, so that look-ups take at most a twentieth of the time. */
const KEYS_HOLD_MS = 600_000;

export class Readings {
  /** The last look at the keys of all planned creates; undefined before the first look-up of this run. */
  keys: KeysRead | undefined;
  readonly #deps: ReadingDeps;
  #accounted = Number.POSITIVE_INFINITY;
  readonly #items = new Map<string, { at: Moment; accounted: number; isBasis: boolean }>();

  constructor(deps: ReadingDeps) {
    this.#deps = deps;
  }

  /** Call this right before a request that reads items. */
  intents(): Promise<Intents> {
    const { ledger, client } = this.#deps;
    return ledger.items.intents(client.target);
  }

  /** @param item only with its id if the API no longer has the item */
  note(
    item: Pick<Item, 'id' | 'tags' | 'custom_fields'>,
    { at, intents: { committed, open }, isListed }: Reading,
  ): void {
    const id = item.id.toLowerCase();
    const isWhole = item.tags !== undefined && item.custom_fields !== undefined;
    const isBasis = isWhole && isListed !== true;
    const accounted = (open.get(id) ?? committed + 1) - 1;
    this.#accounted = Math.min(this.#accounted, accounted);
    this.#items.set(id, { at, accounted, isBasis });
  }

  forget(itemId: string): void {
    this.#items.delete(itemId.toLowerCase());
  }

  ageOf(itemId: string): number {
    return this.#since(this.#items.get(itemId.toLowerCase())?.at);
  }

  /**
   * Whether values that are sent whole or computed may be based on the last reading. False for a list, which may lag,
   * and if the tags or the custom fields were not shown: they need not be empty (contract §2).
   */
  isBasis(itemId: string): boolean {
    return this.#items.get(itemId.toLowerCase())?.isBasis ?? false;
  }

  /** The number of intents that the last reading of the item accounts for; 0 if this run has not read it. */
  accountedOf(itemId: string): number {
    return this.#items.get(itemId.toLowerCase())?.accounted ?? 0;
  }

  /** The number of intents that every reading of an item accounts for; infinite before the first reading. */
  get accounted(): number {
    return this.#accounted;
  }

  ageOfKeys(): number {
    return this.#since(this.keys?.at);
  }

  /** True if the look-up of the keys is so old that somebody may have created items with them since. */
  areKeysOld(): boolean {
    return this.keys !== undefined && this.ageOfKeys() >= Math.max(KEYS_HOLD_MS, 20 * this.keys.tookMs);
  }

  #since(moment: Moment | undefined): number {
    return moment === undefined ? Number.POSITIVE_INFINITY : msSince(moment, this.#deps.clock);
  }
}

/** A reading of the whole list by which keys were looked up. */
export interface KeysRead {
  /** When it began. */
  at: Moment;
  /** How long it took, ms. */
  tookMs: number;
  /** Number of intents that all jobs of the target had committed when it began. */
  committed: number;
  /** True if no request that was in progress then can give an item one of the keys. */
  isSettled: boolean;
}
