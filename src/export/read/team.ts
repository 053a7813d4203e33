import { createHash } from 'node:crypto';

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
