import { UsageError } from '../../base/errors.ts';
import type { JobRecord, Ledger } from '../../ledger/ledger.ts';
import type { Run } from './run.ts';
import { Runs } from './runs.ts';

/**
 * Finds what an id names: a job, a worker's run, or an import's run and its job.
 * @throws UsageError `no_such_job` if there is neither, `ambiguous_job`
 */
export async function findEither(reference: string, ledger: Ledger): Promise<{ job?: JobRecord; run?: Run }> {
  const runs = new Runs(ledger);
  const named = await runs.get(reference);
  try {
    const job = await ledger.jobs.find(reference);
    const run = named ?? (await runs.get(job.id));
    return { job, ...(run === undefined ? {} : { run }) };
  } catch (error) {
    if (named === undefined || !(error instanceof UsageError)) throw error;
    return { run: named };
  }
}
