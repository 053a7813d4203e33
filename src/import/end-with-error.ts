/**
 * The only place that turns an error into a job's end: its state, or no job at all if another job answers, or if
 * nothing was sent.
 */
import { saidOf, ShelfliftError } from '../base/errors.ts';
import { message } from '../messages/message.ts';
import type { Action } from '../messages/params.ts';
import { AlreadyClaimedError, type JobRecord } from '../ledger/ledger.ts';
import { isStoreAway } from '../ledger/store-away.ts';
import { DeclinedError, type JobDeps, UnwantedError } from './job/deps.ts';
import { interruptedOr } from './job/interrupted.ts';
import { jobStateAfterError, recordJobState } from './job/job-state-after-error.ts';
import { answerOfEarlier, withExit } from './results/outcome.ts';
import { type JobOutcome, summarise } from './results/summary.ts';

/**
 * Ends a run that threw.
 *
 * @param of the progress of the job: a new job that the command can never send is discarded
 * @returns the outcome of a job that is kept and can be resumed
 * @throws the error, if no job is left or the error is a defect
 */
export async function endWithError(
  thrown: unknown,
  job: JobRecord,
  deps: JobDeps,
  of: 'unplanned job' | 'new job' | 'existing job',
): Promise<JobOutcome> {
  if (thrown instanceof AlreadyClaimedError) return answerOfEarlier(thrown.jobId, job, deps);
  const isNew = of === 'new job' && job.firstSentAt === undefined;
  const given = thrown instanceof DeclinedError && !isNew ? thrown.guard : thrown;
  const error = interruptedOr(given, deps.signal);
  // Resuming would not help for a dry run or a wrong command.
  const isUseless =
    job.dryRun || !(error instanceof ShelfliftError) || jobStateAfterError(error) === undefined;
  const isUnwanted = error instanceof UnwantedError && deps.keepsQuestions !== true;
  if (of === 'unplanned job' ? isUseless : isNew && (isUnwanted || error instanceof DeclinedError)) {
    await deps.ledger.jobs.discard(job.id);
    throw error;
  }
  if (!(error instanceof ShelfliftError)) throw error;
  try {
    return await stopped(error, job, deps);
  } catch (unrecorded) {
    if (!isStoreAway(unrecorded)) throw unrecorded;
    // No record is needed: a resume starts from the rows.
    const why = saidOf(unrecorded);
    const resume: Action = { do: 'resume', job: job.id, label: message('when_store_is_back', {}) };
    const said = message('job_is_unchanged', { job: job.id, why }, resume);
    throw new ShelfliftError(unrecorded.code, said, { cause: unrecorded });
  }
}

async function stopped(
  error: ShelfliftError,
  job: JobRecord,
  { ledger, meter }: JobDeps,
): Promise<JobOutcome> {
  let state = jobStateAfterError(error);
  if (state !== undefined) {
    try {
      state = await recordJobState(job.id, ledger, state, error);
    } catch (unrecorded) {
      // A store that is locked for writing may still be read.
      if (!isStoreAway(unrecorded)) throw unrecorded;
    }
  }
  const found = await ledger.jobs.find(job.id);
  const now = state === undefined ? found : { ...found, state };
  const summary = await summarise(now, ledger, { requests: meter.totals, error });
  if (state !== undefined) return withExit(summary, now, ledger, error);
  return { summary, exitCode: error.exitCode, said: [], actions: error.actions, cause: error };
}
