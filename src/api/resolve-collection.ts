/** Finds a collection by the id or name that a person wrote. */
import { nearest } from '../nearest.ts';
import type { Collection } from './schemas.ts';

/** The most collections that a message lists. */
const LISTED_MAX = 20;

/**
 * Matches the exact id (in either case), else the exact name, else the name without regard to case and white space.
 * A name must belong to one collection only.
 *
 * @param collections every collection of the team, each once
 * @returns the id as the API writes it, or a sentence with the problem and the existing collections
 */
export function resolveCollection(
  collections: readonly Collection[],
  reference: string,
): { id: string } | { code: 'unknown_collection' | 'ambiguous_collection'; problem: string } {
  const id = reference.trim().toLowerCase();
  const byId = collections.find((collection) => collection.id.toLowerCase() === id);
  if (byId !== undefined) return { id: byId.id };

  const exact = collections.filter((collection) => collection.name === reference);
  const folded = fold(reference);
  const found =
    exact.length > 0 ? exact : collections.filter((collection) => fold(collection.name) === folded);
  const [first, second] = found;
  if (first === undefined) {
    return {
      code: 'unknown_collection',
      problem: `There is no collection "${reference}". ${choices(collections, reference)}`,
    };
  }
  if (second !== undefined) {
    const ids = found.map((collection) => `${collection.id} ("${collection.name}")`);
    return {
      code: 'ambiguous_collection',
      problem: `${found.length} collections are called "${reference}"; name one by its id: ${listed(ids)}.`,
    };
  }
  return { id: first.id };
}

function fold(name: string): string {
  return name.normalize('NFKC').toLowerCase().replaceAll(/\s+/gu, '');
}

/** The collections that a person can choose from: the one whose name is nearest first, then all. */
export function choices(collections: readonly Collection[], reference = ''): string {
  const names = collections.map(({ name }) => name);
  if (names.length === 0) return 'The team has no collections.';
  const meant = nearest(reference.trim(), names);
  return `${meant === undefined ? '' : `Did you mean "${meant}"? `}Choose a collection: ${listed(names)}.`;
}

function listed(entries: readonly string[]): string {
  const more = entries.length - LISTED_MAX;
  const text = entries.slice(0, LISTED_MAX).join(', ');
  return more > 0 ? `${text} and ${more} more` : text;
}
