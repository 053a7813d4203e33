/**
 * Names that are probably spellings of one name: equal except for case, accents, spaces, punctuation and word order, or
 * one letter apart. Digits must match ("Series 1" and "Series 2" are different), and one letter counts only in names of
 * eight letters or more.
 */
import { closeGroups, type Edits } from '../mapping/close-names.ts';
import { fold } from '../mapping/fold.ts';

const edits: Edits = (length) => (length < 8 ? 0 : 1);

/** Spellings of one name, most frequent first. */
export interface SimilarNames {
  spellings: { name: string; items: number }[];
  items: number;
}

/**
 * @param names name as written → number of items
 * @param by `case`: only names that `--where` treats as equal
 */
export function similarNames(names: ReadonlyMap<string, number>, by: 'all' | 'case' = 'all'): SimilarNames[] {
  const spellings = Map.groupBy(names.keys(), by === 'all' ? folded : inOneCase);
  const keys = [...spellings.keys()];
  const { groups } =
    by === 'all' ? closeGroups(keys, digits, edits) : { groups: keys.map((_, index) => [index]) };
  return groups
    .map((members) => {
      const all = members.flatMap((index) => spellings.get(keys[index] ?? '') ?? []);
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

function digits(name: string): string {
  return name.replaceAll(/\D/g, '');
}
