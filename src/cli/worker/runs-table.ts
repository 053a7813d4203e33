/** Runs of the worker, for people and for scripts. */
import type { Ledger } from '../../ledger/ledger.ts';
import { failedDeliveries, fileOf, isFinal, type Run, type RunState } from '../../worker/queue/run.ts';
import { type RunFilter, Runs } from '../../worker/queue/runs.ts';
import { say, warningText } from '../show/say.ts';
import type { DescribedSchedule } from './describe-schedules.ts';
import type { GlobalFlags } from '../flags.ts';
import { print, printJson } from '../show/output.ts';
import { configFileOf, type ConfigFlags } from './worker-session.ts';
import { table } from '../show/words.ts';
import { duration, utcTime } from '../../base/words.ts';
import { commandOf } from '../show/actions.ts';
import { saidOf } from '../../base/errors.ts';
import { english, message } from '../../messages/message.ts';
import { defined } from '../../base/defined.ts';

export interface DescribedRun {
  run: string;
  kind: Run['work']['kind'];
  state: Run['state'];
  schedule?: string;
  /** Fire time, ISO 8601. */
  fire?: string;
  /** For an import: the path of the file when it was submitted or dropped. */
  file?: string;
  tries: number;
  exit_code: number | null;
  rows: number | null;
  /** Seconds from its first start to its end. */
  seconds: number | null;
  files: string[];
  deliveries?: { to: string; done: boolean; tries: number; error?: string }[];
  created_at: string;
  /** Time of the next try, if any. */
  not_before?: string;
  /** Problems that did not stop the run, but that somebody should know about. */
  warnings?: string[];
  error?: { code: string; message: string; remedy?: string };
}

export function describeRun(run: Run): DescribedRun {
  const { work, deliveries, warnings, error } = run;
  const ended = run.startedAt !== undefined && run.endedAt !== undefined;
  return {
    run: run.id,
    kind: work.kind,
    state: run.state,
    ...(work.kind === 'schedule'
      ? { schedule: work.schedule, fire: new Date(work.fire).toISOString() }
      : { file: fileOf(work.source) }),
    tries: run.tries,
    exit_code: run.exitCode ?? null,
    rows: run.rows ?? null,
    seconds: ended ? ((run.endedAt ?? 0) - (run.startedAt ?? 0)) / 1000 : null,
    files: run.files ?? [],
    ...(deliveries === undefined ? {} : { deliveries }),
    created_at: new Date(run.createdAt).toISOString(),
    ...(isFinal(run) ? {} : { not_before: new Date(run.notBefore).toISOString() }),
    ...defined({ warnings: warnings?.map(english), error }),
  };
}

/** Reports a run that has no job, or none yet. */
export function reportRun(run: Run, flags: GlobalFlags): void {
  if (flags.json === true) printJson({ job: run.id, state: run.state, run: describeRun(run) });
  else print(runsTable([run], flags));
}

/** The part of `jobs list` about workers; schedules only if there is a configuration. */
export async function workerPart(
  flags: ConfigFlags,
  ledger: Ledger,
  filter: RunFilter & { limit: number },
): Promise<WorkerPart> {
  const file = configFileOf(flags);
  const all = new Runs(ledger);
  const part = { runs: await all.list(filter), counts: await all.counts() };
  if (file === undefined) return { ...part, schedules: [] };
  const [{ readTimetables }, { describeSchedules }] = await Promise.all([
    import('../../worker/config/read-config.ts'),
    import('./describe-schedules.ts'),
  ]);
  return { ...part, schedules: await describeSchedules(readTimetables(file), ledger, filter.limit) };
}

interface WorkerPart {
  runs: Run[];
  /** Of all runs of the store. */
  counts: Record<RunState, number>;
  schedules: DescribedSchedule[];
}

export function printWorkerPart({ runs, counts, schedules }: WorkerPart, flags: GlobalFlags): void {
  if (runs.length > 0) print(`\n${runsTable(runs, flags)}`);
  const all = Object.entries(counts).filter(([, number]) => number > 0);
  const states = all.map(([state, number]) =>
    state === 'parked_poison'
      ? message('runs_given_up', { number })
      : message('runs_in_state', { number, state }),
  );
  if (all.reduce((sum, [, number]) => sum + number, 0) > runs.length)
    print(say(message('all_runs', { states, options: ['--limit', '--state', '--since'] })));
  for (const { schedule, paused, next } of schedules) {
    const when =
      paused || next === null
        ? message(paused ? 'is_paused' : 'fires_never', {})
        : message('verbatim', { text: `${next.local} = ${next.utc}` });
    print(say(message('next_run', { schedule, when })));
  }
}

export function runsTable(runs: readonly Run[], flags: GlobalFlags): string {
  const lines = runs.map((run) => [
    run.id,
    stateText(run),
    run.rows === undefined ? '' : say(message('number_shown', { number: run.rows })),
    run.startedAt === undefined || run.endedAt === undefined ? '' : duration(run.endedAt - run.startedAt),
    utcTime(run.createdAt),
    about(run, flags),
  ]);
  return table([HEADS.map(say), ...lines]);
}

const HEADS = (
  ['head_run', 'head_state', 'head_rows', 'head_took', 'head_queued', 'head_files_or_why'] as const
).map((code) => message(code, {}));

/** A run's state as people read it. */
export function stateText({ state, tries }: Pick<Run, 'state' | 'tries'>): string {
  return state === 'parked_poison' ? say(message('gave_up_after', { tries })) : state;
}

/** How to retry a run that was given up. */
export function revival({ id, state, work }: Run, flags: GlobalFlags): string {
  if (state !== 'parked_poison') return '';
  if (work.kind === 'import' && 'claimed' in work.source)
    return ` (${say(message('to_retry_drop_file', {}))})`;
  const command = commandOf({ do: 'resume', job: id, label: message('to_try_again', {}) }, flags);
  return ` (${say(message('to_retry_run', { command }))})`;
}

function about(run: Run, flags: GlobalFlags): string {
  const warned = (run.warnings ?? []).map(warningText);
  if (run.state === 'done' && run.error === undefined) return [...(run.files ?? []), ...warned].join(', ');
  const failed = message('deliveries_failed', { problems: failedDeliveries(run) });
  const why = say(run.error === undefined ? failed : saidOf(run.error));
  const again = isFinal(run)
    ? revival(run, flags)
    : ` (${say(message('next_try_at', { at: utcTime(run.notBefore) }))})`;
  const tries = run.tries > 0 ? `${say(message('try_number', { number: run.tries }))}: ` : '';
  if (why !== '') return `${tries}${why}${again}`;
  return run.work.kind === 'import' ? fileOf(run.work.source) : '';
}
