import { UsageError } from '../../base/errors.ts';
import { message } from '../../messages/message.ts';
import type { Action } from '../../messages/params.ts';
import type { JobRecord, LaneHolder, Ledger } from '../../ledger/ledger.ts';

/** The lane of a job: held by the process that sends or mends it. */
export function jobLane(jobId: string): string {
  return `job ${jobId}`;
}

/** @throws UsageError `job_runs_elsewhere` if a living process works on the job */
export async function refuseIfRunning(job: JobRecord, ledger: Ledger): Promise<void> {
  const runner = await ledger.lanes.runner(job.id);
  if (runner !== undefined) throw runsElsewhere(job, runner);
}

/**
 * The error for a job that another living process is working on.
 *
 * @param waitedUntil when the other process would have looked for room next, ms since the epoch, if that wait was cut
 *   short
 */
export function runsElsewhere(job: JobRecord, holder: LaneHolder, waitedUntil?: number): UsageError {
  const { host, pid, since } = holder;
  const gone = message('if_machine_is_gone', {});
  const actions: Action[] =
    waitedUntil === undefined
      ? [
          { do: 'byHand', label: message('wait_for_its_end', {}) },
          { do: 'resume', job: job.id, options: { 'take-over': true }, label: gone },
        ]
      : [{ do: 'byHand', label: message('looks_again_now', { at: waitedUntil }) }];
  const said = message('job_runs_elsewhere', { job: job.id, host, pid, since }, ...actions);
  return new UsageError('job_runs_elsewhere', said);
}
