/**
 * The length of a budget's window: from a policy, or else the longest advertised reset, because a fresh window shows
 * its whole length. The length grows if units are not back when expected, and shrinks if the whole budget is back
 * sooner.
 */
import type { RateLimitReading } from './rate-limit-headers.ts';

const DEFAULT_MS = 1000;
/** The longest guess for a window that the server does not give. */
const MAX_GUESS_MS = 3_600_000;
/** A guess that is too long by less than this is kept, because the return of a budget is noticed a round trip late. */
const SHORTER_SHARE = 0.8;
const SHORTER_BESIDE_SHARE = 0.7;
/** Whole budgets after which the count restarts, because the limiter may have changed. */
const MAX_COUNT = 16;
/** The factor for each unit that is back early while another program competes. */
const SHRINKING = 0.85;

export class WindowLength {
  #policyMs: number | undefined;
  #guessMs = 0;
  /** True once a whole budget was seen: its reset is then the longest possible. */
  #seenWhole = false;
  /** When the whole budget was first seen after all of it was spent, and the number of times since. */
  #countedFrom = 0;
  #count = 0;
  #restoredAt = Number.NEGATIVE_INFINITY;
  /** Units were expected too early, and none has been back on time since. */
  #wasEarly = false;

  get ms(): number {
    return this.#policyMs ?? (this.#guessMs === 0 ? DEFAULT_MS : this.#guessMs);
  }

  /** Starts over under another limit. */
  forget(policyMs?: number): void {
    this.#policyMs = policyMs;
    this.#guessMs = 0;
    this.#seenWhole = false;
    this.#count = 0;
    this.#wasEarly = false;
  }

  /** @param whole the answer shows that this request was the first of its window */
  read(reading: RateLimitReading, whole: boolean): void {
    if (reading.windowMs !== undefined) this.#policyMs = reading.windowMs;
    const { resetMs } = reading;
    if (resetMs !== undefined && !this.#seenWhole) {
      const resolution = reading.resetResolutionMs ?? 1000;
      const least = resetMs - (reading.resetErrorMs ?? 0);
      const advisedMs = resolution >= 1000 ? Math.max(1000, Math.floor(least / 1000) * 1000) : least;
      this.#guessMs = Math.max(this.#guessMs, advisedMs);
    }
    if (whole) this.#seenWhole = true;
  }

  /**
   * Records that the whole budget is back after all of it was spent. At least n − 2 windows lie between the first and
   * the last of n such times; the first and the last window may be cut, so two times may be arbitrarily close around a
   * border.
   */
  restored(at: number, resetMs?: number): void {
    this.#restoredAt = at;
    this.#count += 1;
    if (this.#count === 1) this.#countedFrom = at;
    const most = this.#count < 3 ? Number.POSITIVE_INFINITY : (at - this.#countedFrom) / (this.#count - 2);
    if (most < this.#guessMs * SHORTER_SHARE) {
      // The advertised reset, doubled as long as it stays a possible window: `early` may have been right to double it.
      let guess = resetMs === undefined || resetMs <= 0 ? most : Math.min(resetMs, most);
      while (guess * 2 <= most) guess *= 2;
      this.#guessMs = guess;
    } else if (this.#count < MAX_COUNT) return;
    this.#countedFrom = at;
    this.#count = 1;
  }

  /**
   * Records that many units are back while another program competes, whose 429s had lengthened the guess: the window is
   * no longer than the time since the last return.
   */
  border(at: number): void {
    const since = at - this.#restoredAt;
    if (since < this.#guessMs * SHORTER_BESIDE_SHARE) this.#guessMs = since;
    this.#restoredAt = at;
  }

  /**
   * Most units were not back when expected. Once is jitter; twice, without a unit on time in between, means that the
   * guess is too short: a bucket advertises only the time to the next unit.
   */
  early(): void {
    if (this.#wasEarly) this.longer();
    else this.#wasEarly = true;
  }

  /** The window is certainly longer. */
  longer(): void {
    this.#wasEarly = false;
    this.#count = 0;
    this.#guessMs = Math.min(this.#guessMs * 2, MAX_GUESS_MS);
  }

  /** A unit was back on time. */
  confirmed(): void {
    this.#wasEarly = false;
  }

  /** Units were back early while another program competes, whose 429s had lengthened the guess. */
  shrink(): void {
    this.#guessMs *= SHRINKING;
  }
}
