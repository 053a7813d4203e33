/**
 * Which row of a sheet holds the column names.
 *
 * Pure: it looks at the first rows only. A header is the first row of mostly text that is about as wide as the
 * rows below it; title lines, export stamps and bands of grouped headings are narrower.
 */
import { type Cell, isNumberLike } from './cell.ts';
import { isBlankCell, type RawRow } from './raw-row.ts';

export interface HeaderPlace {
  /** Index in the rows given; -1 where the table has no header. */
  index: number;
  /** 0-based first and last column of the table. */
  first: number;
  last: number;
  /** First column of a block beside the table, such as statistics, which is no part of it. */
  beside?: number;
}

/** A header may have this share of the width of the rows below it: some columns have no name. */
const WIDTH_SHARE = 0.7;
/** How many filled rows below a candidate are compared with it. */
const WINDOW = 20;

/**
 * The header among the first rows of a sheet, or undefined where no row holds anything.
 *
 * @param headerRow 1-based row as a spreadsheet program counts; wins over looking. 0: the table has none
 */
export function findHeader(rows: readonly RawRow[], headerRow?: number): HeaderPlace | undefined {
  const beside = headerRow === undefined ? findBlockBeside(rows) : undefined;
  if (beside === undefined) return findInTable(rows, headerRow);
  const found = findInTable(rows.map((row) => ({ ...row, cells: row.cells.slice(0, beside) })));
  return found && { ...found, beside };
}

function findInTable(rows: readonly RawRow[], headerRow?: number): HeaderPlace | undefined {
  const shapes = rows.map((row, index) => describeRow(row, index));
  const filled = shapes.filter((shape) => shape.filled > 0);
  const [top] = filled;
  if (headerRow === 0 && top !== undefined) {
    const ends = filled.map(({ last }) => last);
    return { index: -1, first: Math.min(...filled.map(({ first }) => first)), last: Math.max(...ends) };
  }
  if (headerRow !== undefined) {
    const wanted = filled.find((shape) => rows[shape.index]?.number === headerRow);
    return wanted && place(wanted, filled);
  }
  const header = filled.find((shape, at) => isHeader(shape, filled.slice(at + 1, at + 1 + WINDOW)));
  const chosen = header ?? widestText(filled);
  return chosen && place(chosen, filled);
}

/** Fewer rows than this are stray cells, not a block; and tell nothing of where the table is. */
const BLOCK_ROWS = 3;
const TABLE_ROWS = 10;
/** In wider sheets nobody puts a block beside the table, and looking would take long. */
const WIDEST = 200;

/**
 * First column of a block right of the table, behind a column without any cell: statistics, a legend. Such a block is
 * shorter than the table, and has either no names in the table's header row or no gaps before it ends.
 */
function findBlockBeside(rows: readonly RawRow[]): number | undefined {
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length));
  if (width > WIDEST) return undefined;
  const isUsed = Array.from({ length: width }, () => false);
  for (const { cells } of rows) {
    for (const [column, cell] of cells.entries()) if (!isBlankCell(cell)) isUsed[column] = true;
  }
  for (let start = 1; start < width; start += 1) {
    if (isUsed[start] !== true || isUsed[start - 1] === true || !isUsed.slice(0, start).includes(true))
      continue;
    const table = rows.map((row) => ({ ...row, cells: row.cells.slice(0, start) }));
    const tableRows = table.flatMap(({ cells }, at) =>
      cells.some((cell) => !isBlankCell(cell)) ? [at] : [],
    );
    const block = rows.map(({ cells }) => cells.slice(start));
    const blockRows = block.flatMap((cells, at) => (cells.some((cell) => !isBlankCell(cell)) ? [at] : []));
    if (tableRows.length < TABLE_ROWS || blockRows.length < BLOCK_ROWS) continue;
    const header = findInTable(table)?.index ?? 0;
    const [first = 0] = blockRows;
    const last = blockRows.at(-1) ?? 0;
    const isShorter = last < (tableRows.at(-1) ?? 0) - 2 && blockRows.length < 0.8 * tableRows.length;
    const names = block[header] ?? [];
    const isNamed = names.some(isWord) && names.every((cell) => isBlankCell(cell) || isWord(cell));
    const isDense = last - first + 1 === blockRows.length;
    if (isShorter && (!isNamed || isDense)) return start;
  }
  return undefined;
}

