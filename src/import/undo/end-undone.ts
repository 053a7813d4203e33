import type { JobRecord, Ledger } from '../../ledger/ledger.ts';

/** A job that is taken back must not go on: what it has left is cancelled before the first change goes out. */
export async function endUndone(undo: JobRecord, ledger: Ledger): Promise<void> {
  const { undoes } = undo.options;
  if (undoes === undefined) return;
  const job = await ledger.jobs.find(undoes);
  if (job.state !== 'done' && job.state !== 'cancelled')
    await ledger.jobs.update(job.id, { state: 'cancelled' });
}
