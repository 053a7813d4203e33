import { ExitCode } from '../../exit-code.ts';
import type { JobDeps } from '../job/deps.ts';
import { type JobOutcome, summarise } from '../results/summary.ts';
import { refuseIfRunning } from '../job/runs-elsewhere.ts';

/** A process that sends has its answers, or has given up, in about this time. */
const LEAVE_WITHIN_MS = 10_000;
const POLL_MS = 100;

/**
 * Ends a job by hand, even one that is only planned or queued: no further row of it is sent. Unsent rows stay pending,
 * and nothing that was sent is taken back. A job that has ended stays as it is.
 *
 * @throws UsageError `job_runs_elsewhere` if a process is sending it
 */
export async function cancelJob(
  reference: string,
  { ledger, meter, clock }: Pick<JobDeps, 'ledger' | 'meter' | 'clock'>,
): Promise<JobOutcome> {
  const job = await ledger.jobs.find(reference);
  await refuseIfRunning(job, ledger);
  const hasEnded = job.state === 'done' || job.state === 'cancelled';
  if (!hasEnded) {
    await ledger.jobs.update(job.id, { state: 'cancelled' });
    // A process that started the job at the same moment sends no further row; its requests in flight are awaited.
    const end = clock.monotonic() + LEAVE_WITHIN_MS;
    while ((await ledger.lanes.runner(job.id)) !== undefined && clock.monotonic() < end)
      await clock.sleep(POLL_MS);
  }
  const summary = await summarise(await ledger.jobs.find(job.id), ledger, { requests: meter.totals });
  if (!hasEnded) return { summary, exitCode: ExitCode.ok };
  const undo =
    job.firstSentAt === undefined ? '' : ` To take back what it wrote: shelflift jobs undo ${job.id}`;
  return { summary, exitCode: ExitCode.ok, remedy: `It had already ended: nothing was cancelled.${undo}` };
}
