/** Schedules with their next fire and last run, for `schedule list` and `jobs list`. */
import type { Ledger } from '../../ledger/ledger.ts';
import type { Run } from '../../worker/queue/run.ts';
import { Runs } from '../../worker/queue/runs.ts';
import { nextFire, type Timetable } from '../../worker/schedule/fire-times.ts';
import { Schedules } from '../../worker/schedule/schedules.ts';
import { nextTimes } from './next-times.ts';

export interface DescribedSchedule {
  schedule: string;
  cron: string;
  time_zone: string;
  paused: boolean;
  next: { local: string; utc: string } | null;
  last: {
    run: string;
    fire: string;
    state: Run['state'];
    rows: number | null;
    files: string[];
    error?: NonNullable<Run['error']>;
  } | null;
}

/** @param limit maximum number: the schedules that fire next. Default: all, in the order of the file */
export async function describeSchedules(
  schedules: Readonly<Record<string, Timetable>>,
  ledger: Ledger,
  limit = Number.POSITIVE_INFINITY,
): Promise<DescribedSchedule[]> {
  const now = Date.now();
  const all = Object.entries(schedules);
  const inOrder =
    all.length <= limit
      ? all
      : all
          .map(([name, timetable]) => ({
            name,
            timetable,
            at: nextFire(timetable, now) ?? Number.POSITIVE_INFINITY,
          }))
          .sort((a, b) => a.at - b.at)
          .slice(0, limit)
          .map(({ name, timetable }) => [name, timetable] as const);
  const names = inOrder.map(([name]) => name);
  const [newest, states] = await Promise.all([
    new Runs(ledger).newest(names),
    new Schedules(ledger).states(names),
  ]);
  return inOrder.map(([schedule, timetable]) => {
    const next = nextTimes(timetable, now);
    const last = newest.get(schedule);
    return {
      schedule,
      cron: timetable.cron,
      time_zone: timetable.timeZone,
      paused: states.get(schedule)?.paused === true,
      next: next === undefined ? null : { local: next.local, utc: next.utc },
      last: last === undefined ? null : described(last),
    };
  });
}

function described(run: Run): NonNullable<DescribedSchedule['last']> {
  const fire = run.work.kind === 'schedule' ? run.work.fire : run.createdAt;
  return {
    run: run.id,
    fire: new Date(fire).toISOString(),
    state: run.state,
    rows: run.rows ?? null,
    files: run.files ?? [],
    ...(run.error === undefined ? {} : { error: run.error }),
  };
}
