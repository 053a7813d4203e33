/** The job that one of our own files names, as far as it says something about the rows of that file. */
import type { JobRecord } from '../../ledger/ledger.ts';
import type { JobDeps } from '../job/deps.ts';
import { Reversals } from './reversals.ts';

export interface NamedJob {
  job: JobRecord;
  /** Its undo has begun: the file is one like any other, and all of its rows are wanted. */
  isUndone: boolean;
  reversals: Reversals;
}

/** Undefined for a job of another store or target, and for one whose rows were pruned. */
export async function namedJob(
  id: string,
  { ledger, client }: Pick<JobDeps, 'ledger' | 'client'>,
): Promise<NamedJob | undefined> {
  const [job] = await ledger.jobs.list(1, { ids: [id] });
  if (job?.apiUrl !== client.target || job.prunedAt !== undefined) return undefined;
  const reversals = await Reversals.open(ledger);
  return { job, isUndone: reversals.undoOf(id) !== undefined, reversals };
}
