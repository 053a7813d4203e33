/**
 * Running sums of each column, which distinguish a row that sums up others from an item.
 *
 * A text such as `1.250` is one amount with a decimal comma and another with a decimal point: both sums are kept.
 */
import { bareCell, type Cell, isMoney, isNumberLike, isNumeric } from './cell.ts';

/** Sums are whole numbers of these parts, so they are exact. */
const PARTS = 10_000;
/** Totals are rounded to two digits. */
const ROUNDING = PARTS / 200;
const MARKS = [',', '.'] as const;
type Mark = (typeof MARKS)[number];
const COMMA = 44;
const POINT = 46;

interface Sums {
  rows: number;
  /** By column. */
  parts: Record<Mark, number[]>;
}

export class RunningSums {
  #whole: Sums = { rows: 0, parts: { ',': [], '.': [] } };
  /** The sums at the last total. */
  #before: Sums = this.#whole;
  #years: { from: number; to: number }[] = [];
  /** Number of cells that are not zero, by column. */
  #amounts: number[] = [];

  get rows(): number {
    return this.#whole.rows;
  }

  add(cells: readonly Cell[]): void {
    const { parts } = this.#whole;
    this.#whole.rows += 1;
    for (let column = 0; column < cells.length; column += 1) {
      const cell = cells[column] ?? null;
      if (!mayBeNumber(cell)) continue;
      let isAmount = false;
      for (const mark of MARKS) {
        const value = partsOf(cell, mark);
        if (value === undefined) continue;
        if (value !== 0) isAmount = true;
        parts[mark][column] = (parts[mark][column] ?? 0) + value;
        const span = (this.#years[column] ??= { from: value, to: value });
        if (value < span.from) span.from = value;
        if (value > span.to) span.to = value;
      }
      if (isAmount) this.#amounts[column] = (this.#amounts[column] ?? 0) + 1;
    }
  }

  /** Call after a total: the next one may sum up only the rows that follow. */
  restart(): void {
    const { rows, parts } = this.#whole;
    this.#before = { rows, parts: { ',': [...parts[',']], '.': [...parts['.']] } };
  }

  /** Whether every number of the row is the sum, the mean or the count of all rows, or of those since the last total. */
  explain(cells: readonly Cell[]): boolean {
    return this.#explains(cells, this.#before) || this.#explains(cells, undefined);
  }

  /**
   * Whether every number of the row is the sum of all rows, and at least one number can only be a sum: it adds up at
   * least `amounts` amounts other than zero, is not the count of the rows, and is not in a column of years.
   */
  areSums(cells: readonly Cell[], amounts: number): boolean {
    let isProved = false;
    for (const [column, cell] of cells.entries()) {
      if (!mayBeNumber(cell) || !isNumeric(cell)) continue;
      const values = MARKS.flatMap((mark) => {
        const value = partsOf(cell, mark);
        const sum = this.#whole.parts[mark][column] ?? 0;
        return value !== undefined && Math.abs(value - sum) <= ROUNDING ? [value] : [];
      });
      if (values.length === 0) return false;
      const isProof = values.every((value) => value !== 0 && value !== this.#whole.rows * PARTS);
      if (isProof && (this.#amounts[column] ?? 0) >= amounts && !this.#hasYears(column)) isProved = true;
    }
    return isProved && !this.hasYear(cells);
  }

  /** Whether the row has a year in a column of years: a total has none. */
  hasYear(cells: readonly Cell[]): boolean {
    return cells.some(
      (cell, column) => this.#hasYears(column) && mayBeNumber(cell) && isYear(partsOf(cell, '.') ?? 0),
    );
  }

  #hasYears(column: number): boolean {
    const span = this.#years[column];
    return span !== undefined && isYear(span.from) && isYear(span.to);
  }

  #explains(cells: readonly Cell[], without: Sums | undefined): boolean {
    const rows = this.#whole.rows - (without?.rows ?? 0);
    if (rows === 0) return false;
    let found = false;
    const isExplained = (cell: Cell, column: number) =>
      MARKS.some((mark) => {
        const value = partsOf(cell, mark);
        if (value === undefined) return false;
        const sum = (this.#whole.parts[mark][column] ?? 0) - (without?.parts[mark][column] ?? 0);
        const isSum = Math.abs(value - sum) <= ROUNDING || Math.abs(value * rows - sum) <= ROUNDING * rows;
        if (isSum && value !== 0) found = true;
        return isSum || value === rows * PARTS;
      });
    const isEach = cells.every(
      (cell, column) => !mayBeNumber(cell) || !isNumeric(cell) || isExplained(cell, column),
    );
    return isEach && found;
  }
}

function isYear(parts: number): boolean {
  return parts >= 1800 * PARTS && parts <= 2100 * PARTS && parts % PARTS === 0;
}

/** Most cells are words, as their first character shows. */
function mayBeNumber(cell: Cell): boolean {
  if (typeof cell === 'number' || isMoney(cell)) return true;
  if (typeof cell !== 'string' || cell.length === 0 || cell.length > 24) return false;
  const first = cell.charCodeAt(0);
  return first < 65 || first > 122;
}

/** The amount in PARTS; undefined if the cell is not an amount with this decimal mark. */
function partsOf(cell: Cell, mark: Mark): number | undefined {
  const number = bareCell(cell);
  if (typeof number === 'number') return Math.round(number * PARTS);
  if (typeof cell !== 'string') return undefined;
  const point = mark === '.' ? POINT : COMMA;
  let value = 0;
  let scale = 0;
  let digits = 0;
  let isNegative = false;
  let isPlain = true;
  for (let at = 0; at < cell.length; at += 1) {
    const code = cell.charCodeAt(at);
    if (code >= 48 && code <= 57) {
      value = value * 10 + code - 48;
      digits += 1;
      scale *= 10;
    } else if (code === point) {
      if (scale > 0) return undefined;
      scale = 1;
    } else if (code === COMMA || code === POINT) {
      if (scale > 0) return undefined;
    } else {
      if (code === 45 || code === 40) isNegative = true;
      isPlain = false;
    }
  }
  if (digits === 0 || (!isPlain && !isNumberLike(cell))) return undefined;
  const parts = Math.round((value * PARTS) / (scale === 0 ? 1 : scale));
  return isNegative ? -parts : parts;
}
