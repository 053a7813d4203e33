/** The import as library functions. */
import type { ImportRequest, RunOptions } from './options.ts';
import { resumeJob } from './jobs/jobs.ts';
import { importFile } from './run.ts';
import type { JobOutcome } from './results/summary.ts';
import { type JobContext, withJobContext } from './jobs/job-context.ts';

/**
 * Imports a spreadsheet, each row exactly once.
 *
 * @returns the job's summary, in counts of rows, with the exit code that the command line would end with;
 *   limits, outages and a refused key are states of the job, not exceptions
 * @throws SheetError, UsageError for a file, template or option that cannot be used: nothing was sent then
 */
export function importItems(options: ImportRequest & JobContext): Promise<JobOutcome> {
  return withJobContext(options, (deps, request) => importFile(request, deps));
}

/**
 * Goes on with a job where it was: after a kill, an outage, a full plan.
 *
 * @param options.job id, unique beginning of one, or `last`
 */
export function resumeImport(options: { job: string; run?: RunOptions } & JobContext): Promise<JobOutcome> {
  return withJobContext(options, (deps, { job, run }) => resumeJob(job, deps, run));
}
