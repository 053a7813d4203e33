import type { LedgerRow } from '../../ledger/ledger.ts';
import type { CorrectedCells } from './judging.ts';

/** The texts of a row's cells, and their kinds if not all of them are texts. */
interface Filled {
  cells: string[];
  kinds?: string | undefined;
}

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
): (row: LedgerRow) => Filled {
  const above = new Map<string, FilledCell>();
  const ofCopies = new Map<string, FilledCell[]>();
  return (row) => {
    const cells = corrections.texts(row);
    if (columns.length === 0) return { cells, kinds: row.kinds };
    const kinds = [...(row.kinds ?? 't'.repeat(cells.length))];
    const name = corrections.keyOf(row);
    const known = own !== undefined && row.ordinal > own ? ofCopies.get(name) : undefined;
    const filled = columns.map((column, at): FilledCell => {
      if (known !== undefined) return known[at] ?? BLANK;
      const text = cells[column]?.trim() ?? '';
      const isCorrected = corrections.of(row)?.has(column) === true;
      const kind = (isCorrected ? corrections.kindOf(row, column) : kinds[column]) ?? 't';
      const key = `${column} ${row.sheet ?? ''}`;
      if (text !== '') above.set(key, { text, kind });
      return text === '' ? (above.get(key) ?? BLANK) : { text, kind };
    });
    for (const [at, column] of columns.entries())
      ({ text: cells[column], kind: kinds[column] } = filled[at] ?? BLANK);
    if (own !== undefined && row.copy === 0) ofCopies.set(name, filled);
    return { cells, kinds: kinds.join('') };
  };
}

interface FilledCell {
  text: string;
  kind: string;
}

const BLANK: FilledCell = { text: '', kind: 't' };
