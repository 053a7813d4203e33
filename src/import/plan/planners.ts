/**
 * The parts that differ between the kinds of job. Everything else is the same for all kinds (ARCHITECTURE.md, A new
 * kind of job).
 */
import type { JobPlan } from '../../ledger/job-parts.ts';
import type { JobKind, JobRecord } from '../../ledger/ledger.ts';
import type { JobDeps } from '../job/deps.ts';
import { isSelection } from '../job/job-kinds.ts';
import { planUndo } from '../undo/plan-undo.ts';
import { writeDeletions } from '../undo/write-deletions.ts';
import { planUpdates } from './plan-updates.ts';

export interface Planner {
  /**
   * Turns the staged rows into creates and into updates of the current items. Nothing is written to the API. It is
   * called again after a kill and after a correction; rows that were sent stay as they are.
   *
   * @returns the part of the plan that the job stores
   */
  plan: (job: JobRecord, deps: JobDeps) => Promise<Partial<JobPlan>>;
  /** Further files besides the results, once the job has sent its rows: name → path. */
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
