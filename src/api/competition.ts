/**
 * Another program on the same key: noticed by units of the budget that are missing although we did not spend them.
 *
 * Such *foreign* units come back a window later too, but where they were found to be spent again each time, they are
 * expected later and later (`#patience`): answers show soon enough that the other program has stopped. While it
 * competes, the last units of a budget are spent one by one, so that each answer says exactly what is left, and ours
 * goes evenly at what the other leaves: a burst at each window's beginning would take everything before it has had a
 * turn.
 */
import { SpentUnits } from './spent-units.ts';
import { RateCap } from './rate-cap.ts';

/** Windows after which foreign units are expected back, at most. */
const MOST_PATIENCE = 32;
/** Windows after which half of what is known of another program is forgotten. */
const WINDOWS_TO_FORGET = 4;
/** A request of ours that is counted later than we thought looks like a unit that was taken. */
const TAKEN_BY_CHANCE = 3;
/** Of the limit, requested by us whatever the other program takes. */
const LEAST_SHARE = 1 / 10;

export class Competition {
  /** Units that are away, and not by us. */
  readonly foreign = new SpentUnits();
  readonly #even = new RateCap(Number.POSITIVE_INFINITY);
  /** Units that were taken although they were certainly here: half of them forgotten every few windows. */
  #taken = 0;
  #forgottenAt = 0;
  #patience = 1;
  /** Foreign units that were reckoned to be back since the picture was last corrected. */
  #gains = 0;
  #reserve = 0;

  /** True while another program uses the key, as far as answers show. */
  get felt(): boolean {
    return this.#taken > TAKEN_BY_CHANCE;
  }

  /** Units that are spent one by one: as many as were answered 429 of late. */
  get reserve(): number {
    return this.#reserve;
  }

  /** Windows after which foreign units are expected back. */
  get patience(): number {
    return this.#patience;
  }

  /** Requests that may start now, that ours go evenly. */
  evenly(now: number, limit: number, windowMs: number): number {
    const left = (Math.max(limit - this.foreign.units, limit * LEAST_SHARE) * 1000) / windowMs;
    this.#even.setRate(this.felt ? left : Number.POSITIVE_INFINITY, now);
    return this.#even.available(now);
  }

  /** When `evenly` may say more. */
  nextAt(now: number): number | undefined {
    return this.#even.nextAt(now);
  }

  started(): void {
    this.#even.started();
  }

  unused(): void {
    this.#even.unused();
  }

  /** Units were gone that were certainly here. */
  took(units: number): void {
    this.#taken += units;
  }

  /** A 429 came. */
  limited(limit: number): void {
    if (this.felt) this.#reserve = Math.min(this.#reserve + 1, limit >> 1);
  }

  /** Foreign units were reckoned to be back. */
  gained(units: number): void {
    this.#gains += units;
  }

  /** Less is here than was reckoned. True where that is the other program's doing, which is then waited for longer. */
  blamed(): boolean {
    if (this.#gains === 0 || !this.felt) return false;
    this.#patience = Math.min(MOST_PATIENCE, this.#patience * 2);
    this.#gains = 0;
    return true;
  }

  /** More is here than was reckoned: it may have stopped. */
  eased(): void {
    this.#patience = Math.max(1, this.#patience / 2);
    this.#gains = 0;
  }

  /** What was seen long ago counts half. */
  age(now: number, windowMs: number): void {
    if (now - this.#forgottenAt < WINDOWS_TO_FORGET * windowMs) return;
    this.#forgottenAt = now;
    this.#taken /= 2;
    this.#reserve >>= 1;
  }

  /** Another limit: what is missing is not known any more. */
  restart(): void {
    this.foreign.clear();
    this.#patience = 1;
    this.#gains = 0;
  }
}
