/** The life of a job after its first run: resume, apply, cancel. */
import { UsageError } from '../../errors.ts';
import { ExitCode } from '../../exit-code.ts';
import type { JobRecord, Ledger } from '../../ledger/ledger.ts';
import { begin, finish } from '../begin.ts';
import { checkAddress, checkTeam, OtherTargetError } from './check-team.ts';
import type { ImportDeps } from '../deps.ts';
import { cutShort, nextTryAt } from '../write/limit-wait.ts';
import { RowsSentBeforeError } from '../known-rows/own-rows.ts';
import type { RunOptions } from '../options.ts';
import { failed, showJob } from '../results/outcome.ts';
import { outlast } from '../write/outlast.ts';
import { planJob } from '../plan/plan.ts';
import { runsElsewhere } from '../write/send.ts';
import { type JobOutcome, summarise } from '../results/summary.ts';

/** Requests that have left are answered, or given up, in about this time. */
const LEAVE_WITHIN_MS = 10_000;
const LOOK_MS = 100;

/** Goes on with a job where it was; one that has ended, or was cancelled, tells its summary again. */
export async function resumeJob(
  reference: string,
  deps: ImportDeps,
  run: RunOptions = {},
): Promise<JobOutcome> {
  const job = await deps.ledger.jobs.find(reference);
  if (job.dryRun) {
    const error = new UsageError('is_a_dry_run', `job ${job.id} is a dry run: it was never begun`, {
      remedy: `shelflift jobs apply ${job.id} sends what it planned.`,
    });
    return failed(job, deps, error);
  }
  // Whoever ended it by hand meant it, whatever was queued before: only `apply` sends it after all.
  if (job.state === 'cancelled') return showJob(job.id, deps);
  return goOn(job, deps, run);
}

/** Sends the plan of a dry run, of an import that invalid rows have stopped, or what a cancelled job has left: exactly that plan. */
export async function applyJob(
  reference: string,
  deps: ImportDeps,
  run: RunOptions = {},
): Promise<JobOutcome> {
  if (reference === 'last') await refuseBehindDryRun(deps);
  return goOn(await deps.ledger.jobs.find(reference), deps, run);
}

/** Whoever has just made a dry run means that one, and `last` is the job before it: neither is sent. */
async function refuseBehindDryRun({ ledger }: ImportDeps): Promise<void> {
  const [newest, ...older] = await ledger.jobs.list();
  if (newest?.dryRun !== true) return;
  const last = older.find((job) => !job.dryRun);
  const other = last === undefined ? '' : `, and "last" is ${last.id} of ${last.source.file}`;
  throw new UsageError(
    'newer_dry_run',
    `the newest job is the dry run ${newest.id} of ${newest.source.file}${other}`,
    { remedy: `Name the one that is meant: shelflift jobs apply ${newest.id}` },
  );
}

/**
 * Ends a job by hand, also one that is still planned or waits for its turn: no row of it is sent any more. Its unsent
 * rows stay pending; nothing that was sent is taken back. One that has ended is left.
 *
 * @throws UsageError `job_runs_elsewhere` where a process sends it
 */
export async function cancelJob(
  reference: string,
  deps: Pick<ImportDeps, 'ledger' | 'meter' | 'clock'>,
): Promise<JobOutcome> {
  const { ledger, meter } = deps;
  const job = await ledger.jobs.find(reference);
  const runner = await ledger.lanes.runner(job.id);
  if (runner !== undefined) throw runsElsewhere(job, runner);
  const hasEnded = job.state === 'done' || job.state === 'cancelled';
  if (!hasEnded) {
    await ledger.jobs.update(job.id, { state: 'cancelled' });
    await untilLeft(job.id, deps);
  }
  const summary = await summarise(await ledger.jobs.find(job.id), ledger, { requests: meter.totals });
  if (!hasEnded) return { summary, exitCode: ExitCode.ok };
  const undo =
    job.firstSentAt === undefined ? '' : ` To take back what it wrote: shelflift jobs undo ${job.id}`;
  return { summary, exitCode: ExitCode.ok, remedy: `It had ended already: nothing was cancelled.${undo}` };
}

/** A process that began with the job at the same moment sends no further row; what has left is waited for. */
async function untilLeft(
  jobId: string,
  { ledger, clock }: Pick<ImportDeps, 'ledger' | 'clock'>,
): Promise<void> {
  const end = clock.monotonic() + LEAVE_WITHIN_MS;
  while ((await ledger.lanes.runner(jobId)) !== undefined && clock.monotonic() < end)
    await clock.sleep(LOOK_MS);
}

async function goOn(job: JobRecord, deps: ImportDeps, run: RunOptions): Promise<JobOutcome> {
  const { ledger } = deps;
  const { unknown, planned, sending } = await ledger.rows.counts(job.id);
  // Another job's settling may have made a finished row unknown again (design §4): that is work left to do.
  if (job.state === 'done' && unknown + planned + sending === 0) {
    // A kill came between its last row and its results.
    const reported = job.files['results'] !== undefined;
    return reported ? showJob(job.id, deps) : finish(job, deps, { requests: deps.meter.totals });
  }
  let ready = job;
  try {
    checkAddress(job, deps);
    // Before anything is compared or moved: the rows are the running process's.
    const runner = await ledger.lanes.runner(job.id);
    const waitsUntil = await nextTryAt(ledger, job.id);
    await cutShort(ledger, job.id);
    if (runner !== undefined) throw runsElsewhere(job, runner, waitsUntil);
    if (job.fingerprint !== undefined) await outlast(deps, run, () => checkTeam(job, deps));
    await beginAgain(job, ledger);
    if (job.fingerprint === undefined) ready = await outlast(deps, run, () => planJob(job, deps));
  } catch (error) {
    if (!(error instanceof OtherTargetError)) await beginAgain(job, ledger);
    return failed(job, deps, error);
  }
  try {
    return await begin(ready, deps, run);
  } catch (error) {
    if (error instanceof RowsSentBeforeError) return failed(ready, deps, error);
    throw error;
  }
}

/** Wherever an applied dry run or cancelled job stops, it is a job to resume. */
async function beginAgain(job: JobRecord, ledger: Ledger): Promise<void> {
  if (job.dryRun) await ledger.jobs.update(job.id, { dryRun: false });
  job.dryRun = false;
  if (job.state !== 'cancelled') return;
  job.state = await ledger.jobs.update(job.id, { state: 'planned', reopen: true });
}
