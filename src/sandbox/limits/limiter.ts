/** The three kinds of rate limiter. */
import type { LimiterKind, RateLimit } from '../settings.ts';

/** The limiter's answer to one request. Times are milliseconds from the request. */
export interface Admission {
  admitted: boolean;
  /** Requests that would still be admitted right after this one. */
  remaining: number;
  /** Time until `remaining` increases or, at 0, until the next request is admitted. */
  resetMs: number;
}

/**
 * Counts the requests of one key. A rejected request takes nothing from the budget.
 * Times are monotonic milliseconds.
 */
export interface Limiter {
  take(nowMs: number): Admission;
}

/** Consecutive windows without gaps; the first request starts the first one. */
class FixedWindow implements Limiter {
  readonly #rate: RateLimit;
  #start = Number.NEGATIVE_INFINITY;
  #used = 0;

  constructor(rate: RateLimit) {
    this.#rate = rate;
  }

  take(nowMs: number): Admission {
    const { limit, windowMs } = this.#rate;
    if (this.#start === Number.NEGATIVE_INFINITY) this.#start = nowMs;
    const passed = Math.floor((nowMs - this.#start) / windowMs);
    if (passed > 0) {
      this.#start += passed * windowMs;
      this.#used = 0;
    }
    const admitted = this.#used < limit;
    if (admitted) this.#used += 1;
    return { admitted, remaining: limit - this.#used, resetMs: this.#start + windowMs - nowMs };
  }
}

/** At most `limit` requests in any `windowMs`: a ring buffer of admission times. */
class SlidingWindow implements Limiter {
  readonly #rate: RateLimit;
  readonly #times: number[] = [];
  /** Index of the oldest time. */
  #oldest = 0;
  #count = 0;

  constructor(rate: RateLimit) {
    this.#rate = rate;
  }

  take(nowMs: number): Admission {
    const { limit, windowMs } = this.#rate;
    while (this.#count > 0 && this.#timeAt(this.#oldest) <= nowMs - windowMs) {
      this.#oldest = (this.#oldest + 1) % limit;
      this.#count -= 1;
    }
    const admitted = this.#count < limit;
    if (admitted) {
      this.#times[(this.#oldest + this.#count) % limit] = nowMs;
      this.#count += 1;
    }
    return {
      admitted,
      remaining: limit - this.#count,
      resetMs: this.#timeAt(this.#oldest) + windowMs - nowMs,
    };
  }

  #timeAt(index: number): number {
    return this.#times[index] as number;
  }
}

/** A bucket of `limit` tokens, full at first, that gains `limit` tokens per window, evenly. */
class TokenBucket implements Limiter {
  readonly #rate: RateLimit;
  #tokens: number;
  #filledAt: number | undefined;

  constructor(rate: RateLimit) {
    this.#rate = rate;
    this.#tokens = rate.limit;
  }

  take(nowMs: number): Admission {
    const { limit, windowMs } = this.#rate;
    const passedMs = nowMs - (this.#filledAt ?? nowMs);
    this.#filledAt = nowMs;
    this.#tokens = Math.min(limit, this.#tokens + (passedMs * limit) / windowMs);
    // Sums of fractions end up slightly below whole tokens.
    const whole = Math.floor(this.#tokens + 1e-9);
    const admitted = whole >= 1;
    if (admitted) this.#tokens = Math.max(0, this.#tokens - 1);
    const remaining = admitted ? whole - 1 : whole;
    return { admitted, remaining, resetMs: ((remaining + 1 - this.#tokens) * windowMs) / limit };
  }
}

const LIMITERS: Record<LimiterKind, new (rate: RateLimit) => Limiter> = {
  fixed: FixedWindow,
  sliding: SlidingWindow,
  bucket: TokenBucket,
};

export function createLimiter(kind: LimiterKind, rate: RateLimit): Limiter {
  return new LIMITERS[kind](rate);
}
