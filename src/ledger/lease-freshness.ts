/** How long a holder may act on a lease without having been heard of by the store. */
import type { Clock } from '../clock.ts';

/** How often a holder tells the store that it is there, ms. */
export const LEASE_BEAT_MS = 5_000;
/** A holder of another host that has not been heard of for this long is taken to be gone, ms: its work is taken over within a minute. */
export const LEASE_EXPIRY_MS = 50_000;
/** Less than the expiry, for clocks of two hosts that run apart and for what a write takes, ms. */
const ACT_WITHIN_MS = 35_000;

/**
 * Knows whether a lease may have expired without asking the store. By both clocks, whichever went further: the
 * monotonic one may stand still while a machine sleeps, and the one on the wall may be set back.
 */
export class LeaseFreshness {
  readonly #clock: Clock;
  #now = 0;
  #monotonic = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.confirmed(this.moment());
  }

  /** Now, to be taken before the store is told: an answer may take long. */
  moment(): { now: number; monotonic: number } {
    return { now: this.#clock.now(), monotonic: this.#clock.monotonic() };
  }

  /** The store has taken note of us, no earlier than at this moment. */
  confirmed(moment: { now: number; monotonic: number }): void {
    this.#now = moment.now;
    this.#monotonic = moment.monotonic;
  }

  isFresh(): boolean {
    const { now, monotonic } = this.moment();
    return Math.max(now - this.#now, monotonic - this.#monotonic) < ACT_WITHIN_MS;
  }
}
