/**
 * Recognises rows that are not data: blank rows and repeated headers. Pure. (Totals: summary-rows.ts.)
 *
 * The predicates run on every row of files with a million rows, so they decide ordinary rows by the first cells.
 */
import type { Cell } from './cell.ts';
import { isBlankCell } from './raw-row.ts';

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
