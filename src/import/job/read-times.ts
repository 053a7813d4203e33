/**
 * When this run of a job last read the current values of items, and looked up the keys of its creates.
 *
 * Not in the ledger: what an earlier process read is too old to base a write on, and a wall clock that was set back
 * would make it look younger than it is.
 */
import { type Clock, type Moment, msSince } from '../../clock.ts';

export class ReadTimes {
  /** The last look at the keys of all planned creates; undefined if none of this run counts. */
  keys: KeysRead | undefined;
  readonly #clock: Clock;
  readonly #times = new Map<string, Moment>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @param at when the request was sent: what it showed is no older */
  note(itemId: string, at: Moment): void {
    this.#times.set(itemId.toLowerCase(), at);
  }

  forget(itemId: string): void {
    this.#times.delete(itemId.toLowerCase());
  }

  /** ms since the item was read; infinite if this run has not read it. */
  ageOf(itemId: string): number {
    return this.#since(this.#times.get(itemId.toLowerCase()));
  }

  /** ms since the keys were looked up. */
  ageOfKeys(): number {
    return this.#since(this.keys?.at);
  }

  #since(moment: Moment | undefined): number {
    return moment === undefined ? Number.POSITIVE_INFINITY : msSince(moment, this.#clock);
  }
}

/** A reading of the whole list by which keys were looked up. */
export interface KeysRead {
  /** When it began. */
  at: Moment;
  /** Intents that all jobs of the target had committed by then. */
  intents: number;
}
