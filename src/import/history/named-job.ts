/** The job that one of our own files names, if the store still knows the rows of the file. */
import type { JobRecord } from '../../ledger/ledger.ts';
import type { JobDeps } from '../job/deps.ts';
import { Reversals } from './reversals.ts';

export interface NamedJob {
  job: JobRecord;
  /** True if its undo has begun: then the file is imported like any other. */
  isUndone: boolean;
  reversals: Reversals;
}

/** Undefined for a job of another store or target, and for a job whose rows were pruned. */
export async function namedJob(
  id: string,
  { ledger, client }: Pick<JobDeps, 'ledger' | 'client'>,
): Promise<NamedJob | undefined> {
  const [job] = await ledger.jobs.list(1, { ids: [id] });
  if (job?.apiUrl !== client.target || job.prunedAt !== undefined) return undefined;
  const reversals = await Reversals.open(ledger);
  return { job, isUndone: reversals.undoOf(id) !== undefined, reversals };
}
