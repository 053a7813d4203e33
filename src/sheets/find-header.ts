/**
 * Finds the row of a sheet that has the column names.
 *
 * Pure: it looks at the first rows only. A header is the first row of mostly text that is about as wide as the
 * rows below it; title lines, export stamps and bands of grouped headings are narrower.
 */
import { type Cell, columnLetter, isNumberLike, isNumeric } from './cell.ts';
import { isBlankCell, type RawRow } from './raw-row.ts';
import { isSummaryLabel } from './summary-rows.ts';

export interface HeaderPlace {
  /** Index in the given rows; -1 if the table has no header. */
  index: number;
  /** 0-based first and last column of the table. */
  first: number;
  last: number;
  /** Columns of the table, from first to before end, if a block such as statistics is beside it. */
  within?: { first: number; end: number };
}

/** A header may have this share of the width of the rows below it: some columns have no name. */
const WIDTH_SHARE = 0.7;
/** Filled rows right below a candidate. A row further down needs stronger evidence to be the header instead. */
const NEAR_ROWS = 20;

/**
 * The header among the first rows of a sheet, or undefined if all rows are blank.
 *
 * @param headerRow 1-based row as a spreadsheet program counts; replaces detection. 0: the table has no header
 */
export function findHeader(rows: readonly RawRow[], headerRow?: number): HeaderPlace | undefined {
  const within = headerRow === undefined ? findTableBesideBlock(rows) : undefined;
  if (within === undefined) return findInTable(rows, headerRow);
  const found = findInTable(cutRows(rows, within));
  return found && { ...found, within };
}

/** The rows with the cells of some columns only; all others are holes. */
function cutRows(rows: readonly RawRow[], { first, end }: { first: number; end: number }): RawRow[] {
  return rows.map((row) => {
    const cells = row.cells.slice(0, end);
    return { ...row, cells: first === 0 ? cells : cells.fill(null, 0, first) };
  });
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
  const header = filled.find((shape, at) => isHeader(shape, filled.slice(at + 1)));
  const chosen = header ?? widestText(filled);
  return chosen && place(chosen, filled);
}

/** Fewer rows than this are stray cells, not a block, and do not show where the table is. */
const BLOCK_ROWS = 3;
const TABLE_ROWS = 10;
/** In wider sheets nobody puts a block next to the table, and searching would take long. */
const WIDEST = 200;

/**
 * The columns of the table if a block is beside it: statistics, a legend. A blank column separates the block, unless
 * its labels show that it is statistics. Such a block is shorter than the table, and has no names in the table's header
 * row, or no gaps before it ends, or names of its own behind a gap.
 */
function findTableBesideBlock(rows: readonly RawRow[]): { first: number; end: number } | undefined {
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length));
  if (width > WIDEST) return undefined;
  const isUsed = Array.from({ length: width }, () => false);
  for (const { cells } of rows) {
    for (const [column, cell] of cells.entries()) if (!isBlankCell(cell)) isUsed[column] = true;
  }
  for (let start = 1; start < width; start += 1) {
    if (isUsed[start] !== true || !isUsed.slice(0, start).includes(true)) continue;
    const left = { first: 0, end: start };
    if (isUsed[start - 1] === true) {
      if (
        isStatistics(rows, start) &&
        isBlockBeside(cutRows(rows, { first: start, end: width }), cutRows(rows, left))
      )
        return left;
      continue;
    }
    const right = { first: start, end: width };
    if (isBlockBeside(cutRows(rows, right), cutRows(rows, left))) return left;
    // On the left a table comes first: a block there has fewer names than columns, and few of those. A single
    // column rather counts or marks the rows.
    const used = isUsed.slice(0, start).filter(Boolean).length;
    if (used < 2 || used * 2 > isUsed.slice(start).filter(Boolean).length) continue;
    const block = cutRows(rows, left);
    const table = cutRows(rows, right);
    const names = block[findInTable(table)?.index ?? 0]?.cells ?? [];
    if (names.filter((cell) => isWord(cell)).length < used && isBlockBeside(block, table)) return right;
  }
  return undefined;
}

/** Most cells of the column are labels of figures, with a number next to each. */
function isStatistics(rows: readonly RawRow[], column: number): boolean {
  const filled = rows.filter(({ cells }) => !isBlankCell(cells[column]));
  const labelled = filled.filter(({ cells }) => {
    return isNumeric(cells[column + 1]) && isSummaryLabel(cells[column]);
  });
  return labelled.length >= BLOCK_ROWS && labelled.length * 2 > filled.length;
}

function isBlockBeside(block: readonly RawRow[], table: readonly RawRow[]): boolean {
  const tableRows = filledRows(table);
  const blockRows = filledRows(block);
  if (tableRows.length < TABLE_ROWS || blockRows.length < BLOCK_ROWS) return false;
  const [first = 0] = blockRows;
  const last = blockRows.at(-1) ?? 0;
  const isShorter = last < (tableRows.at(-1) ?? 0) - 2 && blockRows.length < 0.8 * tableRows.length;
  if (!isShorter) return false;
  if (last - first + 1 === blockRows.length) return true;
  const header = findInTable(table)?.index ?? 0;
  const names = block[header]?.cells ?? [];
  if (!names.some(isWord) || !names.every((cell) => isBlankCell(cell) || isWord(cell))) return true;
  return isStack(
    blockRows.filter((at) => at > header).map((at) => describeRow(block[at] as RawRow, at)),
    header,
  );
}

/**
 * Several blocks below each other: labels and numbers without a gap below the header; then a gap, a row of words, and
 * labels and numbers again. Columns that are filled in few rows have gaps anywhere.
 */
