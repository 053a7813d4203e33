/** Days, months and years of a time zone, and the readings that say something about them. */
import { UsageError } from '../errors.ts';
import { nearestTo, type Reading } from '../export/keep/readings.ts';
import { instantOf, isZone, wallOf } from '../zone.ts';

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
const EXAMPLES = { month: '2026-10', day: '2026-10-31', any: '2026, 2026-10 or 2026-10-31' };

/**
 * @param form which periods are meant
 * @param timeZone default: this machine's
 * @throws UsageError `bad_period`, `bad_zone`
 */
export function periodOf(
  name: string,
  form: keyof typeof FORMS,
  timeZone: string = Intl.DateTimeFormat().resolvedOptions().timeZone,
): Period {
  if (!isZone(timeZone))
    throw new UsageError('bad_zone', `"${timeZone}" is not a time zone; use one such as Europe/Berlin.`);
  const [, year = '', month, day] = FORMS[form].test(name) ? (PERIOD.exec(name) ?? []) : [];
  const [y, m, d] = [Number(year), Number(month ?? 1) - 1, Number(day ?? 1)];
  const start = Date.UTC(y, m, d);
  const end =
    day !== undefined
      ? Date.UTC(y, m, d + 1)
      : Date.UTC(month === undefined ? y + 1 : y, m + (month === undefined ? 0 : 1), 1);
  // 2026-02-30 is a day in March.
  if (year === '' || !new Date(start).toISOString().startsWith(name))
    throw new UsageError(
      'bad_period',
      `"${name}" is not a ${form === 'any' ? 'period' : form}; use one such as ${EXAMPLES[form]}.`,
    );
  return { name, start: instantOf(start, timeZone), end: instantOf(end, timeZone), timeZone };
}

/** The last month that is over at an instant. */
export function monthBefore(instant: number, timeZone: string): string {
  const wall = new Date(wallOf(instant, timeZone));
  return new Date(Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth() - 1, 1)).toISOString().slice(0, 7);
}

/** @throws UsageError `period_not_over` */
export function checkOver({ name, end, timeZone }: Period, now: number): void {
  if (now >= end) return;
  throw new UsageError(
    'period_not_over',
    `${name} is not over: it ends at ${placeTime(end, timeZone)}, and nobody can know its figures before.`,
  );
}

/**
 * The reading nearest to an instant.
 *
 * @throws UsageError `no_reading`, which names the days that there are readings of
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
    `No reading is within a day of ${placeTime(instant, timeZone)}. ${daysText(days)}`,
  );
}

/** `2026-10-01 to 2026-10-04, 2026-10-07`: days that follow each other as one range. */
export function daysText(days: readonly string[]): string {
  const ranges: [from: string, to: string][] = [];
  for (const day of [...new Set(days)].sort()) {
    const last = ranges.at(-1);
    if (last !== undefined && Date.parse(day) - Date.parse(last[1]) <= 86_400_000) last[1] = day;
    else ranges.push([day, day]);
  }
  if (ranges.length === 0) return 'The store has no readings.';
  const shown = ranges.slice(-MOST_RANGES).map(([from, to]) => (from === to ? from : `${from} to ${to}`));
  const more = ranges.length > shown.length ? 'earlier days, ' : '';
  return `The store has readings of ${more}${shown.join(', ')}.`;
}

const MOST_RANGES = 20;

/** `2026-10-31 23:59 (Europe/Berlin)` */
export function placeTime(instant: number, timeZone: string): string {
  const [date = '', time = ''] = new Date(wallOf(instant, timeZone)).toISOString().split('T');
  return `${date} ${time.slice(0, 5)} (${timeZone})`;
}

function dayOf(instant: number, timeZone: string): string {
  return new Date(wallOf(instant, timeZone)).toISOString().slice(0, 10);
}
