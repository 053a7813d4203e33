import type { LedgerRow } from '../../ledger/ledger.ts';
import type { CorrectedCells } from './judging.ts';

/**
 * Returns the source cells of each row with corrections applied and blank cells of some columns filled from above. Call
 * it for all rows of the job in order.
 *
 * @param columns indexes among the stored cells
 * @param own number of rows in the order of the file; rows after these are copies
 */
export function filledCells(
  columns: readonly number[],
  corrections: CorrectedCells,
  own: number | undefined,
): (row: LedgerRow) => string[] {
  const above = new Map<string, string>();
  const ofCopies = new Map<string, string[]>();
  return (row) => {
    const cells = corrections.texts(row);
    if (columns.length === 0) return cells;
    const name = corrections.keyOf(row);
    const known = own !== undefined && row.ordinal > own ? ofCopies.get(name) : undefined;
    const texts = columns.map((column, at) => {
      if (known !== undefined) return known[at] ?? '';
      const text = cells[column]?.trim() ?? '';
      const key = `${column} ${row.sheet ?? ''}`;
      if (text !== '') above.set(key, text);
      return text === '' ? (above.get(key) ?? '') : text;
    });
    for (const [at, column] of columns.entries()) cells[column] = texts[at] ?? '';
    if (own !== undefined && row.copy === 0) ofCopies.set(name, texts);
    return cells;
  };
}
