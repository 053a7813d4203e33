/**
 * Items that an undo has archived and somebody has taken out of the archive since: they are there again. Only a reading
 * tells, so it is made for the items on which a decision depends, and for no others.
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
    const { items } = await itemsById(deps, ids);
    return new Set([...items].flatMap(([id, { status }]) => (status === 'archived' ? [] : [id])));
  } catch (error) {
    if (error instanceof MissingScopeError) return undefined;
    throw error;
  }
}
