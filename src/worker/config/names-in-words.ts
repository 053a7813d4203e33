/** Names that somebody may have meant. */
import { distance } from 'fastest-levenshtein';
import { count } from '../../counted.ts';

/** Up to this many are all named. */
const FEW = 10;
const NEAREST = 3;

/** `a, b, c`; of many, those nearest to what was written: `s1, s10, s100 and 9,997 others`. */
export function namesInWords(names: readonly string[], written: string): string {
  if (names.length <= FEW) return names.join(', ');
  const nearest = names
    .map((name) => ({ name, edits: distance(name, written) }))
    .sort((a, b) => a.edits - b.edits)
    .slice(0, NEAREST);
  return `${nearest.map(({ name }) => name).join(', ')} and ${count(names.length - NEAREST)} others`;
}
