/**
 * A job goes on only where it began: at its address, in its team.
 *
 * A resume with another team's key must stop before anything is settled or sent (DESIGN §2, Jobs): a lookup
 * there would find nothing, and every row would be sent again into the wrong inventory.
 */
import { NotFoundError, UnauthorizedError } from '../../api/errors.ts';
import type { JobRecord } from '../../ledger/ledger.ts';
import { loadCollections } from '../plan/collections.ts';
import type { ImportDeps } from '../deps.ts';
import type { JobOptions } from '../options.ts';

const ROWS_ASKED = 500;

/** The run would go to another target than the job's: nothing of the job is touched, not even its state. */
export class OtherTargetError extends UnauthorizedError {}

/** @throws OtherTargetError `unauthorized` when the job is of another address */
export function checkAddress(job: JobRecord, { client }: Pick<ImportDeps, 'client'>): void {
  if (client.target !== job.apiUrl)
    throw otherTarget(`job ${job.id} belongs to ${job.apiUrl}, and this run would go to ${client.target}`);
}

/** @throws OtherTargetError `unauthorized` when the key is of another team, or the job of another address */
export async function checkTeam(job: JobRecord, deps: ImportDeps): Promise<void> {
  const { client, signal } = deps;
  checkAddress(job, deps);
  const { teamCollections = [] } = job.options as unknown as JobOptions;
  const used = Object.values(job.collections).map((id) => id.toLowerCase());
  const collections = await loadCollections(client, signal);
  if (collections !== undefined) {
    const known = new Set(collections.map((collection) => collection.id.toLowerCase()));
    const missing = used.find((id) => !known.has(id));
    if (missing !== undefined)
      throw otherTarget(`the job's collection ${missing} is not one of this key's team`);
    // Of the collections that the items of an update lie in, one may have been removed since; not all of them.
    if (teamCollections.length > 0 && !teamCollections.some((id) => known.has(id)))
      throw otherTarget("none of the collections of the job's items is one of this key's team");
    return;
  }
  // The key may not list collections: an item of the job tells as much.
  const rows = await deps.ledger.rows(job.id, { states: ['done', 'planned', 'unknown'], limit: ROWS_ASKED });
  const row = rows.find((each) => each.itemId !== null);
  if (row === undefined || row.itemId === null) return;
  try {
    await client.getItem(row.itemId, { signal });
  } catch (error) {
    if (error instanceof NotFoundError)
      throw otherTarget(`the job's item ${row.itemId} is not one of this key's team`);
    throw error;
  }
}

function otherTarget(message: string): OtherTargetError {
  return new OtherTargetError('unauthorized', message, {
    applied: 'no',
    remedy: 'Resume with a key of the same team and the same --api-url.',
  });
}
