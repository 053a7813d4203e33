/**
 * Decides whether lines inside one quoted cell are really rows of the table. Pure.
 *
 * A quoted cell may contain line feeds, so the lines are compared with the table's width.
 */
import { type Dialect, scanRecords } from './scan-records.ts';

export interface TableShape extends Dialect {
  /** Number of cells of most rows. */
  width: number;
}

/** Number of bytes to examine; they contain enough lines. */
const LOOK_BYTES = 16 * 1024;
const LOOK_RECORDS = 50;
/** Minimum number of row-like lines before a record that may still be closed is given up. */
const ROWS_TO_GIVE_UP = 10;

/** Where the second line of `raw` begins; its length if there is no second line. */
export function secondLine(raw: Buffer): number {
  const feed = raw.indexOf(0x0a);
  const carriage = raw.indexOf(0x0d);
  if (carriage >= 0 && (feed < 0 || carriage < feed - 1)) return carriage + 1;
  return feed < 0 ? raw.length : feed + 1;
}

/** Cells of a line in which quotes mean nothing. */
export function literalCells(line: Buffer, shape: TableShape): string[] {
  return withoutLineEnd(line.toString('utf8')).split(shape.delimiter);
}

/**
 * True if most of the lines have the table's width. `isWhole`: nothing comes after them; otherwise there must be many,
 * because the cell may still be closed further on.
 */
export function lookLikeRows(lines: Buffer, shape: TableShape, isWhole: boolean): boolean {
  const { widths } = scanRecords(lines.toString('utf8', 0, LOOK_BYTES), shape, LOOK_RECORDS);
  if (shape.width < 2) return isWhole && widths.length > 0;
  const rows = widths.filter((width) => width === shape.width).length;
  return isWhole
    ? rows * 2 >= widths.length && rows > 0
    : rows >= ROWS_TO_GIVE_UP && rows * 5 >= widths.length * 4;
}

/** True if each line alone, with its quotes as text, has the table's width. */
export function linesEachOfWidth(raw: Buffer, shape: TableShape): boolean {
  const lines = withoutLineEnd(raw.toString('utf8')).split(/\r\n|\n|\r/u);
  return lines.length > 1 && lines.every((line) => line.split(shape.delimiter).length === shape.width);
}

/** The text without the line breaks at its end. A pattern would start again at each line break within the text. */
function withoutLineEnd(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\n' || text[end - 1] === '\r') end -= 1;
  return text.slice(0, end);
}
