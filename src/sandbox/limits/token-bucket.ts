import type { RateLimit } from '../settings.ts';
import type { Admission, Limiter } from './limiter.ts';

/** A bucket of `limit` tokens, full at first, that gains `limit` tokens a window, evenly. */
export class TokenBucket implements Limiter {
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
    // Sums of fractions fall a hair short of the whole token that they make.
    const whole = Math.floor(this.#tokens + 1e-9);
    const admitted = whole >= 1;
    if (admitted) this.#tokens = Math.max(0, this.#tokens - 1);
    const remaining = admitted ? whole - 1 : whole;
    return { admitted, remaining, resetMs: ((remaining + 1 - this.#tokens) * windowMs) / limit };
  }
}
