/** The collections of a team. */
import type { ApiClient } from './client.ts';
import { MissingScopeError } from './errors.ts';
import type { Collection } from './schemas.ts';

/** Every collection of the team; undefined if the key is not allowed to list them. */
export async function loadCollections(
  client: Pick<ApiClient, 'collections'>,
  signal: AbortSignal,
): Promise<Collection[] | undefined> {
  try {
    const all = await Array.fromAsync(client.collections({ signal }));
    // A collection that somebody adds meanwhile moves others to the next page, where they are read again.
    return [...new Map(all.map((each) => [each.id, each])).values()];
  } catch (error) {
    if (error instanceof MissingScopeError) return undefined;
    throw error;
  }
}
