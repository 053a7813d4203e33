import { NotFoundError } from '../../api/errors.ts';
import type { JobDeps } from '../job/deps.ts';

/** Whether the API knows an item with this id. */
export async function itemExists(
  id: string,
  { client, signal }: Pick<JobDeps, 'client' | 'signal'>,
): Promise<boolean> {
  try {
    await client.getItem(id, { signal });
    return true;
  } catch (error) {
    if (error instanceof NotFoundError) return false;
    throw error;
  }
}
