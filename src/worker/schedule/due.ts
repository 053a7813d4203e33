/** Which fires of a schedule are to be run now, given when it was last looked at. Pure. */
import { fireTimes, lastFire, type Timetable } from './fire-times.ts';

/** What is done about fires that were missed while no worker ran. */
export interface CatchUp {
  /** `once`: the newest of them; `all`: each, oldest first; `skip`: none. */
  policy: 'once' | 'all' | 'skip';
  /** With `all`: at most so many, the newest. */
  limit: number;
  /** Older ones are left, ms. */
  ageMs: number;
}

/** A fire that is looked at so soon after its time was not missed: the worker only did not look that very second. */
export const ON_TIME_MS = 60_000;

/**
 * @param after fires up to here were dealt with, ms since the epoch
 * @returns fire times later than `after` and not later than `now`, in order
 */
export function dueFires(timetable: Timetable, after: number, now: number, catchUp: CatchUp): number[] {
  const newest = lastFire(timetable, now, { after, inclusive: true });
  if (newest === undefined) return [];
  const onTime = now - newest < ON_TIME_MS;
  if (!onTime && (catchUp.policy === 'skip' || now - newest > catchUp.ageMs)) return [];
  if (catchUp.policy !== 'all') return [newest];
  const due: number[] = [];
  for (const fire of fireTimes(timetable, Math.max(after, now - catchUp.ageMs - 1))) {
    if (fire > now) break;
    due.push(fire);
    if (due.length > catchUp.limit) due.shift();
  }
  return due;
}
