import { describe, expect, test } from 'vitest';
import { cronProblem, fireTimes, lastFire, nextFire } from '../../src/worker/schedule/fire-times.ts';
import { independentList, SCHEDULES, YEAR, ZONES } from './minute-walk.ts';
import { english } from '../../src/messages/message.ts';

describe.each(ZONES)('a year in %s', (timeZone) => {
  const expected = independentList(timeZone);

  test('each schedule runs at the times found by a step-by-step search of the year', () => {
    for (const { cron } of SCHEDULES) {
      const fires: number[] = [];
      for (const fire of fireTimes({ cron, timeZone }, YEAR.from - 1)) {
        if (fire >= YEAR.to) break;
        fires.push(fire);
      }
      expect(fires, cron).toEqual(expected.get(cron));
    }
  });

  test('the next time does not depend on the times that were asked for before', () => {
    // Back and forth: from the middle of the year to both of its ends.
    const middle = (YEAR.from + YEAR.to) / 2;
    for (let distance = 0; distance < middle - YEAR.from; distance += 12_345_987) {
      for (const after of [middle - distance, middle + distance]) {
        for (const { cron } of SCHEDULES) {
          const next = expected.get(cron)?.find((fire) => fire > after);
          if (next !== undefined) expect(nextFire({ cron, timeZone }, after), cron).toBe(next);
        }
      }
    }
  });
});

test('the next and the previous scheduled time are found, however distant they are', () => {
  const leap = { cron: '0 6 29 2 *', timeZone: 'Asia/Tokyo' };
  expect(nextFire(leap, Date.UTC(2096, 2, 1))).toBe(Date.UTC(2104, 1, 28, 21));
  expect(lastFire(leap, Date.UTC(2104, 0, 1))).toBe(Date.UTC(2096, 1, 28, 21));
  expect(nextFire({ cron: '0 0 30 2 *', timeZone: 'UTC' }, 0)).toBeUndefined();
});

test('a bad cron expression is reported', () => {
  expect(cronProblem('0 6 1 * *')).toBeUndefined();
  expect(english(cronProblem('61 * * * *')!)).toContain('Invalid value for minute: 61');
  expect(english(cronProblem('0 6 1 13 *')!)).toContain('Invalid value for month: 13');
  expect(english(cronProblem('0 6 32 1 *')!)).toContain('Invalid value for day: 32');
  expect(english(cronProblem('tomorrow')!)).toContain('"tomorrow" is not a valid cron expression');
});
