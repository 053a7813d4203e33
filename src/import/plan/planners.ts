/** What is special about each kind of job. Everything else is the same for all of them (ARCHITECTURE.md, A new kind of job). */
import type { JobPlan } from '../../ledger/job-parts.ts';
import type { JobKind, JobRecord } from '../../ledger/ledger.ts';
import type { JobDeps } from '../job/deps.ts';
import { isSelection } from '../job/job-kinds.ts';
import { planUndo } from '../undo/plan-undo.ts';
import { writeDeletions } from '../undo/write-deletions.ts';
import { planUpdates } from './plan-updates.ts';

export interface Planner {
  /**
   * Turns the staged rows into what will be sent: creates, and updates of items as they are now. Nothing is written to the
   * API. Called again after a kill, and after a mend; rows that were sent stay as they are.
   *
   * @returns what the job keeps of its plan
   */
  plan: (job: JobRecord, deps: JobDeps) => Promise<Partial<JobPlan>>;
  /** Files beside the results, once the job has sent what it could: name → path. */
  files?: (job: JobRecord, deps: JobDeps) => Promise<Record<string, string>>;
}

export const PLANNERS: Record<JobKind, Planner> = {
  import: { plan: async (job, deps) => (job.mode === 'create' ? {} : planUpdates(job, deps)) },
  set: {
    // The rows of a selection were planned as the list was read.
    plan: async (job, deps) => (isSelection(job) ? {} : planUpdates(job, deps)),
  },
  undo: { plan: planUndo, files: writeDeletions },
};
