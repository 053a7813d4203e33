import { UsageError } from '../../base/errors.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Workspace } from './workspace.ts';

/** Forgets a plan. @returns false if rows were sent or are being sent: then everything stays as it is */
export async function discardPlan(id: string, workspace: Workspace): Promise<boolean> {
  if (workspace.run(id)?.isOver === false) return false;
  await workspace.ledger.jobs.discard(id, true);
  return isForgotten(id, workspace.ledger);
}

/** Whether nothing in the store needs the file of a job any more. */
export async function isForgotten(id: string, { jobs }: Pick<Ledger, 'jobs'>): Promise<boolean> {
  try {
    return (await jobs.find(id)).prunedAt !== undefined;
  } catch (error) {
    if (error instanceof UsageError && error.code === 'no_such_job') return true;
    throw error;
  }
}
