import { describe, expect, it } from 'vitest';
import type { HeaderStyle, LimiterKind } from '../../src/sandbox/settings.ts';
import { simulate, simulateLanes } from './simulated-server.ts';

const LIMITERS: LimiterKind[] = ['fixed', 'sliding', 'bucket'];
const TOLD: HeaderStyle[] = ['draft3', 'policy', 'structured', 'epoch'];
const RATES = [
  { limit: 1, windowMs: 1000, windows: 500 },
  { limit: 5, windowMs: 1000, windows: 60 },
  { limit: 10, windowMs: 1000, windows: 50 },
  { limit: 100, windowMs: 1000, windows: 20 },
  { limit: 60, windowMs: 60_000, windows: 20 },
];

describe('a pacer that gets its budget with each answer', () => {
  for (const { windows, ...rate } of RATES) {
    for (const limiter of LIMITERS) {
      for (const headers of TOLD) {
        it(`uses 98% of ${rate.limit}/${rate.windowMs} ms, with under 1% of requests limited: ${limiter}, ${headers}`, () => {
          for (const latencyMs of [5, 50]) {
            const outcome = simulate({
              limiter,
              headers,
              rate,
              latencyMs,
              durationMs: (windows + 2) * rate.windowMs,
            });
            expect(outcome.share).toBeGreaterThanOrEqual(0.98);
            expect(outcome.limitedShare).toBeLessThan(0.01);
          }
        });
      }
    }
  }

  it.each(LIMITERS)(
    'sends 300 rows at 60 a second from a cold start, with under 2 %% of requests limited: %s',
    (limiter) => {
      const rate = { limit: 60, windowMs: 1000 };
      const { total } = simulate({
        limiter,
        headers: 'draft3',
        rate,
        latencyMs: 5,
        durationMs: 60_000,
        stopAfter: 300,
      });
      expect(total.admitted).toBe(300);
      expect(total.limited).toBeLessThan(6);
    },
  );

  // A sliding window gives each unit back a window after it came: by how much ours come late is lost.
  it.each([
    ['fixed', 0.98],
    ['bucket', 0.98],
    ['sliding', 0.96],
  ] as const)('reaches 5 requests a second with round trips of any length: %s', (limiter, least) => {
    for (const headers of TOLD) {
      for (const latencyMs of [20, 80, 150]) {
        for (let seed = 1; seed <= 3; seed += 1) {
          const outcome = simulate({
            limiter,
            headers,
            rate: { limit: 5, windowMs: 1000 },
            latencyMs,
            jitterMs: 10,
            durationMs: 62_000,
            seed,
          });
          expect(outcome.share).toBeGreaterThanOrEqual(least);
          expect(outcome.limitedShare).toBeLessThan(0.01);
        }
      }
    }
  });

  it.each([
    ['fixed', 0.97],
    ['bucket', 0.97],
    ['sliding', 0.9],
  ] as const)(
    'serves 20 keys in one busy process, each near its budget, from a slow start: %s',
    (limiter, least) => {
      for (const headers of ['draft3', 'policy'] as const) {
        const outcomes = simulateLanes(
          {
            limiter,
            headers,
            rate: { limit: 5, windowMs: 1000 },
            latencyMs: 5,
            durationMs: 60_000,
            slowStart: { untilMs: 3000, byMs: 300 },
            measureFromMs: 5000,
          },
          { lanes: 20, workMs: 3 },
        );
        const limited = outcomes.reduce((sum, { total }) => sum + total.limited, 0);
        const admitted = outcomes.reduce((sum, { total }) => sum + total.admitted, 0);
        expect(Math.min(...outcomes.map(({ share }) => share))).toBeGreaterThanOrEqual(least);
        expect(limited / (limited + admitted)).toBeLessThan(0.01);
      }
    },
  );

  it('uses every fixed window fully, even if some answers are late', () => {
    for (const headers of TOLD) {
      for (const limit of [5, 100]) {
        for (let seed = 1; seed <= 3; seed += 1) {
          const outcome = simulate({
            limiter: 'fixed',
            headers,
            rate: { limit, windowMs: 1000 },
            latencyMs: 20,
            jitterMs: 80,
            measureFromMs: 20_000,
            durationMs: 50_000,
            seed,
          });
          expect(outcome.share).toBeGreaterThanOrEqual(0.98);
          expect(outcome.limitedShare).toBeLessThan(0.01);
        }
      }
    }
  });

  it.each(LIMITERS)('uses 98%% of 1,000 requests a second, even with long round trips: %s', (limiter) => {
    for (const latencyMs of [5, 50]) {
      const rate = { limit: 1000, windowMs: 1000 };
      const outcome = simulate({ limiter, headers: 'draft3', rate, latencyMs, durationMs: 12_000 });
      expect(outcome.share).toBeGreaterThanOrEqual(0.98);
      expect(outcome.limitedShare).toBeLessThan(0.01);
    }
  });

  it.each(LIMITERS)('reads a reset time as an epoch from a server whose clock differs: %s', (limiter) => {
    for (const clockOffsetMs of [-86_400_000, -1500, -700, 700, 5000]) {
      for (const { windows, ...rate } of RATES.slice(3)) {
        const outcome = simulate({
          limiter,
          headers: 'epoch',
          rate,
          latencyMs: 20,
          durationMs: (windows + 2) * rate.windowMs,
          clockOffsetMs,
        });
        expect(outcome.share).toBeGreaterThanOrEqual(0.98);
        expect(outcome.limitedShare).toBeLessThan(0.01);
      }
    }
  });

  describe.each(LIMITERS)('%s', (limiter) => {
    it.each(TOLD)('follows a limit that falls to a tenth and recovers, within two windows: %s', (headers) => {
      const rate = { limit: 100, windowMs: 1000 };
      const { windows, total } = simulate({
        limiter,
        headers,
        rate,
        latencyMs: 20,
        durationMs: 20_000,
        changes: [
          { at: 6500, rate: { limit: 10, windowMs: 1000 } },
          { at: 13_500, rate },
        ],
      });
      expect(windows.slice(8, 13).every((admitted) => admitted >= 9 && admitted <= 20)).toBe(true);
      expect(windows.slice(15, 19).every((admitted) => admitted >= 90)).toBe(true);
      expect(total.limited / (total.limited + total.admitted)).toBeLessThan(0.01);
    });

    // The other program never waits, whatever it is told.
    const EVENLY = (now: number) => now + 20;
    const IN_BURSTS = (now: number) =>
      now % 500 < 24 ? Math.floor(now) + 1.001 : Math.floor(now / 500) * 500 + 500;

    it.each(TOLD)('keeps to its share of a limit that another program half uses: %s', (headers) => {
      for (const latencyMs of [5, 50]) {
        for (const others of [EVENLY, IN_BURSTS]) {
          const rate = { limit: 100, windowMs: 1000 };
          const outcome = simulate({ limiter, headers, rate, latencyMs, durationMs: 30_000, others });
          expect(outcome.share).toBeGreaterThan(0.25);
          expect(outcome.limitedShare).toBeLessThan(0.1);
          expect(outcome.othersAdmitted / (outcome.othersAdmitted + outcome.othersLimited)).toBeGreaterThan(
            0.5,
          );
        }
      }
    });
  });
});

