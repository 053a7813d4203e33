/** The heartbeats of the leases that one ledger holds. */
import type { Clock } from '../base/clock.ts';
import { LEASE_BEAT_MS } from './lease-freshness.ts';

export class Heartbeats {
  readonly #clock: Clock;
  readonly #stops = new Set<() => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Calls `beat` every few seconds, one after another.
   *
   * @param beat may throw: a missed beat makes the lease stale, and the next intent then asks the store
   * @returns a function that stops it
   */
  start(beat: () => unknown): () => void {
    let cancel: () => void;
    const next = () => {
      cancel = this.#clock.after(LEASE_BEAT_MS, () => {
        const again = () => this.#stops.has(stop) && next();
        try {
          const beating = beat();
          if (beating instanceof Promise) beating.then(again, again);
          else again();
        } catch {
          again();
        }
      });
    };
    const stop = () => {
      this.#stops.delete(stop);
      cancel();
    };
    this.#stops.add(stop);
    next();
    return stop;
  }

  stopAll(): void {
    for (const stop of this.#stops) stop();
  }
}
