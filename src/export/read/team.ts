import { createHash } from 'node:crypto';
import { MissingScopeError } from '../../api/errors.ts';
import type { Collection } from '../../api/schemas.ts';
import { readPasses } from '../../listing/read-passes.ts';
import type { ExportSource } from './source.ts';

/** Which team a file is of, as far as its collections tell; two teams never share one. */
export interface Team {
  /** SHA-256 of the ids of its collections in order, lower-case hex. Changes when a collection is added. */
  fingerprint: string;
  collections: number;
}

/** @param ids in lower case, in order */
export function teamOf(ids: readonly string[]): Team {
  return { fingerprint: createHash('sha256').update(ids.join('\n')).digest('hex'), collections: ids.length };
}

/** Collections come and go; one that both have is enough. Where neither is known nothing tells teams apart. */
export function sameTeam(a: readonly string[], b: readonly string[]): boolean {
  return a.length === 0 ? b.length === 0 : a.some((id) => b.includes(id));
}

/** Ids of the team's collections in lower case; none where the key may not read them. */
export async function collectionIds(source: Pick<ExportSource, 'collections'>): Promise<string[]> {
  const ids: string[] = [];
  const add = async (collections: readonly Collection[]) => {
    ids.push(...collections.map(({ id }) => id.toLowerCase()));
  };
  try {
    await readPasses({ load: source.collections, sink: { add } });
  } catch (error) {
    if (!(error instanceof MissingScopeError)) throw error;
  }
  return ids;
}
