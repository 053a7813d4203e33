/** Finds a collection by the id or name that a person wrote. */
import { nearest } from '../base/nearest.ts';
import { message } from '../messages/message.ts';
import type { Message } from '../messages/params.ts';
import type { Collection } from './schemas.ts';

const MAX_LISTED = 20;

/** Why a text does not name a collection. */
export interface CollectionProblem {
  code: 'unknown_collection' | 'ambiguous_collection';
  said: Message;
}

/**
 * Matches the id (ignoring case), or else the exact name, or else the name ignoring case and white space. A name must
 * belong to only one collection.
 *
 * @param collections every collection of the team, each once
 * @returns the id as the API writes it, or the problem, with the existing collections
 */
export function resolveCollection(
  collections: readonly Collection[],
  reference: string,
): { id: string } | CollectionProblem {
  const id = reference.trim().toLowerCase();
  const byId = collections.find((collection) => collection.id.toLowerCase() === id);
  if (byId !== undefined) return { id: byId.id };

  const exact = collections.filter((collection) => collection.name === reference);
  const folded = fold(reference);
  const found =
    exact.length > 0 ? exact : collections.filter((collection) => fold(collection.name) === folded);
  const [first, second] = found;
  if (first === undefined) {
    const near = nearest(
      reference.trim(),
      collections.map(({ name }) => name),
    );
    const params = { name: reference, ...choices(collections), ...(near === undefined ? {} : { near }) };
    return { code: 'unknown_collection', said: message('unknown_collection', params) };
  }
  if (second !== undefined) {
    const { first: ids, more } = cut(found.map((collection) => `${collection.id} ("${collection.name}")`));
    const params = { name: reference, found: found.length, ids, more };
    return { code: 'ambiguous_collection', said: message('ambiguous_collection', params) };
  }
  return { id: first.id };
}

function fold(name: string): string {
  return name.normalize('NFKC').toLowerCase().replaceAll(/\s+/gu, '');
}

/** The collections that a person can choose from. */
export function choices(collections: readonly Collection[]): { collections: string[]; more: number } {
  const { first, more } = cut(collections.map(({ name }) => name));
  return { collections: first, more };
}

function cut(entries: readonly string[]): { first: string[]; more: number } {
  const first = entries.slice(0, MAX_LISTED);
  return { first, more: entries.length - first.length };
}
