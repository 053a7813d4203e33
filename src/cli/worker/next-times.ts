/** Fire times for people: in the schedule's zone and in UTC. */
import { utcTime } from '../../words.ts';
import { nextFire } from '../../worker/schedule/fire-times.ts';

/** `2026-12-01 06:00 Europe/Berlin (GMT+1)` */
export function localTime(at: number, timeZone: string): string {
  const text = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(
    at,
  );
  const offset = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'shortOffset' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName');
  return `${text} ${timeZone} (${offset?.value ?? ''})`;
}

/** The next fire in both zones. */
export function nextTimes(
  timetable: { cron: string; timeZone: string },
  now: number,
): { at: number; local: string; utc: string } | undefined {
  const at = nextFire(timetable, now);
  return at === undefined ? undefined : { at, local: localTime(at, timetable.timeZone), utc: utcTime(at) };
}
