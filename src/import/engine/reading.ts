/**
 * What this run has read of items and keys, when, and which intents of the store's jobs that accounts for.
 *
 * A value may be written on only while no other row has committed a later intent to its item: the intent itself checks
 * that, in its transaction (`accounted` of a RowMove). So of two jobs, whatever their keys, the later one reads again.
 *
 * Not in the ledger: what an earlier process read is too old to base a write on, and a wall clock that was set back
 * would make it look younger than it is.
 */
import { type Clock, type Moment, msSince } from '../../base/clock.ts';
import type { Intents, Ledger } from '../../ledger/ledger.ts';

/** When values were read. */
export interface Reading {
  /** When the request was sent: what it showed is no older. */
  at: Moment;
  /** Those that were committed before the request: their effects show in it, but for the open ones. */
  intents: Intents;
}

export interface ReadingDeps {
  clock: Clock;
  ledger: { items: Pick<Ledger['items'], 'intents'> };
  client: { target: string };
}

export const NO_INTENTS: Intents = { committed: 0, open: new Map() };

/** Or twenty times as long as the look-up took: a twentieth of the time is spent on it at most. */
const KEYS_HOLD_MS = 600_000;

export class Readings {
  /** The last look at the keys of all planned creates; undefined if none of this run counts. */
  keys: KeysRead | undefined;
  readonly #deps: ReadingDeps;
  #accounted = Number.POSITIVE_INFINITY;
  readonly #items = new Map<string, { at: Moment; accounted: number }>();

  constructor(deps: ReadingDeps) {
    this.#deps = deps;
  }

  /** To be asked right before a request that reads items. */
  intents(): Promise<Intents> {
    const { ledger, client } = this.#deps;
    return ledger.items.intents(client.target);
  }

  note(itemId: string, { at, intents: { committed, open } }: Reading): void {
    const id = itemId.toLowerCase();
    const accounted = (open.get(id) ?? committed + 1) - 1;
    this.#accounted = Math.min(this.#accounted, accounted);
    this.#items.set(id, { at, accounted });
  }

  forget(itemId: string): void {
    this.#items.delete(itemId.toLowerCase());
  }

  /** ms since the item was read; infinite if this run has not read it. */
  ageOf(itemId: string): number {
    return this.#since(this.#items.get(itemId.toLowerCase())?.at);
  }

  /** The intents that the last reading of the item accounts for: none if this run has not read it. */
  accountedOf(itemId: string): number {
    return this.#items.get(itemId.toLowerCase())?.accounted ?? 0;
  }

  /** The intents that every reading of an item accounts for; infinite before the first. */
  get accounted(): number {
    return this.#accounted;
  }

  /** ms since the keys were looked up. */
  ageOfKeys(): number {
    return this.#since(this.keys?.at);
  }

  /** True if so much time has passed since the keys were looked up that somebody may have made items with them. */
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
  /** How many intents all jobs of the target had committed by then. */
  committed: number;
  /** No request that was under way then may give an item one of the keys. */
  isSettled: boolean;
}
