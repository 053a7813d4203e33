/** Whether a job belongs to the team whose collections the key sees. */
import type { JobRecord } from './ledger.ts';

/**
 * One collection that still exists identifies the team, because the others may have been removed.
 *
 * @param seen ids of all collections of the key's team
 */
export function isOfTeam(
  { collections, plan }: Pick<JobRecord, 'collections' | 'plan'>,
  seen: readonly string[],
): boolean {
  const its = [...Object.values(collections), ...(plan.teamCollections ?? [])].map((id) => id.toLowerCase());
  const there = new Set(seen.map((id) => id.toLowerCase()));
  return its.length === 0 || its.some((id) => there.has(id));
}
