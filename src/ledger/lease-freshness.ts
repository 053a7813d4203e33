/** How long a holder may act on a lease after its last heartbeat. */
import { type Clock, type Moment, momentOf, msSince } from '../clock.ts';

/** Interval of heartbeats. */
export const LEASE_BEAT_MS = 5_000;
/** A holder on another host that is silent for this long is taken for dead: its work is taken over within a minute. */
export const LEASE_EXPIRY_MS = 50_000;
/** Less than the expiry: leaves room for drift between two hosts' clocks and for the time that a write takes. */
const ACT_WITHIN_MS = 35_000;

/** Knows whether a lease may have expired, without asking the store. */
export class LeaseFreshness {
  readonly #clock: Clock;
  #confirmed: Moment;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#confirmed = this.moment();
  }

  /** Now. Take it before the heartbeat is sent: its answer may take long. */
  moment(): Moment {
    return momentOf(this.#clock);
  }

  /** The store has a heartbeat no older than this moment. */
  confirmed(moment: Moment): void {
    this.#confirmed = moment;
  }

  isFresh(): boolean {
    return msSince(this.#confirmed, this.#clock) < ACT_WITHIN_MS;
  }
}
