/**
 * When this run of a job last read the current values of items, and looked up the keys of its creates.
 *
 * Not in the ledger: what an earlier process read is too old to base a write on, and a wall clock that was set back
 * would make it look younger than it is. The monotonic clock cannot be set, but it may stand still while the machine
 * sleeps. So whatever was read before the wall clock ran ahead of it is old.
 */
import type { Clock } from '../../clock.ts';

/** Clocks that are adjusted drift apart by less than this between two looks. */
const DRIFT_MS = 1_000;

export class ReadTimes {
  /** The last look at the keys of all planned creates; undefined if none of this run counts. */
  keys: KeysRead | undefined;
  readonly #clock: Clock;
  readonly #times = new Map<string, number>();
  /** The wall clock less the monotonic one, ms. */
  #ahead: number;
  #awakeSince = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#ahead = clock.now() - clock.monotonic();
  }

  /** @param at monotonic ms at which the request was sent: what it showed is no older */
  note(itemId: string, at: number): void {
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

  #since(at = Number.NEGATIVE_INFINITY): number {
    const now = this.#clock.monotonic();
    const ahead = this.#clock.now() - now;
    if (ahead > this.#ahead + DRIFT_MS) this.#awakeSince = now;
    this.#ahead = ahead;
    return at < this.#awakeSince ? Number.POSITIVE_INFINITY : now - at;
  }
}

/** A reading of the whole list by which keys were looked up. */
export interface KeysRead {
  /** When it began, monotonic ms. */
  at: number;
  /** Intents that all jobs of the target had committed by then. */
  intents: number;
}
