import { UsageError } from '../../base/errors.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Workspace } from './workspace.ts';

/** Forgets a plan. @returns false if some of it was sent, or is being sent: then everything stays as it is */
export async function discardPlan(id: string, workspace: Workspace): Promise<boolean> {
  if (workspace.run(id)?.isOver === false) return false;
  await workspace.ledger.jobs.discard(id, true);
  return isForgotten(id, workspace.ledger);
}

/** Whether the store has nothing of a job that anybody could still need the file for. */
export async function isForgotten(id: string, { jobs }: Pick<Ledger, 'jobs'>): Promise<boolean> {
  try {
    return (await jobs.find(id)).prunedAt !== undefined;
  } catch (error) {
    if (error instanceof UsageError && error.code === 'no_such_job') return true;
    throw error;
  }
}
