/** Which fires of a schedule must run now, given when it was last looked at. Pure. */
import { fireTimes, lastFire, type Timetable } from './fire-times.ts';

/** How to catch up on fires that were missed while no worker ran. */
export interface CatchUp {
  /** `once`: only the newest; `all`: each, oldest first; `skip`: none. */
  policy: 'once' | 'all' | 'skip';
  /** With `all`: at most this many, the newest ones. */
  limit: number;
  /** Maximum age of a missed fire, ms; older ones are skipped. */
  ageMs: number;
}

/**
 * A fire this soon after its time does not count as missed: the worker just did not check in that very
 * second.
 */
export const ON_TIME_MS = 60_000;

/**
 * @param after fires up to here have been handled, ms since the epoch
 * @returns fire times after `after` and up to `now`, in order
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
