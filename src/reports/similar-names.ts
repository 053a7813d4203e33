/**
 * Names that are probably spellings of one name: equal except for case, accents, spaces, punctuation and word
 * order, or one letter apart. Digits must match ("Series 1" and "Series 2" are two things), and one letter counts
 * only in names of eight letters or more.
 *
 * Comparing every pair would take a billion steps for 50,000 names. Two texts that are one letter apart share their
 * first or second half, so only names that share a half are compared.
 */
import { distance } from 'fastest-levenshtein';
import { fold } from '../mapping/fold.ts';

const SHORTEST = 8;
/** How many names that share a half are compared; the rest only by their other half. */
const MOST_ALIKE = 300;

/** Spellings of one name, most frequent first. */
export interface SimilarNames {
  spellings: { name: string; items: number }[];
  items: number;
}

/**
 * @param names name as written → number of items
 * @param by `case`: only those that `--where` takes for one
 */
export function similarNames(names: ReadonlyMap<string, number>, by: 'all' | 'case' = 'all'): SimilarNames[] {
  const spellings = Map.groupBy(names.keys(), by === 'all' ? folded : inOneCase);
  const joined = new Groups();
  if (by === 'all') for (const [a, b] of oneLetterApart([...spellings.keys()])) joined.join(a, b);
  const groups = Map.groupBy(spellings, ([key]) => joined.of(key));
  return [...groups.values()]
    .map((members) => {
      const all = members.flatMap(([, written]) => written);
      const each = all.map((name) => ({ name, items: names.get(name) ?? 0 }));
      return {
        spellings: each.sort((a, b) => b.items - a.items || (a.name < b.name ? -1 : 1)),
        items: each.reduce((sum, { items }) => sum + items, 0),
      };
    })
    .filter((group) => group.spellings.length > 1)
    .sort((a, b) => b.items - a.items);
}

function inOneCase(name: string): string {
  return name.trim().normalize('NFC').toLowerCase();
}

function folded(name: string): string {
  return name
    .split(/[\s\p{P}]+/u)
    .map(fold)
    .filter((word) => word !== '')
    .sort()
    .join('');
}

function* oneLetterApart(names: readonly string[]): Generator<[string, string]> {
  const byLength = Map.groupBy(
    names.filter((name) => name.length >= SHORTEST),
    (name) => name.length,
  );
  for (const [length, shorter] of byLength) {
    const half = Math.floor(length / 2);
    const longer = byLength.get(length + 1) ?? [];
    for (const sameHalf of [
      (name: string) => `<${name.slice(0, half)}`,
      (name: string) => `>${name.slice(half - length)}`,
    ]) {
      const buckets = Map.groupBy([...shorter, ...longer], (name) => sameHalf(name) + digits(name));
      for (const bucket of buckets.values()) yield* pairs(bucket.slice(0, MOST_ALIKE), length);
    }
  }
}

/** Pairs in which at least one name has `length` characters. */
function* pairs(bucket: readonly string[], length: number): Generator<[string, string]> {
  for (const [index, a] of bucket.entries()) {
    for (const b of bucket.slice(index + 1)) {
      if (a.length !== length && b.length !== length) continue;
      if (distance(a, b) === 1) yield [a, b];
    }
  }
}

function digits(name: string): string {
  return name.replaceAll(/\D/g, '');
}

/** Groups names that are connected directly or through others. */
class Groups {
  readonly #parents = new Map<string, string>();

  of(name: string): string {
    let root = name;
    for (let up = this.#parents.get(root); up !== undefined; up = this.#parents.get(root)) root = up;
    return root;
  }

  join(a: string, b: string): void {
    const [x, y] = [this.of(a), this.of(b)];
    if (x !== y) this.#parents.set(x, y);
  }
}
