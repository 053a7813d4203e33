/**
 * How many requests may be in flight: 4 at first, more each round trip while budget is left unused, at most 64. No
 * more than 16 in the first 200 requests, or while answers take under 5 ms, when more gains nothing (design §5).
 *
 * It grows by one per round trip, and from 16 on by an eighth. At 1,000 requests/s and 50 ms, growing by one took
 * 2.4 s from 16 to what the limit needs, and cost 2 % of the first 20 windows.
 */

const FIRST = 4;
const MAX_CONCURRENCY = 64;
const MAX_AT_FIRST = 16;
const FIRST_REQUESTS = 200;
const FAST_ANSWER_MS = 5;
const ENOUGH_ANSWERS = 20;
const GROWTH_SHARE = 1 / 8;

export class Concurrency {
  readonly #most: number;
  #now: number;
  #answersSinceGrowth = 0;
  #answers = 0;
  #latencyMs = 0;
  #fastestMs = Number.POSITIVE_INFINITY;

  constructor(most = MAX_CONCURRENCY) {
    this.#most = Math.max(1, Math.min(Math.floor(most), MAX_CONCURRENCY));
    this.#now = Math.min(FIRST, this.#most);
  }

  get limit(): number {
    return this.#now;
  }

  /** Round trip in ms, smoothed; 0 before the first answer. */
  get latencyMs(): number {
    return this.#latencyMs;
  }

  /**
   * The fastest recent round trip; 0 after too few answers, because the first ones include connecting and compiling.
   */
  get fastestMs(): number {
    return this.#answers < ENOUGH_ANSWERS ? 0 : Math.min(this.#fastestMs, this.#latencyMs);
  }

  /** @param budgetLeft true if the budget would have allowed more requests than were in flight */
  answered(latencyMs: number, budgetLeft: boolean): void {
    this.#answers += 1;
    this.#latencyMs = this.#latencyMs === 0 ? latencyMs : this.#latencyMs * 0.9 + latencyMs * 0.1;
    // Rises by a thousandth per answer, so that a slower network is noticed.
    this.#fastestMs = Math.min(latencyMs, this.#fastestMs * 1.001);
    const fast = this.#latencyMs < FAST_ANSWER_MS || this.#answers < FIRST_REQUESTS;
    const ceiling = Math.min(this.#most, fast ? MAX_AT_FIRST : MAX_CONCURRENCY);
    if (budgetLeft) this.#answersSinceGrowth += 1;
    if (this.#answersSinceGrowth < this.#now) return;
    this.#answersSinceGrowth = 0;
    this.#now = Math.min(ceiling, this.#now + Math.max(1, Math.floor(this.#now * GROWTH_SHARE)));
  }
}
