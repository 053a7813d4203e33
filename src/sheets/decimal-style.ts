/** Which mark stands for fractions in a text file, as far as its first rows tell. Pure. */
import type { RawRow } from './raw-row.ts';

// Groups of three digits, then a fraction; `1,234` alone may be either and counts for neither.
const COMMA = /^-?(?:\d{1,3}(?:[.'’\s\u00a0\u202f]\d{3})+,\d+|\d*,(?!\d{3}$)\d+|0,\d+)$/u;
const POINT = /^-?(?:\d{1,3}(?:[,'’\s\u00a0\u202f]\d{3})+\.\d+|\d*\.(?!\d{3}$)\d+|0\.\d+)$/u;
const SIGNS = /[\p{Sc}%\s\u00a0\u202f]|\b[A-Z]{3}\b/gu;
/** A style that fewer of the fractions than this have is an accident (a date such as 24.12, say). */
const ACCIDENT = 0.2;

/** `comma`, `point`, `comma and point`, or undefined where no cell has a fraction. */
export function decimalStyle(rows: readonly RawRow[]): 'comma' | 'point' | 'comma and point' | undefined {
  let commas = 0;
  let points = 0;
  for (const row of rows) {
    for (const cell of row.cells) {
      // Amounts are short; a look at the length spares the expressions for most texts.
      if (typeof cell !== 'string' || cell.length > 24 || !/\d/u.test(cell)) continue;
      const amount = cell.replaceAll(SIGNS, '');
      if (COMMA.test(amount)) commas += 1;
      else if (POINT.test(amount)) points += 1;
    }
  }
  if (commas === 0 && points === 0) return undefined;
  if (Math.min(commas, points) >= (commas + points) * ACCIDENT) return 'comma and point';
  return commas > points ? 'comma' : 'point';
}
