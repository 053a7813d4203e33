/** Changes in bulk as library functions: the same as `set`, `jobs apply`, `jobs undo` and `jobs show --changes`. */
import { openLedger } from '../../ledger/open-ledger.ts';
import { setItems, type SetRequest } from '../changes/set-items.ts';
import { type JobContext, withJobContext } from './job-context.ts';
import { applyJob } from './jobs.ts';
import type { RunOptions } from '../options.ts';
import { type ChangeRow, changeRows } from '../review/change-rows.ts';
import type { JobOutcome } from '../results/summary.ts';
import { undoJob, type UndoRequest } from '../undo/undo-job.ts';

/**
 * Makes the same change to many items, where they differ from it: `changes: ['status=sold'], status: ['sell']`.
 *
 * @throws UsageError, SheetError for a request that cannot be used: nothing was sent then
 */
export function changeItems(options: SetRequest & JobContext): Promise<JobOutcome> {
  return withJobContext(options, (deps, request) => setItems(request, deps));
}

/**
 * Sends exactly what a dry run has planned; items that somebody has changed since are held (`run.onDrift`).
 *
 * @param options.job id, unique beginning of one, or `last`
 */
export function applyPlan(options: { job: string; run?: RunOptions } & JobContext): Promise<JobOutcome> {
  return withJobContext(options, (deps, { job, run }) => applyJob(job, deps, run));
}

/** Takes back what a job has written, where nobody has changed it since; created items are archived. */
export function undoChanges(options: { job: string } & UndoRequest & JobContext): Promise<JobOutcome> {
  return withJobContext(options, (deps, { job, ...request }) => undoJob(job, deps, request));
}

/** The rows of a job in batches, in the order of the file: what each item was, and what it becomes or became. */
export async function* jobChanges(options: {
  job: string;
  store: string;
}): AsyncGenerator<ChangeRow[], void> {
  await using ledger = await openLedger(options.store);
  yield* changeRows(await ledger.jobs.find(options.job), ledger);
}
