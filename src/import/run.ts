/**
 * An import from file to results: stage → plan → write (with settling) → results. Reads as the pipeline; each
 * stage is a file of its own beside this one, and begin.ts frames the last two.
 */
import { ShelfliftError } from '../errors.ts';
import type { JobRecord } from '../ledger/ledger.ts';
import { begin } from './begin.ts';
import type { ImportDeps } from './deps.ts';
import { interruptedOr } from './interrupted.ts';
import type { ImportRequest } from './options.ts';
import { failed, planned } from './outcome.ts';
import { outlast } from './outlast.ts';
import { planJob } from './plan.ts';
import { stageFile } from './stage.ts';
import { stateAfter } from './standstill.ts';
import type { JobOutcome } from './summary.ts';

/**
 * Imports a spreadsheet: exactly once for each row, whatever happens in between.
 *
 * @throws SheetError and UsageError when nothing was sent and no job was made
 */
export async function importFile(request: ImportRequest, deps: ImportDeps): Promise<JobOutcome> {
  const { ledger, client, signal, emit } = deps;
  let job: JobRecord;
  try {
    job = await stageFile(request, { ledger, apiUrl: client.target, signal, emit });
  } catch (error) {
    throw interruptedOr(error, signal);
  }
  const run = request.run ?? {};
  try {
    const staged = job;
    job = await outlast(deps, run, () => planJob(staged, deps));
  } catch (thrown) {
    const error = interruptedOr(thrown, signal);
    // Nothing was sent, and a wrong command leaves no job behind; a plan that could not be made does.
    if (!(error instanceof ShelfliftError) || stateAfter(error) === undefined || job.dryRun) {
      await ledger.discardJob(job.id);
      throw error;
    }
    return failed(job, deps, error);
  }
  if (job.dryRun) return planned(job, deps);
  return begin(job, deps, { ...run, skipInvalid: request.skipInvalid === true || run.skipInvalid === true });
}
