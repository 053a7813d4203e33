/** From a plan to the end of a run: what stands in the way of sending is said, else the job is sent. */
import { ShelfliftError } from '../errors.ts';
import { ExitCode } from '../exit-code.ts';
import { AlreadyClaimedError, type JobRecord } from '../ledger/ledger.ts';
import type { ImportDeps } from './deps.ts';
import { guardOf } from './plan/guards.ts';
import type { JobOptions, RunOptions } from './options.ts';
import { answerOfEarlier, failed, withExit } from './results/outcome.ts';
import { type ResultFiles, writeResults } from './results/results.ts';
import { sendJob } from './write/send.ts';
import { endUndone } from './undo/end-undone.ts';
import { writeDeletions } from './undo/write-deletions.ts';
import { type JobOutcome, type RunFacts, summarise } from './results/summary.ts';

/** Whatever stands in the way of sending is said here; then the job is sent. */
export async function begin(job: JobRecord, deps: ImportDeps, run: RunOptions): Promise<JobOutcome> {
  const { ledger, meter } = deps;
  const options = job.options as unknown as JobOptions;
  // A job that has sent already goes on with its own rows, whoever imported the file again meanwhile.
  const claimant =
    job.fingerprint === undefined || job.mode !== 'create' || job.firstSentAt !== undefined
      ? undefined
      : await ledger.claimant(job.fingerprint);
  if (claimant !== undefined && claimant !== job.id && !options.force)
    return answerOfEarlier(claimant, job, deps);

  const counts = await ledger.counts(job.id);
  if (
    counts.invalid > 0 &&
    !options.skipInvalid &&
    run.skipInvalid !== true &&
    job.firstSentAt === undefined
  ) {
    const files = await writeResults(job, ledger, deps.emit);
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
  try {
    const guard = await guardOf(job, counts, deps, run);
    if (guard !== undefined) return await failed(job, deps, guard);
    await endUndone(job, ledger);
    const sent = await sendJob(job, deps, run);
    return await finish(sent.job, deps, sent.facts);
  } catch (error) {
    if (error instanceof AlreadyClaimedError) return answerOfEarlier(error.jobId, job, deps);
    return failed(job, deps, error);
  }
}

/** After the last row, whenever that was: results, and the summary. */
export async function finish(job: JobRecord, deps: ImportDeps, facts: RunFacts): Promise<JobOutcome> {
  let files: ResultFiles = {};
  let error = facts.error;
  try {
    files = await writeResults(job, deps.ledger, deps.emit);
    if (job.kind === 'undo') files = { ...files, ...(await writeDeletions(job, deps)) };
  } catch (failure) {
    // The rows are sent and recorded; only their report is missing.
    if (!(failure instanceof ShelfliftError)) throw failure;
    error ??= failure;
    deps.emit({ type: 'note', message: `the results could not be written: ${failure.message}` });
  }
  const summary = await summarise(job, deps.ledger, {
    ...facts,
    files,
    ...(error === undefined ? {} : { error }),
  });
  return withExit(summary, job, error);
}
