/** Whether a job belongs to the team whose collections a key sees. */
import type { Collection } from '../../api/schemas.ts';
import type { JobRecord } from '../../ledger/ledger.ts';

/** Some collections of the job may have been removed: one that still exists identifies the team. */
export function isOfTeam(
  { collections, plan }: Pick<JobRecord, 'collections' | 'plan'>,
  seen: readonly Collection[],
): boolean {
  const its = [...Object.values(collections), ...(plan.teamCollections ?? [])].map((id) => id.toLowerCase());
  const there = new Set(seen.map(({ id }) => id.toLowerCase()));
  return its.length === 0 || its.some((id) => there.has(id));
}
