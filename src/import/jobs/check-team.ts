/**
 * A job continues only at the address and in the team where it began.
 *
 * A resume with another team's key must stop before it looks anything up or sends anything (design §2, Jobs): it would
 * find nothing, and would send every row again into the wrong inventory.
 */
import { NotFoundError } from '../../api/errors.ts';
import type { Collection } from '../../api/schemas.ts';
import { UsageError } from '../../base/errors.ts';
import { message } from '../../messages/message.ts';
import type { Action, Message } from '../../messages/params.ts';
import type { JobRecord } from '../../ledger/ledger.ts';
import { isOfTeam } from '../../ledger/team.ts';
import { loadCollections } from '../../api/load-collections.ts';
import type { JobDeps } from '../job/deps.ts';
import { OtherTargetError } from '../job/job-state-after-error.ts';

const ROWS_ASKED = 500;

/** @throws OtherTargetError `unauthorized` if the job belongs to another address */
export function checkAddress(job: JobRecord, { client }: Pick<JobDeps, 'client'>): void {
  if (client.target !== job.apiUrl)
    throw otherTarget(message('other_address', { job: job.id, address: job.apiUrl, target: client.target }));
}

/** @throws OtherTargetError `unauthorized` if the key belongs to another team, or the job to another address */
export async function checkTeam(job: JobRecord, deps: JobDeps): Promise<void> {
  checkAddress(job, deps);
  await checkKey(job, await loadCollections(deps.client, deps.signal), deps);
}

/**
 * Also checks the collections of the rows, for a job that sends next.
 *
 * @throws UsageError `unknown_collection` if a collection of its rows no longer exists
 */
export async function checkTargets(job: JobRecord, deps: JobDeps): Promise<void> {
  checkAddress(job, deps);
  const collections = await loadCollections(deps.client, deps.signal);
  await checkKey(job, collections, deps);
  const there = collections?.map(({ id }) => id.toLowerCase());
  for (const reference of await deps.ledger.rows.collectionReferences(job.id)) {
    const id = job.collections[reference ?? ''];
    if (id === undefined || there?.includes(id.toLowerCase()) !== false) continue;
    const name = reference ?? job.request.collection ?? id;
    const mend: Action = { do: 'mend', job: job.id, label: message('to_choose_collection', {}) };
    const said = message('collection_removed', { name, id, job: job.id }, mend);
    throw new UsageError('unknown_collection', said);
  }
}

async function checkKey(job: JobRecord, collections: Collection[] | undefined, deps: JobDeps): Promise<void> {
  const seen = collections?.map(({ id }) => id);
  if (seen !== undefined && isOfTeam(job, seen)) return;
  // The key may not list collections, or all of them are gone: an item of the job identifies the team as well.
  if ((await isItemThere(job, deps)) || collections === undefined) return;
  throw otherTarget(message('other_team', {}));
}

/**
 * Reads one item of the job; false if the job has no items yet.
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
      throw otherTarget(message('item_of_other_team', { item: row.itemId }));
    throw error;
  }
}

function otherTarget(said: Message): OtherTargetError {
  const actions: Action[] = [{ do: 'byHand', label: message('use_key_of_team', {}) }];
  return new OtherTargetError('unauthorized', said, { applied: 'no', actions });
}
