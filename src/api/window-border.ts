/**
 * Where the borders of a fixed window are, once two of them were a window apart as predicted.
 *
 * A unit of ours is back one window after the server saw it at the latest, and when it saw it is known to a round
 * trip's excess only. By that alone ours come later with each window, until one is missed: 5 % of a limit of 5 a
 * second where answers take up to 80 ms longer than the fastest. A request that finds the whole budget is the first
 * of its window, so its border was before; and it was a whole number of windows after each border before it. The
 * earliest of all these bounds counts, so that many late answers are as good as one fast one.
 *
 * Other limiters have no borders: what is predicted of them is wrong sooner or later, which costs one request that
 * comes too early, and then it is left for longer and longer.
 */

/** Clocks differ by no more than this share of the time that passes. */
const DRIFT = 0.0002;
/** A unit that is back within this share of a window came back at a border. */
const SOONER_SHARE = 0.99;
/** How far two moments that we take for the same may be apart, ms. */
const JITTER_MS = 5;
/** Windows for which nothing is predicted after the first prediction that failed; doubled with each. */
const FIRST_REST = 8;
const MOST_REST = 4096;
/** Windows in a row that began as predicted after which failures are forgotten. */
const FORGIVEN_AFTER = 64;

export class WindowBorder {
  /**
   * No border is later, counted in whole windows from here: an answer came then. That is a round trip late, each time
   * by as much, which loses no window; to reckon it off would need to know the fastest one.
   */
  #at: number | undefined;
  #proven = false;
  #rest = FIRST_REST;
  #restUntil = Number.NEGATIVE_INFINITY;
  #held = 0;

  /** When the next window has begun for sure; undefined where that is not known. */
  next(windowMs: number): number | undefined {
    return this.#at === undefined || !this.#proven ? undefined : this.#at + windowMs * (1 + DRIFT);
  }

  /** The next window has begun. */
  passed(now: number, windowMs: number): void {
    if (this.#at === undefined) return;
    const windows = Math.max(1, Math.floor((now - this.#at) / (windowMs * (1 + DRIFT))));
    this.#at += windows * windowMs * (1 + DRIFT);
  }

  /**
   * A request found the whole budget: a border was between the two moments.
   *
   * @param before when the newest unit left that was surely spent before, where all had been spent; else −∞. Where it was back sooner than a window later, it came back at a border: a sliding window
   *   gives back none so soon, and a bucket all but one at most.
   * @param at when its answer came: the server had seen it by then
   */
  whole(before: number, at: number, windowMs: number): void {
    if (at < this.#restUntil) return;
    if (at - before < windowMs * SOONER_SHARE - JITTER_MS) this.#proven = true;
    if (this.#at === undefined) {
      this.#at = at;
      return;
    }
    const window = windowMs * (1 + DRIFT);
    // The first that is after `before` is this border, where that is certain: then `at` bounds it too.
    const first = this.#at + Math.max(0, Math.floor((before - this.#at) / window) + 1) * window;
    this.#at = at < first ? at : first + Math.floor((at - first) / window) * window;
  }

  /** The first request after a border that was predicted found the whole budget. */
  held(): void {
    this.#held += 1;
    if (this.#held >= FORGIVEN_AFTER) this.#rest = FIRST_REST;
  }

  /** It did not: there is no border here. */
  failed(at: number, windowMs: number): void {
    this.#at = undefined;
    this.#proven = false;
    this.#held = 0;
    this.#restUntil = at + this.#rest * windowMs;
    this.#rest = Math.min(this.#rest * 2, MOST_REST);
  }

  /** Under another limit nothing is known. */
  forget(): void {
    this.#at = undefined;
    this.#proven = false;
    this.#held = 0;
    this.#rest = FIRST_REST;
    this.#restUntil = Number.NEGATIVE_INFINITY;
  }
}
