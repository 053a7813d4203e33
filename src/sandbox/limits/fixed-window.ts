import type { RateLimit } from '../settings.ts';
import type { Admission, Limiter } from './limiter.ts';

/** Windows that follow each other without a gap, the first begun by the first request. */
export class FixedWindow implements Limiter {
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
