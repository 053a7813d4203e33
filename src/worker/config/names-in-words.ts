/** Names that somebody may have meant. */
import { count } from '../../base/counted.ts';
import { nearestOf } from '../../base/nearest.ts';

/** Up to this many are all named. */
const FEW = 10;
const NEAREST = 3;

/** `a, b, c`; of many, those nearest to what was written: `s1, s10, s100 and 9,997 others`. */
export function namesInWords(names: readonly string[], written: string): string {
  if (names.length <= FEW) return names.join(', ');
  return `${nearestOf(written, names, NEAREST).join(', ')} and ${count(names.length - NEAREST)} others`;
}
