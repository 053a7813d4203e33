import { NotFoundError } from '../../api/errors.ts';
import type { JobDeps } from '../job/deps.ts';

/** Number of ids to try, spread evenly: some of the items may be gone. */
const IDS_TRIED = 10;

/** The first of these ids that the API knows, out of a few from the first to the last. */
export async function itemAmong(
  ids: readonly string[],
  { client, signal }: Pick<JobDeps, 'client' | 'signal'>,
): Promise<string | undefined> {
  const step = Math.max(1, (ids.length - 1) / (IDS_TRIED - 1));
  for (let at = 0; Math.round(at) < ids.length; at += step) {
    const id = ids[Math.round(at)] ?? '';
    try {
      await client.getItem(id, { signal });
      return id;
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
    }
  }
  return undefined;
}
