import type { RateLimit } from '../settings.ts';
import type { Admission, Limiter } from './limiter.ts';

/** At most `limit` requests in any `windowMs`: a log of when each was admitted, kept in a ring. */
export class SlidingWindow implements Limiter {
  readonly #rate: RateLimit;
  readonly #times: number[] = [];
  /** Where the oldest time stands, once the ring is full. */
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
