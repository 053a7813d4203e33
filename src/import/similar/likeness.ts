/**
 * Compares items by name, brand, series and year, ignoring case, accents, spaces and punctuation, except between digits:
 * scale 1:8 is not scale 18.
 */
import { fold } from '../../mapping/fold.ts';

type Value = string | number | null | undefined;

/** The compared fields. */
export const LIKENESS = ['name', 'brand', 'series', 'release_year'] as const;

export interface Looks {
  name?: Value;
  brand?: Value;
  series?: Value;
  release_year?: Value;
}

/** Items with equal keys look the same. */
export function likenessKey(item: Looks): string {
  return `${foldedName(item)}\n${surroundings(item)}`;
}

export function foldedName({ name }: Looks): string {
  return typeof name === 'string' ? folded(name) : '';
}

/** All compared fields except the name. */
export function surroundings({ brand, series, release_year }: Looks): string {
  return [brand, series, release_year]
    .map((value) => (value === null || value === undefined ? '' : folded(String(value))))
    .join('\n');
}

function folded(text: string): string {
  // Compatible forms first: ½ is 1⁄2.
  const parts = text.normalize('NFKD').split(/(?<=\p{N})[^\p{L}\p{N}]+(?=\p{N})/u);
  return parts.map(fold).join(' ');
}
