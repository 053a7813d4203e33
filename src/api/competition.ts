/**
 * Detects another program that uses the same key, by units of the budget that are missing although we did not spend
 * them.
 *
 * Its units also come back a window later. If they are found spent again each time, they are expected later and later
 * (`#patience`); answers soon show when the other program has stopped. While it competes, the last units of a budget
 * are spent one at a time, so that each answer gives the exact remainder, and our requests are spread evenly over what
 * the other program leaves: a burst at the start of each window would leave it nothing.
 */
import { SpentUnits } from './spent-units.ts';
import { RateCap } from './rate-cap.ts';

/** The most windows after which the other program's units are expected back. */
const MAX_PATIENCE = 32;
/** Windows after which half of the evidence is forgotten. */
const WINDOWS_TO_FORGET = 4;
/** One of our requests that is counted late looks like a missing unit. */
const MISSING_BY_CHANCE = 3;
/** Our minimum share of the limit, even if the other program uses the rest. */
const MIN_SHARE = 1 / 10;

export class Competition {
  /** Units that the other program has spent. */
  readonly units = new SpentUnits();
  readonly #even = new RateCap(Number.POSITIVE_INFINITY);
  /** Units that were certainly available and are missing; half are forgotten every few windows. */
  #missing = 0;
  #forgottenAt = 0;
  #patience = 1;
  /** Units of the other program were expected back since the model was last corrected. */
  #gained = false;
  #reserve = 0;

  /** True while answers show that another program uses the key. */
  get detected(): boolean {
    return this.#missing > MISSING_BY_CHANCE;
  }

  /** Units to spend one at a time: as many as the requests that were recently refused with 429. */
  get reserve(): number {
    return this.#reserve;
  }

  /** Windows after which the other program's units are expected back. */
  get patience(): number {
    return this.#patience;
  }

  /** Requests that may start now if our requests are spread evenly. */
  evenShare(now: number, limit: number, windowMs: number): number {
    const left = (Math.max(limit - this.units.units, limit * MIN_SHARE) * 1000) / windowMs;
    this.#even.setRate(this.detected ? left : Number.POSITIVE_INFINITY, now);
    return this.#even.available(now);
  }

  /** When `evenShare` may increase. */
  nextAt(now: number): number | undefined {
    return this.#even.nextAt(now);
  }

  started(): void {
    this.#even.started();
  }

  unused(): void {
    this.#even.unused();
  }

  /** Units that were certainly available are missing. */
  foundMissing(units: number): void {
    this.#missing += units;
  }

  /** A 429 came. */
  limited(limit: number): void {
    if (this.detected) this.#reserve = Math.min(this.#reserve + 1, limit >> 1);
  }

  /** Units of the other program are expected to be back. */
  gained(): void {
    this.#gained = true;
  }

  /**
   * Fewer units are available than expected. True if the other program explains this; its units are then expected
   * later.
   */
  explainsShortage(): boolean {
    if (!this.#gained || !this.detected) return false;
    this.#patience = Math.min(MAX_PATIENCE, this.#patience * 2);
    this.#gained = false;
    return true;
  }

  /** More units are available than expected: the other program may have stopped. */
  foundMore(): void {
    this.#patience = Math.max(1, this.#patience / 2);
    this.#gained = false;
  }

  /** Halves the weight of old evidence. */
  age(now: number, windowMs: number): void {
    if (now - this.#forgottenAt < WINDOWS_TO_FORGET * windowMs) return;
    this.#forgottenAt = now;
    this.#missing /= 2;
    this.#reserve >>= 1;
  }

  /** Starts over under another limit, for which missing units are unknown. */
  restart(): void {
    this.units.clear();
    this.#patience = 1;
    this.#gained = false;
  }
}