describe('a pacer without a known budget', () => {
  for (const headers of ['draft3-on-429', 'retry-after', 'none'] as const) {
    for (const rate of [
      { limit: 1, windowMs: 1000 },
      { limit: 10, windowMs: 1000 },
      { limit: 100, windowMs: 1000 },
      { limit: 60, windowMs: 60_000 },
    ]) {
      it.each(LIMITERS)(
        `finds the limit ${rate.limit}/${rate.windowMs} ms from the 429s: ${headers}, %s`,
        (limiter) => {
          const windows = Math.max(20, 500 / rate.limit) + 2;
          for (const latencyMs of [5, 50]) {
            const durationMs = windows * rate.windowMs;
            const outcome = simulate({ limiter, headers, rate, latencyMs, durationMs });
            expect(outcome.share).toBeGreaterThanOrEqual(0.85);
            expect(outcome.limitedShare).toBeLessThan(0.03);
          }
        },
      );
    }
  }
});

describe.each(LIMITERS)('a pacer without a known budget, %s', (limiter) => {
  it('finds a limit of 1,000 requests a second, even with long round trips', () => {
    for (const headers of ['retry-after', 'none'] as const) {
      for (const latencyMs of [5, 50]) {
        const rate = { limit: 1000, windowMs: 1000 };
        const outcome = simulate({ limiter, headers, rate, latencyMs, durationMs: 22_000 });
        expect(outcome.share).toBeGreaterThanOrEqual(0.85);
        expect(outcome.limitedShare).toBeLessThan(0.03);
      }
    }
  });

  it('reaches nearly 100 requests a second from a cold start, even in a process that sometimes stalls', () => {
    for (const headers of ['draft3-on-429', 'retry-after', 'none'] as const) {
      const least = headers === 'none' ? 0.95 : 0.97;
      for (const stalls of [undefined, { everyMs: 150, upToMs: 40 }]) {
        for (const latencyMs of [1, 20]) {
          for (let seed = 1; seed <= 5; seed += 1) {
            const outcome = simulate({
              limiter,
              headers,
              rate: { limit: 100, windowMs: 1000 },
              latencyMs,
              durationMs: 22_000,
              startMs: 12_345.678 + seed * 137.3,
              seed,
              ...(stalls === undefined ? {} : { stalls }),
            });
            expect(outcome.share).toBeGreaterThanOrEqual(least);
            expect(outcome.limitedShare).toBeLessThan(0.01);
          }
        }
      }
    }
  });

  it('uses nearly all of a limit, with under 1% of requests limited', () => {
    for (const headers of ['retry-after', 'none'] as const) {
      for (const limit of [10, 100]) {
        for (const latencyMs of [5, 50]) {
          const rate = { limit, windowMs: 1000 };
          const outcome = simulate({ limiter, headers, rate, latencyMs, durationMs: 600_000 });
          expect(outcome.share).toBeGreaterThanOrEqual(0.965);
          expect(outcome.limitedShare).toBeLessThan(0.01);
        }
      }
    }
  });

  it('finds a limit that has risen tenfold, within minutes', () => {
    const rate = { limit: 100, windowMs: 1000 };
    for (const headers of ['retry-after', 'none'] as const) {
      const { windows } = simulate({
        limiter,
        headers,
        rate: { limit: 10, windowMs: 1000 },
        latencyMs: 20,
        durationMs: 600_000,
        changes: [{ at: 60_000, rate }],
      });
      // A pause of a second may take a whole window.
      const empty = Array.from(windows.slice(400), (admitted) => admitted ?? 0).filter((each) => each < 5);
      expect(empty.length).toBeLessThan(5);
      expect(windows.slice(400).reduce((sum, each) => sum + each, 0)).toBeGreaterThan(0.9 * 200 * 100);
    }
  });

  it('uses most of a limit that has fallen to a hundredth, within three windows', () => {
    for (const headers of ['retry-after', 'none'] as const) {
      for (let seed = 1; seed <= 3; seed += 1) {
        const outcome = simulate({
          limiter,
          headers,
          rate: { limit: 1000, windowMs: 1000 },
          latencyMs: 20,
          durationMs: 60_000,
          measureFromMs: 23_500,
          changes: [{ at: 20_500, rate: { limit: 10, windowMs: 1000 } }],
          seed,
        });
        expect(outcome.share * 100).toBeGreaterThanOrEqual(0.8);
        expect(outcome.limitedShare).toBeLessThan(0.04);
      }
    }
  });

  it('follows a limit that falls to a tenth within two windows', () => {
    const rate = { limit: 100, windowMs: 1000 };
    const { windows, total } = simulate({
      limiter,
      headers: 'retry-after',
      rate,
      latencyMs: 20,
      durationMs: 40_000,
      changes: [{ at: 6500, rate: { limit: 10, windowMs: 1000 } }],
    });
    expect(windows.slice(9, 39).every((admitted) => admitted <= 20)).toBe(true);
    expect(total.limited / (total.limited + total.admitted)).toBeLessThan(0.04);
  });
});

it('a pacer has 64 requests in flight at most', () => {
  const { mostInFlight } = simulate({
    limiter: 'bucket',
    headers: 'draft3',
    rate: { limit: 5000, windowMs: 1000 },
    latencyMs: 50,
    durationMs: 5000,
  });
  expect(mostInFlight).toBe(64);
});
