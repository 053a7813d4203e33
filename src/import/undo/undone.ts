/** Items that an undo has archived no longer exist for later imports, nor for the store. */
import type { Item } from '../../api/schemas.ts';
import type { JobRecord, Ledger } from '../../ledger/ledger.ts';

/** The custom field that marks an item as archived by an undo. */
export const UNDONE = 'shelflift_undone';

/** Key space in the store: undo jobs that are noted completely. */
const SPACE = 'undone';

/** True if an undo has archived the item, and nobody has taken it out of the archive since. */
export function isUndone({ status, custom_fields: custom }: Pick<Item, 'status' | 'custom_fields'>): boolean {
  return status === 'archived' && custom?.[UNDONE] !== undefined;
}

/** Cancels what is left of a job that is taken back, before the first change of its undo goes out. */
export async function cancelUndone(undo: JobRecord, ledger: Ledger): Promise<void> {
  const { undoes } = undo.options;
  // What is left of a job that is taken back in part is still wanted.
  if (undoes === undefined || undo.options.undoesPart === true) return;
  const job = await ledger.jobs.find(undoes);
  if (job.state !== 'done' && job.state !== 'cancelled')
    await ledger.jobs.update(job.id, { state: 'cancelled' });
}

/** Notes what every undo of this target has taken back so far: one may have been killed before it did. */
export async function noteUndone(ledger: Ledger, apiUrl: string): Promise<void> {
  const jobs = await ledger.jobs.list();
  const byId = new Map(jobs.map((job) => [job.id, job]));
  // The oldest first: an undo may itself have been undone.
  for (const undo of jobs.reverse()) {
    if (undo.kind !== 'undo' || undo.apiUrl !== apiUrl || undo.firstSentAt === undefined) continue;
    if ((await ledger.values.get(SPACE, undo.id)) !== undefined) continue;
    const origin = originOf(undo, byId);
    if (origin === undefined) continue;
    await ledger.known.noteUndone(origin.job.id, undo.id, origin.isUndone);
    if (undo.state === 'done') await ledger.values.put(SPACE, [{ key: undo.id, value: origin.job.id }]);
  }
}

/** The job whose items an undo concerns, and whether they are undone now: an undo may be undone itself. */
function originOf(
  undo: JobRecord,
  jobs: ReadonlyMap<string, JobRecord>,
): { job: JobRecord; isUndone: boolean } | undefined {
  let job: JobRecord | undefined = undo;
  let isUndone = false;
  for (; job?.kind === 'undo'; isUndone = !isUndone) job = jobs.get(job.options.undoes ?? '');
  return job === undefined ? undefined : { job, isUndone };
}
