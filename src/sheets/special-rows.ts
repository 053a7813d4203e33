/**
 * Rows of a table that are no data: blank rows, the header printed again, and the totals at the end.
 *
 * Pure; each predicate is written so that an ordinary row is passed after a look at its first cells, since it
 * runs on every row of files with a million of them.
 */
import { type Cell, isNumberLike } from './cell.ts';
import { isBlankCell } from './raw-row.ts';

const TOTAL_WORDS =
  /^(?:(?:grand|sub)[ -]?)?(?:total(?:s|e|es|en)?|sum(?:me|ma|a|s)?|gesamt(?:summe|wert|betrag)?|insgesamt|zwischensumme|somme|suma|totaal|celkem|razem|итого|合計|总计)(?: (?:général|general|generale|value|amount|items|wert|count))?\s*[:=]?$/iu;

/** True where every cell is null or white space. */
export function isBlankRow(cells: readonly Cell[]): boolean {
  for (const cell of cells) if (!isBlankCell(cell)) return false;
  return true;
}

/** True where the row says again what the header says, cell by cell. `headers` are trimmed. */
export function isRepeatedHeader(cells: readonly Cell[], headers: readonly string[]): boolean {
  let words = 0;
  for (let column = 0; column < Math.max(cells.length, headers.length); column += 1) {
    const header = headers[column] ?? '';
    const cell = cells[column] ?? '';
    if (typeof cell !== 'string') return false;
    // Lengths differ in all but a few rows; trimming is only paid for those few.
    if (cell !== header && (cell.length < header.length || cell.trim() !== header)) return false;
    if (header !== '') words += 1;
  }
  return words > 0;
}

/**
 * True where the first filled cell is a word for totals, some other cell is a number, and none is text.
 * Whether it is the last row of the table is the caller's to know.
 */
export function isTotalsRow(cells: readonly Cell[]): boolean {
  let numbers = 0;
  let labelled = false;
  for (const cell of cells) {
    if (isBlankCell(cell)) continue;
    if (!labelled) {
      if (typeof cell !== 'string' || cell.length > 40) return false;
      const first = cell.charCodeAt(0);
      // Ids and amounts need no expression.
      if ((first >= 48 && first <= 57) || !TOTAL_WORDS.test(cell.trim())) return false;
      labelled = true;
    } else if (typeof cell === 'number' || (typeof cell === 'string' && isNumberLike(cell))) {
      numbers += 1;
    } else if (typeof cell === 'string' || typeof cell === 'boolean') {
      return false;
    }
  }
  return numbers > 0;
}
