/**
 * An import from file to results: stage → plan → write (with settling) → results. Reads as the pipeline; each
 * stage is a file of its own beside this one, and begin.ts frames the last two.
 */
import type { JobRecord } from '../ledger/ledger.ts';
import type { ImportDeps } from './deps.ts';
import { interruptedOr } from './interrupted.ts';
import type { ImportRequest } from './options.ts';
import { checkPlanFile } from './review/write-plan.ts';
import { runStaged } from './run-staged.ts';
import { stageFile } from './stage/stage.ts';
import type { JobOutcome } from './results/summary.ts';

/**
 * Imports a spreadsheet: exactly once for each row, whatever happens in between.
 *
 * @throws SheetError and UsageError when nothing was sent and no job was made
 */
export async function importFile(request: ImportRequest, deps: ImportDeps): Promise<JobOutcome> {
  const { ledger, client, signal, emit } = deps;
  if (request.run?.plan !== undefined) checkPlanFile(request.run.plan, request.file);
  let job: JobRecord;
  try {
    const { confirm } = deps;
    job = await stageFile(request, {
      ledger,
      apiUrl: client.target,
      signal,
      emit,
      ...(confirm === undefined ? {} : { confirm }),
    });
  } catch (error) {
    throw interruptedOr(error, signal);
  }
  const run = request.run ?? {};
  return runStaged(job, deps, {
    ...run,
    skipInvalid: request.skipInvalid === true || run.skipInvalid === true,
  });
}
