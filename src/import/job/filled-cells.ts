import type { LedgerRow } from '../../ledger/ledger.ts';
import type { CorrectedCells } from './judging.ts';

/**
 * Gives the source cells of each row, as corrected, with blank cells of some columns filled in from above. Call it for
 * all rows of the job in order.
 *
 * @param columns places among the stored cells
 * @param own rows of the job that are in the order of the file, if further ones follow: those are copies of them
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
