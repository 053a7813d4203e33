/**
 * The result of a reader: one table of one file, with its header found and its rows in batches.
 *
 * Rows come in batches because one microtask a row costs about 0.7 s a million.
 */
import type { Message } from '../messages/params.ts';
import type { Cell } from './cell.ts';
import type { RowProblem } from './raw-row.ts';

/** Kinds of files with typed cells, by their usual ending. */
export type WorkbookFormat = 'xlsx' | 'xls' | 'ods' | 'html';

export interface SheetRow {
  /** 1-based row as a spreadsheet program shows it. */
  number: number;
  /** 1-based line of a text file on which the row begins, if the file has lines. */
  line?: number;
  /** As many cells as there are headers; missing ones are null (workbooks) or '' (CSV). */
  cells: Cell[];
  /** A problem with the row's shape, such as more cells than headers. The row is still data and is reported. */
  problem?: RowProblem;
}

/**
 * `rows`: objects of a program, whose keys are the headers. `fields`: the fields of items as a program's own mapping gave
 * them, taken exactly as they are.
 */
export type TableFormat = 'csv' | WorkbookFormat | 'rows' | 'fields';

export interface SheetTable {
  /** Absolute path; for a program's rows, the path from which their results get their names. */
  file: string;
  format: TableFormat;
  /** The worksheet's name; undefined for CSV. */
  sheet?: string;
  /** All worksheets in the order of their tabs, hidden ones too; none for CSV. */
  sheets: string[];
  /** Header texts as found, trimmed; '' for a blank header. Same order as the cells of each row. */
  headers: string[];
  /** Column letter of each header in the file (offset tables do not begin at A). */
  letters: string[];
  /** Row of the header (the last one if there are two), as a spreadsheet program counts; 0 if there is none. */
  headerRow: number;
  /** CSV only: the delimiter in use, for files written beside the source. */
  delimiter?: string;
  /** How it was read, for people: `;`, `Windows-1252`, `decimal comma`, `header in row 4`. */
  detected: Message[];
  /** Remarks that do not stop the reading (blank header with data, hidden rows read, …). */
  notes: Message[];
  /** Uncertain decisions about how the file is read, each with possible actions. A person should confirm them. */
  doubts: Message[];
  /** Data rows in order, without blank rows, repeated headers and totals rows. Read once. */
  batches: AsyncIterable<SheetRow[]>;
  /** Counts, complete when `batches` has ended; `totalsNamed` has the first totals: `"Total value" (row 82)`. */
  skipped: { blank: number; repeatedHeader: number; totals: number; totalsNamed?: readonly Message[] };
}

/**
 * Gives the password of a protected workbook; undefined if there is no password, which ends the reading.
 *
 * @param wrong the last answer did not open the file
 */
export type FilePassword = (file: string, wrong: boolean) => Promise<string | undefined>;

export interface OpenOptions {
  /** Worksheet name; default: the first visible sheet that contains a table, unless another one fits far better. */
  sheet?: string;
  /**
   * How well a sheet fits; the function may read the first rows. Without this option the first sheet is
   * used.
   */
  fit?: (table: SheetTable) => Promise<number>;
  /** CSV: one character, or 'tab'. */
  delimiter?: string;
  /** CSV: utf-8, utf-16le, utf-16be, windows-1252, latin1, shift_jis, or another name that iconv-lite knows. */
  encoding?: string;
  /** CSV: the decimal mark, if known; only shown in `detected`, because cells stay text. */
  decimal?: 'point' | 'comma';
  /** 1-based row of the header as a spreadsheet program counts; 0: there is none, columns are named by their letters. */
  headerRow?: number;
  /** Treat every row below the header as data, for our own files. Default false. */
  everyRow?: boolean;
  /** CSV: shelflift wrote it, so texts are escaped against formulas. Default: if the headers show it. */
  escaped?: boolean;
  /** Called for a workbook that a password protects; without this option such a file is refused. */
  password?: FilePassword;
  signal?: AbortSignal;
}

/** The sheet of our form with the instructions; it never contains items. */
export const HELP_SHEET = 'How to fill this in';
