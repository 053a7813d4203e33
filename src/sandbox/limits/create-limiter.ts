/** The limiter of a kind. */
import type { LimiterKind, RateLimit } from '../settings.ts';
import { FixedWindow } from './fixed-window.ts';
import type { Limiter } from './limiter.ts';
import { SlidingWindow } from './sliding-window.ts';
import { TokenBucket } from './token-bucket.ts';

const LIMITERS: Record<LimiterKind, new (rate: RateLimit) => Limiter> = {
  fixed: FixedWindow,
  sliding: SlidingWindow,
  bucket: TokenBucket,
};

export function createLimiter(kind: LimiterKind, rate: RateLimit): Limiter {
  return new LIMITERS[kind](rate);
}