interface RowShape {
  index: number;
  filled: number;
  /** Filled cells that are words, not numbers or dates. */
  words: number;
  distinct: boolean;
  first: number;
  last: number;
  columns: Set<number>;
}

function describeRow(row: RawRow, index: number): RowShape {
  const columns = new Set<number>();
  const seen = new Set<string>();
  let words = 0;
  row.cells.forEach((cell, column) => {
    if (isBlankCell(cell)) return;
    columns.add(column);
    if (isWord(cell)) {
      words += 1;
      seen.add(cell.trim());
    }
  });
  const places = [...columns];
  return {
    index,
    filled: columns.size,
    words,
    distinct: seen.size === columns.size,
    first: places[0] ?? 0,
    last: places.at(-1) ?? 0,
    columns,
  };
}

/** Header words hold a letter: neither numbers nor dates nor codes of digits. */
function isWord(cell: Cell): cell is string {
  return typeof cell === 'string' && !isNumberLike(cell) && /\p{L}|[#$€£%*?]/u.test(cell);
}

function isHeader(shape: RowShape, below: readonly RowShape[]): boolean {
  const widest = Math.max(0, ...below.map((row) => row.filled));
  if (shape.filled < 2) return shape.filled === 1 && widest <= 1 && shape.words === 1;
  if (shape.words < 2 || shape.words < shape.filled / 2) return false;
  if (below.length === 0) return true;
  if (isBand(shape, below)) return false;
  if (below.length >= 3) {
    const widths = below.map((row) => row.filled).sort((a, b) => a - b);
    const median = widths[Math.floor((widths.length - 1) / 2)] ?? 0;
    if (shape.filled < median * WIDTH_SHARE) return false;
  }
  // A stamp such as "Exported | 3 May" above sparse rows: a wider row of distinct words comes after it.
  return !below.some(
    (row, at) =>
      row.words === row.filled &&
      row.distinct &&
      shape.filled < row.filled * WIDTH_SHARE &&
      (below.length === 1 || reachOutside(shape, below.slice(at + 1))),
  );
}

/** Rows under a real header use columns that the stamp has not; under a data row with a cell too many they do not. */
function reachOutside({ columns }: RowShape, rows: readonly RowShape[]): boolean {
  const reaching = rows.filter((row) => [...row.columns].some((column) => !columns.has(column)));
  return reaching.length > 0 && reaching.length * 2 >= rows.length;
}

/** Groups printed above each of their columns (`Item, Item, Money, Money`): the names come right below. */
function isBand(shape: RowShape, [next, ...rest]: readonly RowShape[]): boolean {
  if (shape.distinct || next === undefined || next.index !== shape.index + 1) return false;
  const names = next.distinct && next.words === next.filled && next.filled >= shape.filled;
  return names && rest.some((row) => row.words < row.filled);
}

/** Where nothing looks like a header: the widest row with a word, else the first filled one. */
function widestText(filled: readonly RowShape[]): RowShape | undefined {
  let best: RowShape | undefined;
  for (const shape of filled) {
    if (shape.words > 0 && (best === undefined || shape.filled > best.filled)) best = shape;
  }
  return best ?? filled[0];
}

/** The header's own extent, widened by the columns right beside it that have no name but data in most rows. */
function place(header: RowShape, filled: readonly RowShape[]): HeaderPlace {
  const below = filled.filter((shape) => shape.index > header.index);
  const isUsed = (column: number) => {
    const uses = below.filter((shape) => shape.columns.has(column)).length;
    return uses >= 2 && uses * 2 > below.length;
  };
  let { first, last } = header;
  while (first > 0 && isUsed(first - 1)) first -= 1;
  while (isUsed(last + 1)) last += 1;
  return { index: header.index, first, last };
}
