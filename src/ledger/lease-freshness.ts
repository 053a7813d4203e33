/** How long a holder may act on a lease after its last heartbeat, and how others notice that it has stopped. */
import { type Clock, type Moment, momentOf, msSince } from '../base/clock.ts';

/** Interval of heartbeats. */
export const LEASE_BEAT_MS = 5_000;
/** A holder on another host that is silent for this long counts as dead: its work is taken over within a minute. */
export const LEASE_EXPIRY_MS = 50_000;
/** Less than the expiry, to leave room for drift between two hosts' clocks and for the duration of a write. */
const ACT_WITHIN_MS = 35_000;

/** Knows whether a lease may have expired, without asking the store. */
export class LeaseFreshness {
  readonly #clock: Clock;
  #confirmed: Moment;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#confirmed = this.moment();
  }

  /** The current moment. Take it before sending the heartbeat, because the answer may take long. */
  moment(): Moment {
    return momentOf(this.#clock);
  }

  /** Confirms that the store has a heartbeat that is no older than this moment. */
  confirmed(moment: Moment): void {
    this.#confirmed = moment;
  }

  isFresh(): boolean {
    return msSince(this.#confirmed, this.#clock) < ACT_WITHIN_MS;
  }
}

/** Beyond this number, old holders are forgotten. */
const MAX_WATCHED = 1_000;

/**
 * Observes heartbeats with this process's monotonic clock. A beat that was written while a clock was ahead is no sign
 * of life for the time by which the clock was ahead.
 */
export class HeartWatch {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #seen = new Map<string, { beat: number; since: number }>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** True once this process has not seen a new beat of the token for the length of a lease. */
  stoodStill(token: string, beat: number): boolean {
    const now = this.#clock.monotonic();
    const seen = this.#seen.get(token);
    if (seen?.beat === beat) return now - seen.since >= LEASE_EXPIRY_MS;
    if (this.#seen.size >= MAX_WATCHED) this.#seen.clear();
    this.#seen.set(token, { beat, since: now });
    return false;
  }
}
