/**
 * Names that differ by a slip of the pen, found without comparing each with each.
 *
 * Two texts at most k edits apart share one of k + 1 pieces of the shorter one, at nearly the same place: so each
 * name is looked up by pieces, and only what shares one is measured (Li, Deng, Feng: Pass-Join, 2011).
 */
import { distance } from 'fastest-levenshtein';

/** A piece that more names than this share says nothing; those names are not compared by it. */
const MOST_SHARING = 50;

/** Edits that are forgiven: none in a short name, where one makes another word. */
export function editsForgiven(length: number): number {
  return length < 5 ? 0 : length < 10 ? 1 : 2;
}

export interface CloseNames {
  /** Pairs of indices, each with at most the forgiven edits between them. */
  pairs: [number, number][];
  /** How many names were measured against each other. */
  compared: number;
}

/** @param names different texts; numbers in them are compared by the caller, for `No. 1` and `No. 2` are two toys */
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

/** The pieces of a name, one more than its forgiven edits; none where none are forgiven. */
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
 * Where pieces of a shorter or equally long name may stand in this one. A piece is shifted by the edits before it,
 * and what is left of them must make up for the difference in length behind it: few places are possible.
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
