/**
 * A job continues only where it began: at its address, in its team.
 *
 * A resume with another team's key must stop before it looks anything up or sends anything (design §2, Jobs): it would
 * find nothing, and would send every row again into the wrong inventory.
 */
import { NotFoundError } from '../../api/errors.ts';
import type { JobRecord } from '../../ledger/ledger.ts';
import { loadCollections } from '../items/collections.ts';
import type { JobDeps } from '../job/deps.ts';
import { OtherTargetError } from '../job/job-state-after-error.ts';

const ROWS_ASKED = 500;

/** @throws OtherTargetError `unauthorized` if the job belongs to another address */
export function checkAddress(job: JobRecord, { client }: Pick<JobDeps, 'client'>): void {
  if (client.target !== job.apiUrl)
    throw otherTarget(`Job ${job.id} belongs to ${job.apiUrl}, and this run would go to ${client.target}.`);
}

/** @throws OtherTargetError `unauthorized` if the key belongs to another team, or the job to another address */
export async function checkTeam(job: JobRecord, deps: JobDeps): Promise<void> {
  const { client, signal } = deps;
  checkAddress(job, deps);
  const { teamCollections = [] } = job.options;
  const used = Object.values(job.collections).map((id) => id.toLowerCase());
  const collections = await loadCollections(client, signal);
  if (collections !== undefined) {
    const known = new Set(collections.map((collection) => collection.id.toLowerCase()));
    const left = await deps.ledger.rows.collectionReferences(job.id);
    const needed = left.map((reference) => job.collections[reference ?? '']?.toLowerCase());
    const gone = needed.find((id) => id !== undefined && !known.has(id));
    if (gone !== undefined)
      throw otherTarget(`The job's collection ${gone} does not belong to this key's team.`);
    // Collections that no row needs any more may have been removed. One that still exists identifies the team.
    const its = [...used, ...teamCollections];
    if (its.length === 0 || its.some((id) => known.has(id))) return;
    if (await isItemThere(job, deps)) return;
    throw otherTarget("None of the job's collections belongs to this key's team.");
  }
  // The key may not list collections: an item of the job identifies the team as well.
  await isItemThere(job, deps);
}

/**
 * Asks for one item of the job; false if it has none yet.
 *
 * @throws OtherTargetError if the item does not exist
 */
async function isItemThere(job: JobRecord, { ledger, client, signal }: JobDeps): Promise<boolean> {
  const rows = await ledger.rows.list(job.id, { states: ['done', 'planned', 'unknown'], limit: ROWS_ASKED });
  const row = rows.find((each) => each.itemId !== null);
  if (row === undefined || row.itemId === null) return false;
  try {
    await client.getItem(row.itemId, { signal });
    return true;
  } catch (error) {
    if (error instanceof NotFoundError)
      throw otherTarget(`The job's item ${row.itemId} does not belong to this key's team.`);
    throw error;
  }
}

function otherTarget(message: string): OtherTargetError {
  return new OtherTargetError('unauthorized', message, {
    applied: 'no',
    remedy: 'Resume with a key of the same team, and the same --api-url.',
  });
}
