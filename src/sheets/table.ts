/**
 * What a reader returns: one table of one file, with its header found and its rows in batches.
 *
 * Rows come in batches because one microtask a row costs about 0.7 s a million.
 */
import type { RowCode } from '../row-catalogue.ts';
import type { Cell } from './cell.ts';

export interface SheetRow {
  /** 1-based row as a spreadsheet program shows it. */
  number: number;
  /** 1-based line of a text file on which the row begins, where the file has lines. */
  line?: number;
  /** As many cells as there are headers; missing ones are null (xlsx) or '' (csv). */
  cells: Cell[];
  /** What is wrong with the row's shape (more cells than headers, say); the row is data and still reported. */
  problem?: { code: RowCode; message: string };
}

export interface SheetTable {
  /** Absolute path. */
  file: string;
  format: 'csv' | 'xlsx';
  /** The worksheet's name; undefined for CSV. */
  sheet?: string;
  /** Header texts as found, trimmed; '' for a blank header. Same order as the cells of each row. */
  headers: string[];
  /** Column letter of each header in the file (offset tables do not begin at A). */
  letters: string[];
  /** Row of the header (the last where it has two), as a spreadsheet program counts; 0 where it has none. */
  headerRow: number;
  /** CSV only: the delimiter in use, for files written beside the source. */
  delimiter?: string;
  /** One line for people: `; · Windows-1252 · decimal comma · header in row 4`. Format, sheet, hidden rows etc. */
  detected: string;
  /** Things worth saying that stop nothing (blank header with data, hidden rows read, …). */
  notes: string[];
  /** What is uncertain about how the file is read, a sentence each with its remedy: a person should decide. */
  doubts: string[];
  /** Data rows in order, without blank rows, repeated headers and totals rows. Read once. */
  batches: AsyncIterable<SheetRow[]>;
  /** Counts, complete when `batches` has ended. */
  skipped: { blank: number; repeatedHeader: number; totals: number };
}

export interface OpenOptions {
  /** Worksheet name; the first visible sheet that has a table otherwise. */
  sheet?: string;
  /** CSV: one character, or 'tab'. */
  delimiter?: string;
  /** CSV: utf-8, utf-16le, utf-16be, windows-1252, latin1, shift_jis, or another name that iconv-lite knows. */
  encoding?: string;
  /** CSV: the mark of fractions, where it is known; only told in `detected`, as cells stay text. */
  decimal?: 'point' | 'comma';
  /** 1-based row of the header as a spreadsheet program counts; 0: there is none, columns go by their letters. */
  headerRow?: number;
  /** Every row below the header is data, whatever it looks like: of files of our own. Default false. */
  everyRow?: boolean;
  signal?: AbortSignal;
}

/** The sheet of our form that explains it: its lines are no items, however empty the form is. */
export const HELP_SHEET = 'How to fill this in';
