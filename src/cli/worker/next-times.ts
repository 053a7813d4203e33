/** Displayed fire times: in the schedule's zone and in UTC. */
import { utcTime } from '../../base/words.ts';
import { nextFire } from '../../worker/schedule/fire-times.ts';

const formats = new Map<string, ReturnType<typeof newFormats>>();

/** Constructing a formatter takes longer than many uses of it. */
function formatsOf(timeZone: string) {
  const made = formats.get(timeZone) ?? newFormats(timeZone);
  formats.set(timeZone, made);
  return made;
}

function newFormats(timeZone: string) {
  return {
    time: new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }),
    zone: new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'shortOffset' }),
  };
}

/** `2026-12-01 06:00 Europe/Berlin (GMT+1)` */
export function localTime(at: number, timeZone: string): string {
  const { time, zone } = formatsOf(timeZone);
  const text = time.format(at);
  const offset = zone.formatToParts(at).find(({ type }) => type === 'timeZoneName');
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
