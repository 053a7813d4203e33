/** How long a holder may act on a lease after its last heartbeat. */
import type { Clock } from '../clock.ts';

/** Interval of heartbeats. */
export const LEASE_BEAT_MS = 5_000;
/** A holder on another host that is silent for this long is taken for dead: its work is taken over within a minute. */
export const LEASE_EXPIRY_MS = 50_000;
/** Less than the expiry: leaves room for drift between two hosts' clocks and for the time that a write takes. */
const ACT_WITHIN_MS = 35_000;

/**
 * Knows whether a lease may have expired, without asking the store. The clock that went further counts: the monotonic
 * one may stop while a machine sleeps, and the wall clock may be set back.
 */
export class LeaseFreshness {
  readonly #clock: Clock;
  #now = 0;
  #monotonic = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.confirmed(this.moment());
  }

  /** Now. Take it before the heartbeat is sent: its answer may take long. */
  moment(): { now: number; monotonic: number } {
    return { now: this.#clock.now(), monotonic: this.#clock.monotonic() };
  }

  /** The store has a heartbeat no older than this moment. */
  confirmed(moment: { now: number; monotonic: number }): void {
    this.#now = moment.now;
    this.#monotonic = moment.monotonic;
  }

  isFresh(): boolean {
    const { now, monotonic } = this.moment();
    return Math.max(now - this.#now, monotonic - this.#monotonic) < ACT_WITHIN_MS;
  }
}
