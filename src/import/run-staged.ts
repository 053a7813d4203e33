/** From a staged job to its end, wherever its rows came from: plan → (dry run, or guard → write → results). */
import { ShelfliftError } from '../errors.ts';
import type { JobRecord } from '../ledger/ledger.ts';
import { begin } from './begin.ts';
import { rehearseOwnRows, RowsSentBeforeError } from './known-rows/own-rows.ts';
import type { ImportDeps } from './deps.ts';
import { interruptedOr } from './interrupted.ts';
import type { RunOptions } from './options.ts';
import { failed, planned } from './results/outcome.ts';
import { outlast } from './write/outlast.ts';
import { ReadTimes } from './plan/read-times.ts';
import { planJob } from './plan/plan.ts';
import { settleSimilar } from './similar/check-similar.ts';
import { writePlan } from './review/write-plan.ts';
import { stateAfter } from './write/standstill.ts';
import type { JobOutcome } from './results/summary.ts';

/** @throws UsageError where the plan cannot be made: no job is left then */
export async function runStaged(staged: JobRecord, given: ImportDeps, run: RunOptions): Promise<JobOutcome> {
  const deps = { readTimes: new ReadTimes(), ...given };
  let job = staged;
  if (run.yes === true && !job.dryRun) {
    // Said once for the whole job: a resume after a kill does not ask again.
    job.options = { ...job.options, changesAgreed: true };
    await deps.ledger.jobs.update(job.id, { options: job.options });
  }
  try {
    job = await outlast(deps, run, () => planJob(staged, deps));
    if (run.plan !== undefined) {
      await writePlan(job, deps, run.plan, run);
      job = await deps.ledger.jobs.find(job.id);
    }
  } catch (thrown) {
    const error = interruptedOr(thrown, deps.signal);
    // Nothing was sent, and a wrong command leaves no job behind; a plan that could not be made does.
    if (!(error instanceof ShelfliftError) || stateAfter(error) === undefined || job.dryRun) {
      await deps.ledger.jobs.discard(job.id);
      throw error;
    }
    return failed(job, deps, error);
  }
  try {
    if (!job.dryRun) return await begin(job, deps, run);
    await settleSimilar(job, deps, run);
    await rehearseOwnRows(job, deps, run);
    return await planned(job, deps, run);
  } catch (error) {
    if (error instanceof RowsSentBeforeError) await deps.ledger.jobs.discard(job.id);
    throw error;
  }
}
