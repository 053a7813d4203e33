import { createHash } from 'node:crypto';
import { z } from 'zod';
import { MissingScopeError } from '../../api/errors.ts';
import type { Collection } from '../../api/schemas.ts';
import { readPasses } from '../../listing/read-passes.ts';
import type { ExportSource } from './source.ts';

/** The team that a file belongs to, identified by its collections, which no two teams share. */
export interface Team {
  /** SHA-256 of the sorted ids of its collections, lower-case hex. It changes when a collection is added. */
  fingerprint: string;
  collections: number;
}

/** Identifies a team in the store. */
export const TeamMark = z.object({
  /** Hash of address and key. */
  laneId: z.string(),
  /** Sorted ids of its collections in lower case; null if the key may not read them. */
  collections: z.array(z.string()).nullable(),
});
export type TeamMark = z.infer<typeof TeamMark>;

/** The team as a manifest names it; null if it has no collections, or if the key may not read them. */
export function teamOf({ collections }: TeamMark): Team | null {
  if (collections === null || collections.length === 0) return null;
  const fingerprint = createHash('sha256').update(collections.join('\n')).digest('hex');
  return { fingerprint, collections: collections.length };
}

/**
 * A key belongs to one team. For two keys, only their collections tell: undefined if those of one are not known.
 * Collections are added and removed, so one in common is enough.
 */
export function sameMark(a: TeamMark, b: TeamMark): boolean | undefined {
  if (a.laneId === b.laneId) return true;
  const [some, others] = [a.collections ?? [], b.collections ?? []];
  return some.length === 0 || others.length === 0 ? undefined : some.some((id) => others.includes(id));
}

/** Equal for all keys of a team that read its collections at the same time. */
export function keyOfTeam({ collections, laneId }: TeamMark): string {
  return collections?.[0] ?? laneId;
}

/** The mark of the team that the source's key belongs to. */
export async function markOf(source: Pick<ExportSource, 'collections' | 'api'>): Promise<TeamMark> {
  const { laneId } = source.api;
  const ids: string[] = [];
  const add = async (collections: readonly Collection[]) => {
    ids.push(...collections.map(({ id }) => id.toLowerCase()));
  };
  try {
    await readPasses({ load: source.collections, sink: { add } });
  } catch (error) {
    if (!(error instanceof MissingScopeError)) throw error;
    return { laneId, collections: null };
  }
  return { laneId, collections: ids.sort() };
}
