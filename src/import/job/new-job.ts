/** Adds a job to the ledger with all of its rows, or not at all. */
import type { JobRequest } from '../../ledger/job-parts.ts';
import type { JobPatch, JobRecord, Ledger, NewJob, NewRow } from '../../ledger/ledger.ts';
import { newJobId } from './job-id.ts';

/** A job that changes items by their ids. */
export function newItemsJob(
  asked: Pick<NewJob, 'kind' | 'apiUrl' | 'source'> & { dryRun?: boolean | undefined },
  request: Omit<JobRequest, 'match' | 'force'>,
): NewJob {
  return {
    ...asked,
    id: newJobId(),
    mode: 'update',
    dryRun: asked.dryRun === true,
    request: { ...request, match: ['id'], force: false },
    plan: { noCollectionColumn: true, ownExport: false },
    collections: {},
    sheetRows: 0,
  };
}

/**
 * The job becomes visible once all of its rows are written; a kill before that leaves nothing.
 *
 * @param stage writes the rows, and returns the properties that are known only after the last row
 * @throws what `stage` throws; no job is left then
 */
export async function writeJob(
  job: NewJob,
  ledger: Ledger,
  stage: () => Promise<JobPatch>,
): Promise<JobRecord> {
  await ledger.jobs.create(job);
  try {
    await ledger.jobs.finishStaging(job.id, await stage());
  } catch (error) {
    await ledger.jobs.discard(job.id);
    throw error;
  }
  return ledger.jobs.find(job.id);
}

/** A row that updates an item, without any changes yet. */
export function newUpdate(row: Pick<NewRow, 'ordinal' | 'sheetRow' | 'source'> & Partial<NewRow>): NewRow {
  return {
    copy: 0,
    state: 'planned',
    action: 'update',
    input: null,
    operation: null,
    collection: null,
    itemId: null,
    issues: [],
    ...row,
  };
}
