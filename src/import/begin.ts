/** From a plan to the end of a run: what stands in the way of sending is said, else the job is sent. */
import type { ShelfliftError } from '../errors.ts';
import { ExitCode } from '../exit-code.ts';
import { AlreadyClaimedError, type JobRecord } from '../ledger/ledger.ts';
import type { ImportDeps } from './deps.ts';
import { ownRows, RowsSentBeforeError } from './known-rows/own-rows.ts';
import { PlanChangedError } from './plan/confirm-creates.ts';
import { guardOf } from './plan/guards.ts';
import type { RunOptions } from './options.ts';
import { answerOfEarlier, failed, resultsUnwritten, withExit, withoutResults } from './results/outcome.ts';
import { type ResultFiles, writeResults } from './results/results.ts';
import { sendJob } from './write/send.ts';
import { endUndone } from './undo/end-undone.ts';
import { noteUndone } from './undo/undone.ts';
import { writeDeletions } from './undo/write-deletions.ts';
import { type JobOutcome, type RunFacts, summarise } from './results/summary.ts';

/**
 * What stands in the way of sending is said here; then the job is sent. The lane is not held while a person is asked,
 * so the plan may be another by the time that the job has it: then all of this is done again.
 *
 * @throws RowsSentBeforeError where nobody says what becomes of rows that were sent before
 */
export async function begin(planned: JobRecord, deps: ImportDeps, run: RunOptions): Promise<JobOutcome> {
  const { ledger } = deps;
  for (let job = planned; ; ) {
    try {
      const stopped = await whatStops(job, deps, run);
      if (stopped !== undefined) return stopped;
      await ownRows(job, deps, run);
      await endUndone(job, ledger);
      const sent = await sendJob(job, deps, run);
      return await finish(sent.job, deps, sent.facts);
    } catch (error) {
      if (error instanceof RowsSentBeforeError) throw error;
      if (error instanceof AlreadyClaimedError) return answerOfEarlier(error.jobId, job, deps);
      if (!(error instanceof PlanChangedError)) return failed(job, deps, error);
      await ledger.jobs.update(job.id, { state: job.state });
      job = await ledger.jobs.find(job.id);
    }
  }
}

/** The answer to a job that must not be sent as it is. */
async function whatStops(job: JobRecord, deps: ImportDeps, run: RunOptions): Promise<JobOutcome | undefined> {
  const { ledger } = deps;
  const options = job.options;
  // A job that has sent already goes on with its own rows, whoever imported the file again meanwhile.
  const claimant =
    job.fingerprint === undefined || job.mode !== 'create' || job.firstSentAt !== undefined
      ? undefined
      : await ledger.jobs.claimant(job.fingerprint);
  if (claimant !== undefined && claimant !== job.id && !options.force)
    return answerOfEarlier(claimant, job, deps);

  const counts = await ledger.rows.counts(job.id);
  const maySkip = options.skipInvalid || run.skipInvalid === true || job.firstSentAt !== undefined;
  if (counts.invalid > 0 && !maySkip) return rowsToMend(job, deps);
  const guard = await guardOf(job, counts, deps, run);
  return guard === undefined ? undefined : failed(job, deps, guard);
}

/** Without --skip-invalid one bad row means that nothing is sent. */
async function rowsToMend(job: JobRecord, { ledger, meter, emit }: ImportDeps): Promise<JobOutcome> {
  const files = await writeResults(job, ledger, emit);
  const summary = await summarise(job, ledger, { requests: meter.totals, files });
  return {
    summary,
    exitCode: ExitCode.rows,
    remedy:
      `Nothing was sent. Mend the rows in ${files.rejects ?? 'the rejects file'} or in the source, and import again` +
      (summary.rows.pending === 0
        ? '.'
        : `; or send only the good ones: shelflift jobs apply ${job.id} --skip-invalid`),
  };
}

/** After the last row, whenever that was: results, and the summary. */
export async function finish(job: JobRecord, deps: ImportDeps, facts: RunFacts): Promise<JobOutcome> {
  let files: ResultFiles = {};
  let unwritten: ShelfliftError | undefined;
  try {
    files = await writeResults(job, deps.ledger, deps.emit);
    if (job.kind === 'undo') await noteUndone(deps.ledger, job.apiUrl);
    if (job.kind === 'undo') files = { ...files, ...(await writeDeletions(job, deps)) };
  } catch (failure) {
    unwritten = await resultsUnwritten(job, deps, failure);
  }
  const error = facts.error ?? unwritten;
  const summary = await summarise(job, deps.ledger, {
    ...facts,
    files,
    ...(error === undefined ? {} : { error }),
  });
  const outcome = withExit(summary, job, facts.error);
  return unwritten === undefined ? outcome : withoutResults(outcome, unwritten);
}
