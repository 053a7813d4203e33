/**
 * When a schedule fires: one pure function over croner, used by the worker, `--check` and `schedule list`.
 *
 * A cron expression names local times, and each of them fires once. A time that occurs twice (the clock goes back)
 * fires at its first occurrence. A time that does not exist (the clock goes forward) fires at the first instant after
 * the gap; if several times meet there, they fire once. So `0,15,30,45 * * * *` does not fire in the repeated hour:
 * every fire has a unique local time, and so a unique file name. Croner enumerates the local times as if they were
 * UTC. Its own rules for clock changes differ between kinds of expressions and are not used.
 */
import { Cron } from 'croner';
import { instantOf, wallOf } from '../../base/zone.ts';
import { message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';

export interface Timetable {
  /** Five fields, or six with seconds first. */
  cron: string;
  /** IANA name. */
  timeZone: string;
}

const HOUR_MS = 3_600_000;
/** Windows to search for the last fire, nearest first: leap days are at most 8 years apart. */
const LOOK_BACK_MS = [
  HOUR_MS,
  48 * HOUR_MS,
  62 * 24 * HOUR_MS,
  2 * 366 * 24 * HOUR_MS,
  30 * 366 * 24 * HOUR_MS,
];

/** Why the expression cannot be used; undefined if it can. */
export function cronProblem(expression: string): Message | undefined {
  return kept(problems, MAX_PROBLEMS, expression, readProblem);
}

/** Fire times after `after`, in order, ms since the epoch. Endless unless the expression never fires again. */
export function* fireTimes({ cron, timeZone }: Timetable, after: number): Generator<number, void> {
  const pattern = kept(patterns, MAX_PATTERNS, cron, readPattern);
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

/** Timetable → its next fire after every instant from `after` on: thousands of schedules share a few timetables. */
const nextFires = new Map<string, { after: number; fire: number | undefined }>();
/** These take 15 MB. Croner takes 0.1 ms for each new timetable. */
const MAX_NEXT_FIRES = 100_000;

/** The next fire after an instant; undefined if the expression names a day that never comes. */
export function nextFire(timetable: Timetable, after: number): number | undefined {
  const key = `${timetable.timeZone} ${timetable.cron}`;
  const known = nextFires.get(key);
  if (known !== undefined && after >= known.after && after < (known.fire ?? Number.POSITIVE_INFINITY))
    return known.fire;
  const fire = fireTimes(timetable, after).next().value ?? undefined;
  if (nextFires.size >= MAX_NEXT_FIRES) nextFires.clear();
  nextFires.set(key, { after, fire });
  return fire;
}

/** The newest fire after `after` and before `until` (or at it, with `inclusive`). */
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

/** Croner needs 80 kB and 60 µs for each pattern. */
const patterns = new Map<string, Cron>();
const MAX_PATTERNS = 20;

const problems = new Map<string, Message | undefined>();
const MAX_PROBLEMS = 5_000;

/** Keeps the expressions that were parsed last: thousands of schedules share a few of them. */
function kept<T>(known: Map<string, T>, most: number, cron: string, read: (cron: string) => T): T {
  const value = known.get(cron);
  if (value !== undefined || known.has(cron)) return value as T;
  if (known.size >= most) known.clear();
  const fresh = read(cron);
  known.set(cron, fresh);
  return fresh;
}

/** @throws croner's errors */
function readPattern(cron: string): Cron {
  // With the time zone UTC instead, croner takes ten times as long to find a time.
  return new Cron(cron.trim(), { paused: true, utcOffset: 0, mode: '5-or-6-parts' });
}

function readProblem(cron: string): Message | undefined {
  try {
    return readPattern(cron).nextRun() === null ? message('cron_never', { cron }) : undefined;
  } catch (error) {
    const reason = (error instanceof Error ? error.message : String(error))
      .replace(/^CronPattern: /, '')
      // Croner counts these from 0, as no expression does.
      .replace(
        /(value for (?:month|day): )(-?\d+)/,
        (_, words: string, index: string) => `${words}${+index + 1}`,
      );
    const why = reason.startsWith('invalid configuration format')
      ? message('cron_five_parts', {})
      : message('verbatim', { text: reason });
    return message('bad_cron', { cron, why });
  }
}
