/** How a job enters the ledger: with all of its rows, or not at all. */
import type { JobRequest } from '../../ledger/job-parts.ts';
import type { JobPatch, JobRecord, Ledger, NewJob, NewRow } from '../../ledger/ledger.ts';
import { newJobId } from './job-id.ts';

/** A job that changes items which are known by their ids. */
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
 * Nobody sees the job before all of its rows are there; a kill leaves nothing.
 *
 * @param stage writes the rows, and returns what is known only after the last one
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

/** A row that changes an item; it asks for nothing yet. */
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
