/**
 * When a schedule fires: one pure function over croner, used by the worker, `--check` and `schedule list` alike.
 *
 * The cron expression is about local times. Each local time that it names fires once: one that exists twice (the
 * clock goes back) at its first occurrence, one that does not exist (the clock goes forward) at the first instant
 * after the gap; times that meet there are one. So `0,15,30,45 * * * *` is quiet in the repeated hour: every fire has a
 * local time of its own, and with it a file name of its own. Croner enumerates the local times as if they were
 * UTC; its own rules for clock changes, which differ between kinds of expressions, are not used.
 */
import { Cron } from 'croner';
import { instantOf, wallOf } from './zone.ts';

export interface Timetable {
  /** Five fields, or six with seconds first. */
  cron: string;
  /** IANA name. */
  timeZone: string;
}

const HOUR_MS = 3_600_000;
/** Windows in which the last fire is looked for, the nearest first: leap days come every 8 years at worst. */
const LOOK_BACK_MS = [
  HOUR_MS,
  48 * HOUR_MS,
  62 * 24 * HOUR_MS,
  2 * 366 * 24 * HOUR_MS,
  30 * 366 * 24 * HOUR_MS,
];

/** Why the expression cannot be used; undefined where it can. */
export function cronProblem(expression: string): string | undefined {
  try {
    open(expression);
  } catch (error) {
    const reason = (error instanceof Error ? error.message : String(error))
      .replace(/^CronPattern: /, '')
      // Croner counts these from 0, and nobody writes them so.
      .replace(
        /(value for (?:month|day): )(-?\d+)/,
        (_, words: string, index: string) => `${words}${+index + 1}`,
      );
    return `"${expression}" is no cron expression: ${reason}`;
  }
  return undefined;
}

/** Fire times later than `after`, in order, without end; ms since the epoch. Ends where there is none any more. */
export function* fireTimes({ cron, timeZone }: Timetable, after: number): Generator<number, void> {
  const pattern = open(cron);
  let wall = wallOf(after, timeZone);
  let last = after;
  for (;;) {
    const next = pattern.nextRun(new Date(wall));
    if (next === null) return;
    wall = next.getTime();
    const instant = instantOf(wall, timeZone);
    if (instant <= last) continue;
    last = instant;
    yield instant;
  }
}

/** The next fire after an instant; undefined where the expression names no day that will ever be. */
export function nextFire(timetable: Timetable, after: number): number | undefined {
  return fireTimes(timetable, after).next().value ?? undefined;
}

/** The newest fire that is later than `after` and before `until` (or at it, with `inclusive`). */
export function lastFire(
  timetable: Timetable,
  until: number,
  { after = Number.NEGATIVE_INFINITY, inclusive = false } = {},
): number | undefined {
  for (const span of LOOK_BACK_MS) {
    let found: number | undefined;
    for (const fire of fireTimes(timetable, Math.max(after, until - span))) {
      if (fire > until || (fire === until && !inclusive)) break;
      found = fire;
    }
    if (found !== undefined || until - span <= after) return found;
  }
  return undefined;
}

function open(cron: string): Cron {
  return new Cron(cron.trim(), { paused: true, timezone: 'UTC', mode: '5-or-6-parts' });
}
