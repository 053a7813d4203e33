/** Ends a job or a run by hand, wherever it stands: not begun, in hand of a worker, or waiting for its next try. */
import { RequestMeter } from '../api/meter.ts';
import type { Clock } from '../clock.ts';
import { ExitCode } from '../exit-code.ts';
import { cancelJob } from '../import/jobs/cancel-job.ts';
import { showJob } from '../import/results/outcome.ts';
import type { JobOutcome } from '../import/results/summary.ts';
import { type Ledger, LeaseLostError } from '../ledger/ledger.ts';
import { findEither } from './queue/find-either.ts';
import { isFinal, type Run } from './queue/run.ts';
import { Runs } from './queue/runs.ts';

/** A worker looks every two seconds whether its run was cancelled, and then ends what is under way. */
const PATIENCE_MS = 20_000;
const LOOK_MS = 250;

export interface Cancelled {
  /** Where there is a job. */
  outcome?: JobOutcome;
  /** Where it is a run of a worker's, as it is now. */
  run?: Run;
}

/**
 * The run is `cancelled` at once: whoever has it in hand sees that, and nobody takes it any more. What was sent or
 * delivered stays.
 *
 * @throws UsageError `no_such_job`, `ambiguous_job`; `job_runs_elsewhere` where a command line runs it
 */
export async function cancelAnywhere(
  reference: string,
  deps: { ledger: Ledger; meter: RequestMeter; clock: Clock },
): Promise<Cancelled> {
  const { ledger, clock } = deps;
  const { job, run: found } = await findEither(reference, ledger);
  const run = found === undefined ? undefined : await cancelRun(found.id, new Runs(ledger), clock.now());
  if (job === undefined) return run === undefined ? {} : { run };
  if (run?.state === 'cancelled' && !(await isLeft(job.id, ledger, clock))) {
    const { summary } = await showJob(job.id, deps);
    const remedy = 'It is noted: its worker ends it when what is under way is answered.';
    return { outcome: { summary, exitCode: ExitCode.ok, remedy }, run };
  }
  const outcome = await cancelJob(job.id, deps);
  return { outcome, ...(run === undefined ? {} : { run }) };
}

/** One that has ended, or whose file is being put away already, is left as it is. */
async function cancelRun(id: string, runs: Runs, now: number): Promise<Run | undefined> {
  for (;;) {
    const run = await runs.get(id);
    if (run === undefined || isFinal(run) || run.ending !== undefined) return run;
    Object.assign(run, { state: 'cancelled', endedAt: now, exitCode: ExitCode.rows });
    delete run.error;
    try {
      await runs.save(run);
      return run;
    } catch (error) {
      // A worker has just written it: as it is now.
      if (!(error instanceof LeaseLostError)) throw error;
    }
  }
}

/** True when no process sends for the job any more. */
async function isLeft(jobId: string, ledger: Ledger, clock: Clock): Promise<boolean> {
  const end = clock.monotonic() + PATIENCE_MS;
  while ((await ledger.lanes.runner(jobId)) !== undefined) {
    if (clock.monotonic() >= end) return false;
    await clock.sleep(LOOK_MS);
  }
  return true;
}

/** The worker's part: the job of a cancelled run is cancelled, too. */
export async function endJobOf(run: Run, ledger: Ledger, clock: Clock): Promise<void> {
  const { job } = await findEither(run.id, ledger);
  if (job !== undefined) await cancelJob(job.id, { ledger, clock, meter: new RequestMeter() });
}
