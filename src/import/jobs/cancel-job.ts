import { ExitCode } from '../../base/exit-code.ts';
import { message } from '../../messages/message.ts';
import type { Action } from '../../messages/params.ts';
import type { JobDeps } from '../job/deps.ts';
import { type JobOutcome, summarise } from '../results/summary.ts';
import { refuseIfRunning } from '../job/runs-elsewhere.ts';
import { stopJob } from './stop-job.ts';

/** A process that is sending has its answers, or has given up, within about this time. */
const LEAVE_WITHIN_MS = 10_000;

/**
 * Ends a job by hand, even if it is only planned or queued: no further row is sent. Unsent rows stay pending, and
 * nothing that was sent is taken back. A job that has ended stays as it is.
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
  const stopped = hasEnded ? job : await stopJob(job, { ledger, clock }, LEAVE_WITHIN_MS);
  const summary = await summarise(stopped, ledger, { requests: meter.totals });
  if (!hasEnded) return { summary, exitCode: ExitCode.ok, said: [], actions: [] };
  const undo: Action = { do: 'undo', job: job.id, label: message('to_take_back', {}) };
  const actions = job.firstSentAt === undefined ? [] : [undo];
  return { summary, exitCode: ExitCode.ok, said: [message('job_had_ended', {})], actions };
}
