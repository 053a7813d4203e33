import { expect, it } from 'vitest';
import { ageOf, momentOf, msSince, systemClock } from '../src/base/clock.ts';
import * as fc from './support/fast-check.ts';

const SECOND = 1_000;
const DAY = 86_400_000;
const duration = fc.integer({ min: 0, max: DAY });

it('the measured time is never less than the real time, even across sleep and clock changes', () => {
  fc.assert(
    fc.property(
      duration,
      duration,
      fc.oneof(fc.constant(0), fc.integer({ min: -400 * DAY, max: 400 * DAY })),
      (awake, slept, setBy) => {
        const before = { now: () => 0, monotonic: () => 0 };
        const after = {
          now: () => awake + slept + setBy,
          monotonic: () => awake,
          slept: () => Math.max(0, slept - 2 * SECOND),
        };
        const passed = msSince(momentOf(before), after);
        expect(passed).toBeGreaterThanOrEqual(awake);
        // Set back by less than it slept: the wall clock still shows that it slept, but not how long.
        if (setBy >= 0 || setBy < -slept - SECOND)
          expect(passed).toBeGreaterThanOrEqual(awake + slept - 2 * SECOND);
      },
    ),
  );
});

it('a moment 5 s ago counts as at least 5 s ago, and a running machine does not count as asleep', () => {
  expect(msSince(momentOf(systemClock, 5_000), systemClock)).toBeGreaterThanOrEqual(5_000);
  expect(systemClock.slept()).toBeLessThan(60_000);
});

it('an age stays between its bounds even if the clock is set while the process runs', () => {
  fc.assert(
    fc.property(
      duration,
      duration,
      duration,
      fc.integer({ min: -400 * DAY, max: 400 * DAY }),
      (before, awake, slept, setBy) => {
        const clock = {
          begun: { now: 0, monotonic: 0 },
          now: () => awake + slept + setBy,
          monotonic: () => awake,
          slept: () => slept,
        };
        const { least, most } = ageOf(-before, clock);
        const age = before + awake + slept;
        expect(least).toBeLessThanOrEqual(age);
        expect(most).toBeGreaterThanOrEqual(age);
      },
    ),
  );
});
