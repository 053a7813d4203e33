/** Each limiter by itself, on simulated time. */
import * as fc from '../support/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { createLimiter } from '../../src/sandbox/limits/limiter.ts';
import { rateHeaders } from '../../src/sandbox/limits/rate-headers.ts';
import { HEADER_STYLES, LIMITER_KINDS } from '../../src/sandbox/settings.ts';

const rates = fc.record({
  limit: fc.integer({ min: 1, max: 20 }),
  windowMs: fc.integer({ min: 1, max: 1000 }),
});
const gaps = fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 150 });

/** When each admitted request came, for requests that come one gap after the other. */
function admittedTimes(take: (now: number) => { admitted: boolean }, gapsMs: number[]): number[] {
  let now = 1000;
  return gapsMs.flatMap((gap) => (take((now += gap)).admitted ? [now] : []));
}

describe('admitted requests', () => {
  test('in fixed windows never exceed the limit, counted from the first request', () => {
    fc.assert(
      fc.property(rates, gaps, (rate, gapsMs) => {
        const limiter = createLimiter('fixed', rate);
        const times = admittedTimes((now) => limiter.take(now), gapsMs);
        const windows = Map.groupBy(times, (time) => Math.floor((time - (times[0] ?? 0)) / rate.windowMs));
        for (const within of windows.values()) expect(within.length).toBeLessThanOrEqual(rate.limit);
      }),
    );
  });

  test('in a sliding window never exceed the limit', () => {
    fc.assert(
      fc.property(rates, gaps, (rate, gapsMs) => {
        const limiter = createLimiter('sliding', rate);
        const times = admittedTimes((now) => limiter.take(now), gapsMs);
        for (const [index, time] of times.entries()) {
          const later = times[index + rate.limit];
          if (later !== undefined) expect(later - time).toBeGreaterThanOrEqual(rate.windowMs);
        }
      }),
    );
  });

  test('in a bucket never exceed the size of the bucket plus its refill', () => {
    fc.assert(
      fc.property(rates, gaps, (rate, gapsMs) => {
        const limiter = createLimiter('bucket', rate);
        const times = admittedTimes((now) => limiter.take(now), gapsMs);
        for (const [index, time] of times.entries()) {
          const flowed = ((time - (times[0] ?? 0)) * rate.limit) / rate.windowMs;
          expect(index + 1).toBeLessThanOrEqual(rate.limit + flowed + 1e-6);
        }
      }),
    );
  });

  test.each(LIMITER_KINDS)('include every request of a client that sends evenly at the limit: %s', (kind) => {
    const limiter = createLimiter(kind, { limit: 10, windowMs: 1000 });
    for (let index = 0; index < 500; index += 1) expect(limiter.take(index * 100).admitted).toBe(true);
  });
});

describe('reported limits', () => {
  test.each(LIMITER_KINDS)('have the correct remaining and reset values: %s', (kind) => {
    fc.assert(
      fc.property(rates, gaps, (rate, gapsMs) => {
        const limiter = createLimiter(kind, rate);
        let now = 1000;
        let before: number | undefined;
        for (const gap of gapsMs) {
          now += gap;
          const told = limiter.take(now);
          expect(told.remaining).toBeGreaterThanOrEqual(0);
          expect(told.remaining).toBeLessThan(rate.limit);
          expect(told.resetMs).toBeGreaterThan(0);
          expect(told.resetMs).toBeLessThanOrEqual(rate.windowMs + 1e-6);
          if (!told.admitted) expect(told.remaining).toBe(0);
          // What was said to remain is there at once.
          if (gap === 0 && before !== undefined && before > 0) expect(told.admitted).toBe(true);
          before = told.remaining;
          if (told.remaining === 0) {
            expect(limiter.take(now).admitted).toBe(false);
            now += Math.ceil(told.resetMs);
            const after = limiter.take(now);
            expect(after.admitted).toBe(true);
            before = after.remaining;
          }
        }
      }),
    );
  });
});

describe('headers', () => {
  const rate = { limit: 100, windowMs: 60_000 };
  const free = { admitted: true, remaining: 41, resetMs: 12_001 };
  const refused = { admitted: false, remaining: 0, resetMs: 500 };
  const wall = Date.UTC(2026, 0, 1);
  const three = (remaining: string, reset: string) => [
    'RateLimit-Limit',
    '100',
    'RateLimit-Remaining',
    remaining,
    'RateLimit-Reset',
    reset,
  ];

  test.each([
    ['draft3', three('41', '13'), three('0', '1')],
    ['draft3-on-429', [], three('0', '1')],
    [
      'policy',
      [...three('41', '13'), 'RateLimit-Policy', '100;w=60'],
      [...three('0', '1'), 'RateLimit-Policy', '100;w=60'],
    ],
    [
      'structured',
      ['RateLimit-Policy', '"default";q=100;w=60', 'RateLimit', '"default";r=41;t=13'],
      ['RateLimit-Policy', '"default";q=100;w=60', 'RateLimit', '"default";r=0;t=1'],
    ],
    ['retry-after', [], ['Retry-After', '1']],
    ['epoch', three('41', String(wall / 1000 + 13)), three('0', String(wall / 1000 + 1))],
    ['none', [], []],
  ] as const)('%s', (style, admitted, limited) => {
    expect(rateHeaders(style, rate, free, wall)).toEqual(admitted);
    expect(rateHeaders(style, rate, refused, wall)).toEqual(limited);
  });

  test('every style is tested', () => {
    expect(HEADER_STYLES).toHaveLength(7);
  });
});
