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
    return await Array.fromAsync(client.collections({ signal }));
  } catch (error) {
    if (error instanceof MissingScopeError) return undefined;
    throw error;
  }
}
