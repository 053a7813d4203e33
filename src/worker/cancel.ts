/** Cancels a job or a run in any state: queued, running, or waiting for its next try. */
import { RequestMeter } from '../api/meter.ts';
import type { Clock } from '../base/clock.ts';
import { ExitCode } from '../base/exit-code.ts';
import { cancelJob } from '../import/jobs/cancel-job.ts';
import { showJob } from '../import/results/outcome.ts';
import type { JobOutcome } from '../import/results/summary.ts';
import { message } from '../messages/message.ts';
import { type Ledger, LeaseLostError } from '../ledger/ledger.ts';
import { findEither } from './queue/find-either.ts';
import { isFinal, type Run } from './queue/run.ts';
import { Runs } from './queue/runs.ts';

/** A worker notices within two seconds that its run was cancelled, and then finishes the open requests. */
const PATIENCE_MS = 20_000;
const LOOK_MS = 250;

export interface Cancelled {
  /** The job's outcome; absent if there is no job. */
  outcome?: JobOutcome;
  /** The worker's run; absent if there is no such run. */
  run?: Run;
}

/**
 * Updates the run record directly, whichever worker holds it: that worker stops, and no other takes the run. Rows that
 * were sent and files that were delivered stay.
 *
 * @throws UsageError `no_such_job`, `ambiguous_job`; `job_runs_elsewhere` if a command runs it
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
    const said = [message('cancellation_recorded', {})];
    return { outcome: { summary, exitCode: ExitCode.ok, said, actions: [] }, run };
  }
  const outcome = await cancelJob(job.id, deps);
  return { outcome, ...(run === undefined ? {} : { run }) };
}

/** Does nothing to a run that has ended, or whose file is being archived. */
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
      // A worker has just saved the run: read it again.
      if (!(error instanceof LeaseLostError)) throw error;
    }
  }
}

/** True once no process is sending rows of the job. */
async function isLeft(jobId: string, ledger: Ledger, clock: Clock): Promise<boolean> {
  const end = clock.monotonic() + PATIENCE_MS;
  while ((await ledger.lanes.runner(jobId)) !== undefined) {
    if (clock.monotonic() >= end) return false;
    await clock.sleep(LOOK_MS);
  }
  return true;
}

/** Cancels the job of a cancelled run. */
export async function endJobOf(run: Run, ledger: Ledger, clock: Clock): Promise<void> {
  const { job } = await findEither(run.id, ledger);
  if (job !== undefined) await cancelJob(job.id, { ledger, clock, meter: new RequestMeter() });
}
