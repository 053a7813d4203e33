import { UsageError } from '../../errors.ts';
import type { JobRecord, LaneHolder, Ledger } from '../../ledger/ledger.ts';

/** The lane of one job: whoever sends or mends it holds it. */
export function jobLane(jobId: string): string {
  return `job ${jobId}`;
}

/** @throws UsageError `job_runs_elsewhere` if a living process works on the job */
export async function refuseIfRunning(job: JobRecord, ledger: Ledger): Promise<void> {
  const runner = await ledger.lanes.runner(job.id);
  if (runner !== undefined) throw runsElsewhere(job, runner);
}

/**
 * A job that a living process works on belongs to that process alone.
 *
 * @param waitedUntil when it would have looked for room in the plan, ms since the epoch, if that wait was cut short
 */
export function runsElsewhere(job: JobRecord, holder: LaneHolder, waitedUntil?: number): UsageError {
  const since = new Date(holder.since).toISOString();
  const remedy =
    waitedUntil === undefined
      ? `Wait for it to end, or stop it there first. If that machine is gone: shelflift jobs resume ${job.id} --take-over`
      : `It was waiting for room in the plan until ${new Date(waitedUntil).toISOString()}; it looks again now.`;
  return new UsageError(
    'job_runs_elsewhere',
    `Job ${job.id} is already running on ${holder.host}, pid ${holder.pid}, since ${since}.`,
    { remedy },
  );
}
