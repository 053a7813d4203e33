/**
 * How long a budget's window is: a policy's word; else the longest reset that was told, as a fresh window is told
 * whole; longer, where what was reckoned to be back was not; shorter, where the whole budget came back sooner.
 */
import type { RateLimitReading } from './rate-limit-headers.ts';

const DEFAULT_MS = 1000;
/** A window that nobody told is not guessed longer than this. */
const LONGEST_GUESS_MS = 3_600_000;
/** A guess that was too long by less than this is not mended: when a budget came back is seen a round trip late. */
const SHORTER_SHARE = 0.8;
const SHORTER_BESIDE_SHARE = 0.7;
/** Whole budgets after which the count of them begins anew: a limiter may have been changed. */
const LONGEST_COUNT = 16;
/** What becomes of a guess with each unit that is back before it, beside another program. */
const SHRINKING = 0.85;

export class WindowLength {
  #policyMs: number | undefined;
  #guessMs = 0;
  /** A whole budget was seen: its reset was the longest there is. */
  #seenWhole = false;
  /** When the whole budget was seen first, in spite of all being spent, and how often since. */
  #countedFrom = 0;
  #count = 0;
  #restoredAt = Number.NEGATIVE_INFINITY;
  /** Units were reckoned to be back too early, and none was back at its time since. */
  #wasEarly = false;

  /** Milliseconds. */
  get ms(): number {
    return this.#policyMs ?? (this.#guessMs === 0 ? DEFAULT_MS : this.#guessMs);
  }

  /** Begins anew, under another limit. */
  forget(policyMs?: number): void {
    this.#policyMs = policyMs;
    this.#guessMs = 0;
    this.#seenWhole = false;
    this.#count = 0;
    this.#wasEarly = false;
  }

  /** @param whole this request was the first that the budget lost, as far as its answer tells */
  read(reading: RateLimitReading, whole: boolean): void {
    if (reading.windowMs !== undefined) this.#policyMs = reading.windowMs;
    const { resetMs } = reading;
    if (resetMs !== undefined && !this.#seenWhole) {
      const resolution = reading.resetResolutionMs ?? 1000;
      const least = resetMs - (reading.resetErrorMs ?? 0);
      const told = resolution >= 1000 ? Math.max(1000, Math.floor(least / 1000) * 1000) : least;
      this.#guessMs = Math.max(this.#guessMs, told);
    }
    if (whole) this.#seenWhole = true;
  }

  /**
   * The whole budget is back after all of it was spent. Between the first time and the last of n lie n − 2 windows at
   * least (of the first and the last one perhaps only an end): two times may be as near as you like, where a fixed
   * window's border lay between.
   */
  restored(at: number, resetMs?: number): void {
    this.#restoredAt = at;
    this.#count += 1;
    if (this.#count === 1) this.#countedFrom = at;
    const most = this.#count < 3 ? Number.POSITIVE_INFINITY : (at - this.#countedFrom) / (this.#count - 2);
    if (most < this.#guessMs * SHORTER_SHARE) {
      // What was told, doubled as often as `early` may have done it rightly.
      let guess = resetMs === undefined || resetMs <= 0 ? most : Math.min(resetMs, most);
      while (guess * 2 <= most) guess *= 2;
      this.#guessMs = guess;
    } else if (this.#count < LONGEST_COUNT) return;
    this.#countedFrom = at;
    this.#count = 1;
  }

  /** Much is back beside another program, whose 429s had made the guess longer: it is no longer than since the last time. */
  border(at: number): void {
    const since = at - this.#restoredAt;
    if (since < this.#guessMs * SHORTER_BESIDE_SHARE) this.#guessMs = since;
    this.#restoredAt = at;
  }

  /**
   * Most of what was reckoned to be back was not. Once is jitter; twice without anything that was back at its time in
   * between means that the guess is too short: a bucket tells the time to the next unit only.
   */
  early(): void {
    if (this.#wasEarly) this.longer();
    else this.#wasEarly = true;
  }

  /** It is certainly longer. */
  longer(): void {
    this.#wasEarly = false;
    this.#count = 0;
    this.#guessMs = Math.min(this.#guessMs * 2, LONGEST_GUESS_MS);
  }

  /** A unit was back at its time. */
  confirmed(): void {
    this.#wasEarly = false;
  }

  /** Units were back sooner, beside another program: 429s that were its doing had made the guess longer. */
  shrink(): void {
    this.#guessMs *= SHRINKING;
  }
}
