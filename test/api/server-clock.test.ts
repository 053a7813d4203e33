import * as fc from '../support/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { ServerClock } from '../../src/api/server-clock.ts';

describe('the server’s clock', () => {
  it('is unknown until a Date header arrives', () => {
    const clock = new ServerClock();
    expect(clock.observe(undefined, 0, 10)).toBeUndefined();
    clock.observe(5000, 10, 20);
    expect(clock.observe(undefined, 30, 40)).toEqual({ earliest: 5020, latest: 6030 });
  });

  it('is estimated within bounds that narrow to one round trip plus a second', () => {
    const trip = fc.record({
      pause: fc.integer({ min: 0, max: 700 }),
      there: fc.integer({ min: 0, max: 40 }),
      back: fc.integer({ min: 0, max: 40 }),
    });
    fc.assert(
      fc.property(
        fc.integer({ min: -1e12, max: 1e12 }),
        fc.array(trip, { minLength: 40, maxLength: 60 }),
        (offset, trips) => {
          const clock = new ServerClock();
          let now = 1000;
          let width = Number.POSITIVE_INFINITY;
          for (const { pause, there, back } of trips) {
            const sentAt = now + pause;
            const date = Math.floor((sentAt + there + offset) / 1000) * 1000;
            now = sentAt + there + back;
            const time = clock.observe(date, sentAt, now);
            expect(time?.earliest).toBeLessThanOrEqual(now + offset);
            expect(time?.latest).toBeGreaterThanOrEqual(now + offset);
            const next = (time?.latest ?? 0) - (time?.earliest ?? 0);
            expect(next).toBeLessThanOrEqual(width);
            width = next;
          }
        },
      ),
    );
  });

  it('is estimated again after the server’s clock is set', () => {
    const clock = new ServerClock();
    clock.observe(1_000_000, 0, 10);
    expect(clock.observe(5_000_000, 20, 30)).toEqual({ earliest: 5_000_000, latest: 5_001_010 });
  });
});
