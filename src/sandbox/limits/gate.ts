import type { Clock } from '../clock.ts';
import type { HeaderStyle, LimiterKind, RateLimit } from '../settings.ts';
import { createLimiter, type Limiter } from './limiter.ts';
import { rateHeaders } from './rate-headers.ts';

/** Whether a request may pass, and the rate limit headers: name, value, name, value. */
export interface Passage {
  admitted: boolean;
  headers: readonly string[];
}

const FREE: Passage = { admitted: true, headers: [] };

/** The rate limit; each key has its own budget (api-v1 §8). */
export class Gate {
  readonly #kind: LimiterKind;
  readonly #style: HeaderStyle;
  readonly #clock: Clock;
  readonly #limiters = new Map<string, Limiter>();
  #rate: RateLimit | undefined;

  constructor(kind: LimiterKind, style: HeaderStyle, rate: RateLimit | undefined, clock: Clock) {
    this.#kind = kind;
    this.#style = style;
    this.#rate = rate;
    this.#clock = clock;
  }

  get rate(): RateLimit | undefined {
    return this.#rate;
  }

  /** Sets a new limit with fresh budgets; undefined for none. */
  setRate(rate: RateLimit | undefined): void {
    this.#rate = rate;
    this.#limiters.clear();
  }

  /** @param key a known key: an unknown one gets 401 and uses no budget */
  pass(key: string): Passage {
    if (this.#rate === undefined) return FREE;
    let limiter = this.#limiters.get(key);
    if (limiter === undefined) {
      limiter = createLimiter(this.#kind, this.#rate);
      this.#limiters.set(key, limiter);
    }
    const admission = limiter.take(this.#clock.steady());
    return {
      admitted: admission.admitted,
      headers: rateHeaders(this.#style, this.#rate, admission, this.#clock.wall()),
    };
  }
}
