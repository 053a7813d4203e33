import { UsageError } from '../base/errors.ts';
import { type RateLimit, RateLimitForm } from './settings.ts';
import { message } from '../messages/message.ts';

const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;
const RATE = /^(\d+)\/(\d*)(ms|s|m|h)$/;
const DURATION = /^(-?\d+(?:\.\d+)?)(ms|s|m|h)$/;

/**
 * `100/60s`, `100/s` or an object, as a RateLimit.
 * @throws UsageError `bad_rate_limit`
 */
export function toRateLimit(limit: RateLimit | string): RateLimit {
  let candidate: unknown = limit;
  if (typeof limit === 'string') {
    const [, count, amount, unit] = RATE.exec(limit) ?? [];
    candidate =
      unit === undefined
        ? undefined
        : {
            limit: Number(count),
            windowMs: (amount === '' ? 1 : Number(amount)) * UNIT_MS[unit as keyof typeof UNIT_MS],
          };
  }
  const { data } = RateLimitForm.safeParse(candidate);
  if (data !== undefined) return data;
  const found = typeof limit === 'string' ? limit : JSON.stringify(limit);
  throw new UsageError('bad_rate_limit', message('bad_rate_limit', { found }));
}

/** Milliseconds of `500ms`, `10s`, `5m`, `24h` or a negative one; undefined for any other text. */
export function durationMs(text: string): number | undefined {
  const [, amount, unit] = DURATION.exec(text) ?? [];
  return unit === undefined ? undefined : Math.round(Number(amount) * UNIT_MS[unit as keyof typeof UNIT_MS]);
}
