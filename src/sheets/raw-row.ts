/**
 * The common output of the CSV and XLSX readers: raw rows, before the header is known.
 */
import { english } from '../messages/message.ts';
import type { Message } from '../messages/params.ts';
import type { RowCode } from '../messages/row-codes.ts';
import type { Cell } from './cell.ts';

export interface RawRow {
  /** 1-based row as a spreadsheet program shows it. */
  number: number;
  /** 1-based line of a text file on which the row begins. */
  line?: number;
  /** From column A on; as long as the row has cells. Wide gaps may be holes. */
  cells: Cell[];
  /** The first filled cell to the right of the requested columns. */
  outside?: { column: number; cell: Cell };
  problem?: RowProblem;
}

/** A problem of a row as a whole. */
export interface RowProblem {
  code: RowCode;
  /** The finding. */
  said?: Message;
  /** The problem in English. */
  message: string;
  /** The text of the row. */
  found?: string;
  /** Field of the contract, if the problem concerns a single one. */
  field?: string;
}

export function rowProblem(code: RowCode, said: Message, found?: string): RowProblem {
  return { code, said, message: english(said), ...(found === undefined ? {} : { found }) };
}

export interface ReadOptions {
  /** Receives notes on findings that do not stop the reading. */
  notes: Message[];
  /** 0-based last column of the table: cells to the right of it may be left out, except one (`outside`). */
  lastColumn?: number;
  signal?: AbortSignal | undefined;
}

/** A table's rows. Nothing stays open after `head`, nor when the iteration of `read` ends or is left. */
export interface RowSource {
  /** The first rows, at most `count`. */
  head(count: number, signal?: AbortSignal): Promise<RawRow[]>;
  /** All rows from the first on. */
  read(options: ReadOptions): AsyncGenerator<RawRow[], void, undefined>;
}

/** True for null, and for text of white space only. */
export function isBlankCell(cell: Cell | undefined): boolean {
  if (cell === null || cell === undefined) return true;
  if (typeof cell !== 'string') return false;
  return cell === '' || cell.trim() === '';
}

/** Problems of a row as a whole: they remain however its cells are read. */
const SHAPE_PROBLEMS: ReadonlySet<string> = new Set([
  'too_many_cells',
  'unclosed_quote',
  'bad_encoding',
  'merge_conflict',
  'summary_row',
]);

export function shapeProblems({ issues }: { issues: readonly RowProblem[] }): RowProblem[] {
  return issues
    .filter(({ code }) => SHAPE_PROBLEMS.has(code))
    .map(({ code, said, message, found }) => ({
      code,
      ...(said === undefined ? {} : { said }),
      message,
      ...(found === undefined ? {} : { found }),
    }));
}
