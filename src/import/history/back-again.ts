/**
 * Items that an undo has archived and somebody has restored since. Only a reading can tell, so exactly the items on
 * which a decision depends are read.
 */
import { MissingScopeError } from '../../api/errors.ts';
import { itemsById } from '../items/current-items.ts';
import type { JobDeps } from '../job/deps.ts';

/** The items that are not archived; undefined if the key may not read items. Ids are lower-case. */
export async function backAgain(
  ids: Iterable<string>,
  deps: JobDeps,
): Promise<ReadonlySet<string> | undefined> {
  try {
    const { items } = await itemsById(deps, ids, { patiently: deps.patiently });
    return new Set([...items].flatMap(([id, { status }]) => (status === 'archived' ? [] : [id])));
  } catch (error) {
    if (error instanceof MissingScopeError) return undefined;
    throw error;
  }
}
