/**
 * Finds names that differ by a typing error, without comparing every pair.
 *
 * Two texts at most k edits apart share one of the k + 1 pieces of the shorter one, at nearly the same place. So names
 * are indexed by pieces, and only those that share one are compared (Li, Deng, Feng: Pass-Join, 2011).
 */
import { distance } from 'fastest-levenshtein';

/** Pieces that more names than this share are ignored. */
const MAX_SHARING = 50;

/** How many edits of a name count as typing errors. @param length of the shorter of two names */
export type Edits = (length: number) => number;

/** None in a short name, which one edit turns into a different word. */
export const editsForgiven: Edits = (length) => (length < 5 ? 0 : length < 10 ? 1 : 2);

/**
 * Groups the indices of names that are close, directly or through others. Each index is in one group.
 *
 * @param blockOf names of different blocks are never close. Numbers in names distinguish toys of a series
 *   (`No. 1` and `No. 2`), so they belong to the block.
 */
export function closeGroups(
  names: readonly string[],
  blockOf: (name: string, index: number) => string,
  edits: Edits = editsForgiven,
): { groups: number[][]; compared: number } {
  const parents = names.map((_, index) => index);
  const rootOf = (index: number): number => {
    let root = index;
    while (parents[root] !== root) root = parents[root] ?? root;
    parents[index] = root;
    return root;
  };
  let compared = 0;
  const blocks = Map.groupBy(names.keys(), (index) => blockOf(names[index] ?? '', index));
  for (const block of blocks.values()) {
    const found = closePairs(
      block.map((index) => names[index] ?? ''),
      edits,
    );
    compared += found.compared;
    for (const [a, b] of found.pairs) parents[rootOf(block[a] ?? 0)] = rootOf(block[b] ?? 0);
  }
  return { groups: [...Map.groupBy(names.keys(), rootOf).values()], compared };
}

/** Pairs of indices of names that differ by at most the allowed edits, and how many pairs were compared. */
export function closePairs(
  names: readonly string[],
  edits: Edits = editsForgiven,
): { pairs: [number, number][]; compared: number } {
  const order = names
    .map((_, index) => index)
    .sort((a, b) => (names[a]?.length ?? 0) - (names[b]?.length ?? 0));
  const pieces = new Map<number, Map<string, number[]>>();
  const pairs: [number, number][] = [];
  let compared = 0;
  for (const index of order) {
    const name = names[index] ?? '';
    const tried = new Set<number>();
    for (const { place, text } of lookups(name, edits)) {
      for (const other of pieces.get(place)?.get(text) ?? []) {
        if (tried.has(other)) continue;
        tried.add(other);
        compared += 1;
        const shorter = names[other] ?? '';
        if (distance(shorter, name) <= edits(shorter.length)) pairs.push([other, index]);
      }
    }
    for (const { place, text } of cut(name, edits(name.length))) {
      let there = pieces.get(place);
      if (there === undefined) pieces.set(place, (there = new Map()));
      const known = there.get(text);
      if (known === undefined) there.set(text, [index]);
      else if (known.length < MAX_SHARING) known.push(index);
    }
  }
  return { pairs, compared };
}

/** A piece's text, and one number for its position and the length of its name. */
interface Piece {
  place: number;
  text: string;
}

function placeOf(length: number, at: number): number {
  return length * 4096 + at;
}

/** The pieces of a name, one more than its allowed edits; none if no edits are allowed. */
function cut(name: string, edits: number): Piece[] {
  if (edits === 0) return [];
  const count = edits + 1;
  return Array.from({ length: count }, (_, piece) => {
    const at = Math.floor((piece * name.length) / count);
    return {
      place: placeOf(name.length, at),
      text: name.slice(at, Math.floor(((piece + 1) * name.length) / count)),
    };
  });
}

/**
 * The possible places of pieces of a name that is no longer than this one. Edits before a piece shift it, and edits
 * after it must account for the rest of the difference in length, so few places are possible.
 */
function* lookups(name: string, editsOf: Edits): Generator<Piece> {
  for (let length = name.length - editsOf(name.length); length <= name.length; length += 1) {
    const edits = editsOf(length);
    const longer = name.length - length;
    if (edits === 0 || longer > edits) continue;
    for (let piece = 0; piece <= edits; piece += 1) {
      const at = Math.floor((piece * length) / (edits + 1));
      const size = Math.floor(((piece + 1) * length) / (edits + 1)) - at;
      const least = Math.max(-piece, longer - (edits - piece), -at);
      const most = Math.min(piece, longer + (edits - piece), name.length - size - at);
      for (let shift = least; shift <= most; shift += 1) {
        const from = at + shift;
        yield { place: placeOf(length, at), text: name.slice(from, from + size) };
      }
    }
  }
}
