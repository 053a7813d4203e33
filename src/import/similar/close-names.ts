/**
 * Finds names that differ by a typing error, without comparing every pair.
 *
 * Two texts at most k edits apart share one of the k + 1 pieces of the shorter one, at nearly the same place. So names
 * are indexed by pieces, and only those that share one are compared (Li, Deng, Feng: Pass-Join, 2011).
 */
import { distance } from 'fastest-levenshtein';

/** Pieces that more names than this share are ignored. */
const MOST_SHARING = 50;

/** Allowed edits: none in a short name, where one edit makes another word. */
export function editsForgiven(length: number): number {
  return length < 5 ? 0 : length < 10 ? 1 : 2;
}

export interface CloseNames {
  /** Pairs of indices of names that differ by at most the allowed edits. */
  pairs: [number, number][];
  /** Number of compared pairs. */
  compared: number;
}

/** @param names distinct texts; the caller compares numbers in them, as `No. 1` and `No. 2` are two toys */
export function closeNames(names: readonly string[]): CloseNames {
  const order = names
    .map((_, index) => index)
    .sort((a, b) => (names[a]?.length ?? 0) - (names[b]?.length ?? 0));
  const pieces = new Map<string, number[]>();
  const pairs: [number, number][] = [];
  let compared = 0;
  for (const index of order) {
    const name = names[index] ?? '';
    const tried = new Set<number>();
    for (const key of lookups(name)) {
      for (const other of pieces.get(key) ?? []) {
        if (tried.has(other)) continue;
        tried.add(other);
        compared += 1;
        const shorter = names[other] ?? '';
        if (distance(shorter, name) <= editsForgiven(shorter.length)) pairs.push([other, index]);
      }
    }
    for (const { at, text } of cut(name)) {
      const key = `${name.length} ${at} ${text}`;
      const known = pieces.get(key);
      if (known === undefined) pieces.set(key, [index]);
      else if (known.length < MOST_SHARING) known.push(index);
    }
  }
  return { pairs, compared };
}

/** The pieces of a name, one more than its allowed edits; none if no edits are allowed. */
function cut(name: string): { at: number; text: string }[] {
  const edits = editsForgiven(name.length);
  if (edits === 0) return [];
  const count = edits + 1;
  return Array.from({ length: count }, (_, piece) => {
    const at = Math.floor((piece * name.length) / count);
    return { at, text: name.slice(at, Math.floor(((piece + 1) * name.length) / count)) };
  });
}

/**
 * The possible places of pieces of a name that is no longer than this one. Edits before a piece shift it, and those
 * after it must make up for the rest of the difference in length: few places are possible.
 */
function* lookups(name: string): Generator<string> {
  for (let length = name.length - editsForgiven(name.length); length <= name.length; length += 1) {
    const edits = editsForgiven(length);
    const longer = name.length - length;
    if (edits === 0 || longer > edits) continue;
    for (let piece = 0; piece <= edits; piece += 1) {
      const at = Math.floor((piece * length) / (edits + 1));
      const size = Math.floor(((piece + 1) * length) / (edits + 1)) - at;
      const least = Math.max(-piece, longer - (edits - piece), -at);
      const most = Math.min(piece, longer + (edits - piece), name.length - size - at);
      for (let shift = least; shift <= most; shift += 1) {
        const from = at + shift;
        yield `${length} ${at} ${name.slice(from, from + size)}`;
      }
    }
  }
}
