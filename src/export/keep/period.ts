/** Days, months and years of a time zone, and the readings near their limits. */
import { UsageError } from '../../base/errors.ts';
import { message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';
import { nearestTo, type Reading } from './readings.ts';
import { instantOf, isZone, wallOf } from '../../base/zone.ts';

/** A calendar period. */
export interface Period {
  /** `2026`, `2026-10` or `2026-10-31`. */
  name: string;
  /** ms since the epoch: from `start` to before `end`. */
  start: number;
  end: number;
  timeZone: string;
}

const PERIOD = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/;
const FORMS = { month: /^\d{4}-\d{2}$/, day: /^\d{4}-\d{2}-\d{2}$/, any: PERIOD };
const NOT_SO = { month: 'not_a_month', day: 'not_a_day', any: 'not_a_period' } as const;

/**
 * @param form the accepted periods
 * @param givenZone default: this machine's
 * @throws UsageError `bad_period`, `bad_zone`
 */
export function periodOf(name: string, form: keyof typeof FORMS, givenZone?: string): Period {
  const timeZone = zoneOf(givenZone);
  const [, year = '', month, day] = FORMS[form].test(name) ? (PERIOD.exec(name) ?? []) : [];
  const [y, m, d] = [Number(year), Number(month ?? 1) - 1, Number(day ?? 1)];
  const start = Date.UTC(y, m, d);
  const end =
    day !== undefined
      ? Date.UTC(y, m, d + 1)
      : Date.UTC(month === undefined ? y + 1 : y, m + (month === undefined ? 0 : 1), 1);
  // 2026-02-30 is a day in March.
  if (year === '' || !new Date(start).toISOString().startsWith(name))
    throw new UsageError('bad_period', message(NOT_SO[form], { given: name }));
  return { name, start: instantOf(start, timeZone), end: instantOf(end, timeZone), timeZone };
}

/**
 * A time zone; by default this machine's.
 *
 * @throws UsageError `bad_zone`
 */
export function zoneOf(given: string = Intl.DateTimeFormat().resolvedOptions().timeZone): string {
  if (!isZone(given)) throw new UsageError('bad_zone', message('bad_zone', { zone: given }));
  return given;
}

/** The last month that has ended at an instant. */
export function monthBefore(instant: number, timeZone: string): string {
  const wall = new Date(wallOf(instant, timeZone));
  return new Date(Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth() - 1, 1)).toISOString().slice(0, 7);
}

/** @throws UsageError `period_not_over` */
export function checkOver({ name, end, timeZone }: Period, now: number): void {
  if (now >= end) return;
  throw new UsageError(
    'period_not_over',
    message('period_not_over', { period: name, end: placeTime(end, timeZone) }),
  );
}

/**
 * The reading nearest to an instant.
 *
 * @throws UsageError `no_reading`, which names the days with readings
 */
export function readingNear<T>(
  readings: readonly T[],
  instant: number,
  timeZone: string,
  timesOf: (reading: T) => Pick<Reading, 'startedAt' | 'at'>,
): T {
  const found = nearestTo(readings, instant, timesOf);
  if (found !== undefined) return found;
  const days = readings.map((reading) => dayOf(Date.parse(timesOf(reading).at), timeZone));
  throw new UsageError(
    'no_reading',
    message('no_reading', { at: placeTime(instant, timeZone), days: daysText(days) }),
    { actions: [{ do: 'byHand', label: message('keep_readings', {}) }] },
  );
}

/** The days of readings as text, with consecutive days as a range; only the latest if there are many. */
export function daysText(days: readonly string[]): Message {
  const ranges: [from: string, to: string][] = [];
  for (const day of [...new Set(days)].sort()) {
    const last = ranges.at(-1);
    if (last !== undefined && Date.parse(day) - Date.parse(last[1]) <= 86_400_000) last[1] = day;
    else ranges.push([day, day]);
  }
  if (ranges.length === 0) return message('no_readings', {});
  return message('readings_of', {
    days: ranges
      .slice(-MAX_RANGES)
      .map(([from, to]) =>
        from === to ? message('verbatim', { text: from }) : message('day_range', { from, to }),
      ),
    earlier: ranges.length > MAX_RANGES,
  });
}

const MAX_RANGES = 20;

/** `2026-10-31 23:59 (Europe/Berlin)` */
export function placeTime(instant: number, timeZone: string): string {
  const [date = '', time = ''] = new Date(wallOf(instant, timeZone)).toISOString().split('T');
  return `${date} ${time.slice(0, 5)} (${timeZone})`;
}

/** The day of an instant: `2026-10-31` */
export function dayOf(instant: number, timeZone: string): string {
  return new Date(wallOf(instant, timeZone)).toISOString().slice(0, 10);
}
