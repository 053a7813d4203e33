/**
 * Predicts the borders of a fixed window, once two of them were one window apart as predicted.
 *
 * A unit is back at most one window after the server saw its request, but that time is known only to within the delay
 * of the answer. This alone makes our requests drift later with each window until one window is missed: 5 % of a limit
 * of 5 a second if answers take up to 80 ms longer than the fastest. A request that finds the whole budget is the first
 * of its window, so the border was before it, a whole number of windows after each earlier border. The earliest of
 * these bounds counts, so many late answers are as good as one fast answer.
 *
 * Other limiters have no borders. Their predictions fail sooner or later, at the cost of one early request; after each
 * failure nothing is predicted for longer.
 */

/** The largest drift between clocks, as a share of elapsed time. */
const DRIFT = 0.0002;
/** A unit that is back within this share of a window came back at a border. */
const SOONER_SHARE = 0.99;
/** Times this close count as the same, ms. */
const JITTER_MS = 5;
/** Windows without predictions after the first failed one; doubled with each failure. */
const FIRST_REST = 8;
const MAX_REST = 4096;
/** After this many correct predictions in a row, failures are forgotten. */
const FORGIVEN_AFTER = 64;

export class WindowBorder {
  /**
   * The next border is no later than a whole number of windows after this time, at which an answer came. That is late
   * by a round trip, but by the same amount each time, so no window is lost.
   */
  #at: number | undefined;
  #proven = false;
  #rest = FIRST_REST;
  #restUntil = Number.NEGATIVE_INFINITY;
  #held = 0;

  /** When the next window has certainly begun; undefined if unknown. */
  next(windowMs: number): number | undefined {
    return this.#at === undefined || !this.#proven ? undefined : this.#at + windowMs * (1 + DRIFT);
  }

  passed(now: number, windowMs: number): void {
    if (this.#at === undefined) return;
    const windows = Math.max(1, Math.floor((now - this.#at) / (windowMs * (1 + DRIFT))));
    this.#at += windows * windowMs * (1 + DRIFT);
  }

  /**
   * Records that a request found the whole budget: a border was between the two times.
   *
   * @param before time at which the newest unit that was certainly spent before this request was sent, if all had been
   *   spent; else −∞. If that unit was back within a window, it came back at a border: a sliding window returns none so
   *   soon, a bucket at most all but one.
   * @param at when the answer came: the server had seen the request by then
   */
  whole(before: number, at: number, windowMs: number): void {
    if (at < this.#restUntil) return;
    if (at - before < windowMs * SOONER_SHARE - JITTER_MS) this.#proven = true;
    if (this.#at === undefined) {
      this.#at = at;
      return;
    }
    const window = windowMs * (1 + DRIFT);
    // The first border after `before` is this one, so `at` bounds it too.
    const first = this.#at + Math.max(0, Math.floor((before - this.#at) / window) + 1) * window;
    this.#at = at < first ? at : first + Math.floor((at - first) / window) * window;
  }

  /** The first request after a predicted border found the whole budget. */
  held(): void {
    this.#held += 1;
    if (this.#held >= FORGIVEN_AFTER) this.#rest = FIRST_REST;
  }

  /** The first request after a predicted border did not find the whole budget, so there is no border. */
  failed(at: number, windowMs: number): void {
    this.#at = undefined;
    this.#proven = false;
    this.#held = 0;
    this.#restUntil = at + this.#rest * windowMs;
    this.#rest = Math.min(this.#rest * 2, MAX_REST);
  }

  /** Starts over under another limit. */
  forget(): void {
    this.#at = undefined;
    this.#proven = false;
    this.#rest = FIRST_REST;
    this.#restUntil = Number.NEGATIVE_INFINITY;
  }
}
