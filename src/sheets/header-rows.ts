/**
 * Headers of two rows: groups above, names below.
 *
 *     Name | Brand | Money |        →  Name | Brand | Paid | Value
 *          |       | Paid  | Value
 *
 * The second row is part of the header if it contains only words, names columns that the first row leaves blank, and
 * has names below names of the first row only if one of those heads a group. Pure.
 */
import { type Cell, cellText, isNumberLike } from './cell.ts';
import { isBlankCell, type RawRow } from './raw-row.ts';

export interface HeaderRows {
  /** The names, from column A on. */
  cells: Cell[];
  /** Index of the header's last row. */
  last: number;
}

/** The header that begins at `rows[index]`. */
export function headerRows(rows: readonly RawRow[], index: number): HeaderRows {
  const upper = rows[index]?.cells ?? [];
  const next = rows[index + 1];
  if (next === undefined || next.number !== (rows[index]?.number ?? 0) + 1)
    return { cells: upper, last: index };
  if (!isSecondRow(upper, next.cells, rows.slice(index + 2))) return { cells: upper, last: index };
  return { cells: joined(upper, next.cells), last: index + 1 };
}

function isSecondRow(upper: readonly Cell[], lower: readonly Cell[], below: readonly RawRow[]): boolean {
  let gaps = 0;
  for (let column = 0; column < lower.length; column += 1) {
    const cell = lower[column];
    if (cell === undefined || isBlankCell(cell)) continue;
    if (typeof cell !== 'string' || isNumberLike(cell)) return false;
    if (!below.some((row) => !isBlankCell(row.cells[column]))) return false;
    if (isBlankCell(upper[column])) gaps += 1;
    else if (!isBlankCell(upper[column + 1]) || isBlankCell(lower[column + 1])) return false;
  }
  // A first row of data would have a cell below the table's own first name.
  return gaps > 0 && isBlankCell(lower[upper.findIndex((cell) => !isBlankCell(cell))]);
}

/** The lower name, if there is one; preceded by the group's name if two columns would have the same name. */
function joined(upper: readonly Cell[], lower: readonly Cell[]): Cell[] {
  const names = Array.from({ length: Math.max(upper.length, lower.length) }, (_, column) => {
    const below = lower[column] ?? null;
    return isBlankCell(below) ? (upper[column] ?? null) : below;
  });
  let group: Cell = null;
  return names.map((name, column) => {
    const above = upper[column] ?? null;
    if (!isBlankCell(above)) group = above;
    const isTwice = names.filter((other) => other !== null && other === name).length > 1;
    return isTwice && name !== null && group !== name ? `${cellText(group)} ${cellText(name)}`.trim() : name;
  });
}
