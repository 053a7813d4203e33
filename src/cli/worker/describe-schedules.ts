/** Schedules with their next fire and last run, for `schedule list` and `jobs list`. */
import type { Ledger } from '../../ledger/ledger.ts';
import type { ReadConfig } from '../../worker/config/read-config.ts';
import type { Run } from '../../worker/queue/run.ts';
import { Runs } from '../../worker/queue/runs.ts';
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

export async function describeSchedules(config: ReadConfig, ledger: Ledger): Promise<DescribedSchedule[]> {
  const runs = new Runs(ledger);
  const states = new Schedules(ledger);
  return Promise.all(
    Object.entries(config.schedules).map(async ([schedule, timetable]) => {
      const next = nextTimes(timetable, Date.now());
      const { value: last } = await runs.ofSchedule(schedule).next();
      return {
        schedule,
        cron: timetable.cron,
        time_zone: timetable.timeZone,
        paused: (await states.state(schedule))?.paused === true,
        next: next === undefined ? null : { local: next.local, utc: next.utc },
        last: last === undefined ? null : described(last),
      };
    }),
  );
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
