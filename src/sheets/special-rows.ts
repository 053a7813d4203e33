/**
 * Recognises rows that are not data: blank rows, repeated headers, and the totals at the end. Pure.
 *
 * The predicates run on every row of files with a million rows, so they decide ordinary rows by the first cells.
 */
import { type Cell, isNumberLike } from './cell.ts';
import { isBlankCell } from './raw-row.ts';

const TOTAL_WORDS =
  /^(?:(?:grand|sub)[ -]?)?(?:total(?:s|e|es|en)?|sum(?:me|ma|a|s)?|gesamt(?:summe|wert|betrag)?|insgesamt|zwischensumme|somme|suma|totaal|celkem|razem|итого|合計|总计)(?: (?:général|general|generale|value|amount|items|wert|count))?\s*[:=]?$/iu;

/** True if every cell is null or white space. */
export function isBlankRow(cells: readonly Cell[]): boolean {
  for (const cell of cells) if (!isBlankCell(cell)) return false;
  return true;
}

/** True if the row repeats the header, cell by cell. `headers` are trimmed. */
export function isRepeatedHeader(cells: readonly Cell[], headers: readonly string[]): boolean {
  let words = 0;
  for (let column = 0; column < Math.max(cells.length, headers.length); column += 1) {
    const header = headers[column] ?? '';
    const cell = cells[column] ?? '';
    if (typeof cell !== 'string') return false;
    // Lengths differ in most rows, which then need no trimming.
    if (cell !== header && (cell.length < header.length || cell.trim() !== header)) return false;
    if (header !== '') words += 1;
  }
  return words > 0;
}

/**
 * True if the first filled cell is a word for totals, another cell is a number, and no other cell is text.
 * The caller knows whether it is the last row of the table.
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