function isStack(rows: readonly RowShape[], header: number): boolean {
  const isLabelled = (row: RowShape | undefined, index: number) =>
    row?.index === index && row.words === 1 && row.filled > 1;
  const end = rows.findIndex((row, at) => !isLabelled(row, header + 1 + at));
  const names = rows[end];
  if (end < 2 || names === undefined || names.index === header + 1 + end) return false;
  if (names.filled < 2 || names.words < names.filled) return false;
  return isLabelled(rows[end + 1], names.index + 1) && isLabelled(rows[end + 2], names.index + 2);
}

function filledRows(rows: readonly RawRow[]): number[] {
  return rows.flatMap(({ cells }, at) => (cells.some((cell) => !isBlankCell(cell)) ? [at] : []));
}

interface RowShape {
  index: number;
  filled: number;
  /** Filled cells that are words, not numbers or dates. */
  words: number;
  distinct: boolean;
  /** True if most cells are names that a program gave to unnamed columns. */
  isPlaceholder: boolean;
  first: number;
  last: number;
  columns: Set<number>;
}

function describeRow(row: RawRow, index: number): RowShape {
  const columns = new Set<number>();
  const seen = new Set<string>();
  let words = 0;
  let placeholders = 0;
  row.cells.forEach((cell, column) => {
    if (isBlankCell(cell)) return;
    columns.add(column);
    if (isWord(cell)) {
      if (PLACEHOLDER.test(cell.trim()) || cell.trim() === columnLetter(column)) placeholders += 1;
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
    isPlaceholder: placeholders * 2 > columns.size,
    first: places[0] ?? 0,
    last: places.at(-1) ?? 0,
    columns,
  };
}

/** Names that pandas, Excel, Access and others give to unnamed columns. */
const PLACEHOLDER =
  /^(?:unnamed: ?\d+(?:_level_\d+)?|(?:column|col|field|f|spalte|feld|colonne|columna|colonna|coluna|kolom|kolumna|столбец)\d+)$/iu;

/** A word contains a letter, so it is not a number, date or code of digits. */
function isWord(cell: Cell): cell is string {
  return typeof cell === 'string' && !isNumberLike(cell) && /\p{L}|[#$€£%*?]/u.test(cell);
}

function isHeader(shape: RowShape, below: readonly RowShape[]): boolean {
  const widest = Math.max(0, ...below.map((row) => row.filled));
  if (shape.filled < 2) return shape.filled === 1 && widest <= 1 && shape.words === 1;
  if (shape.words < 2 || shape.words < shape.filled / 2) return false;
  if (below.length === 0) return true;
  if (isBand(shape, below)) return false;
  // The rows right below may be longer for a block beside them; those far below, for notes.
  if (isNarrow(shape, below.slice(0, NEAR_ROWS)) && isNarrow(shape, below)) return false;
  return !isAboveHeader(shape, below);
}

/**
 * Whether the row is much narrower than most of those below it. The column in which a program counts the rows has no
 * name, and is not missed.
 */
function isNarrow({ filled, first }: RowShape, below: readonly RowShape[]): boolean {
  if (below.length < 3) return false;
  const isCounted = first === 1 && below.every((row) => row.first === 0);
  const widths = below.map((row) => row.filled).sort((a, b) => a - b);
  return filled + Number(isCounted) < (widths[Math.floor((widths.length - 1) / 2)] ?? 0) * WIDTH_SHARE;
}

/**
 * A stamp such as "Exported | 3 May", or a block of statistics with headings of its own: a wider row of distinct words
 * comes after it, and the rows below that one use columns that the candidate lacks. This does not hold for a data row
 * with one cell too many.
 */
function isAboveHeader({ columns, filled }: RowShape, below: readonly RowShape[]): boolean {
  let reaching = 0;
  let mixed = 0;
  for (let at = below.length - 1; at >= 0; at -= 1) {
    const row = below[at] as RowShape;
    const after = below.length - 1 - at;
    const isWords = row.words === row.filled;
    if (isWords && row.distinct && filled < row.filled * WIDTH_SHARE) {
      const isStart = row.index > (below[at - 1]?.index ?? -1) + 1 || mixed * 2 > after;
      if (below.length === 1) return true;
      if (reaching > 0 && reaching * 2 >= after && (at < NEAR_ROWS || isStart)) return true;
    }
    if (!isWords) mixed += 1;
    if (row.columns.size > columns.size || [...row.columns].some((column) => !columns.has(column)))
      reaching += 1;
  }
  return false;
}

/**
 * Groups printed above each of their columns (`Item, Item, Money, Money`), or placeholders: the names come right below.
 */
function isBand(shape: RowShape, [next, ...rest]: readonly RowShape[]): boolean {
  if ((shape.distinct && !shape.isPlaceholder) || next === undefined || next.index !== shape.index + 1)
    return false;
  const names = next.distinct && next.words === next.filled && next.filled >= shape.filled;
  const mixed = rest.filter((row) => row.words < row.filled).length;
  // Below placeholders the first row of data may be words.
  return names && (shape.isPlaceholder ? mixed > 1 && mixed * 2 > rest.length : mixed > 0);
}

/** The header if nothing looks like one: the widest row with a word, otherwise the first filled row. */
function widestText(filled: readonly RowShape[]): RowShape | undefined {
  let best: RowShape | undefined;
  for (const shape of filled) {
    if (shape.words > 0 && (best === undefined || shape.filled > best.filled)) best = shape;
  }
  return best ?? filled[0];
}

/** The header's own extent, widened by adjacent unnamed columns that have data in most rows. */
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
