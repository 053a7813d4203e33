/**
 * Limits of the readers, so that a hostile or broken file ends in a named error instead of exhausted memory.
 *
 * The figures for inflation are design §6's; rows and columns are those of the XLSX format itself
 * (ECMA-376, and Excel's published limits).
 */
import type { ErrorCode } from '../base/error-codes.ts';
import { SheetError } from '../base/errors.ts';
import { byHand } from '../messages/message.ts';
import type { Message } from '../messages/params.ts';

const MIB = 1024 * 1024;

export const limits = {
  /** A part of a workbook may inflate to this many times its packed size … */
  inflationRatio: 250,
  /** … counted only for parts larger than this many bytes when unpacked. */
  inflationFrom: 16 * MIB,
  /** Bytes of one unpacked part. */
  partBytes: 4 * 1024 * MIB,
  /** Entries of one zip. */
  zipEntries: 100_000,
  /** Bytes of a compound file (an .xls, or a workbook protected by a password). */
  compoundBytes: 2 * 1024 * MIB,
  /** Bytes of its directory, and of its table of small sectors; entries beyond the limit are not found. */
  compoundTableBytes: 8 * MIB,
  /** Times that a password is hashed to open a file: about a second. Excel writes 100,000. */
  spinCount: 1_000_000,
  /** Sheets of an .xls; Excel's own limit is memory. */
  xlsSheets: 10_000,
  /** Cells of an .xls sheet whose rows are not in order: they are sorted in memory. */
  unorderedCells: 2_000_000,
  /** Bytes of a table on standard input, which is kept in a file while it is read. */
  stdinBytes: 4 * 1024 * MIB,
  /** Bytes of a web page. */
  htmlBytes: 64 * MIB,
  /** Nesting depth of a web page's elements; deeper pages would make the parser slower with each level. */
  htmlDepth: 2000,
  /** Columns of a worksheet, A to XFD. */
  columns: 16_384,
  /** Rows of a worksheet. */
  rows: 1_048_576,
  /** Entries of the shared string table, which is held in memory; more would let a zip bomb take too long. */
  sharedStrings: 3_000_000,
  /** Memory of all shared strings together. */
  sharedStringBytes: 80 * MIB,
  /** Cell formats of a workbook (Excel's own limit is 65,490). */
  cellFormats: 100_000,
  /** Cells of an OpenDocument sheet that the file stores as repetitions; a whole column is a million. */
  repeatedCells: 5_000_000,
  /** Characters of XML without a single tag: longer than any cell could need. */
  xmlTextCharacters: 4 * MIB,
  /** Characters of white space between tags, in pieces longer than any indentation. */
  xmlBlankCharacters: 16 * MIB,
  /** Characters of one CSV record; more is an unclosed quote. */
  recordCharacters: 8 * MIB,
  /** Bytes of one CSV file that are read a second time, after quotes that were never closed. */
  rereadBytes: 64 * MIB,
  /**
   * Maximum length of a cell or header that is read as a word, an amount or a column name. Longer cells are text, and
   * no pattern is applied to them.
   */
  wordCharacters: 500,
  /** Rows that are examined to find the header. */
  headRows: 100,
  /** Bytes of a text file that are examined to find encoding and delimiter. */
  headBytes: 256 * 1024,
} as const;

/** `columns`, `rows` … of `limit_columns`, `limit_rows` … */
type LimitName<Code = Exclude<ErrorCode, 'limit_reached'>> = Code extends `limit_${infer Name}`
  ? Name
  : never;

/**
 * The error for an exceeded limit: its code is `limit_` and the limit's name.
 *
 * @param found the thing that exceeds the limit, with the figure
 */
export function limitError(name: LimitName, found: Message, file: string): SheetError {
  return new SheetError(`limit_${name}`, found, {
    position: { file },
    actions: [byHand('save_needed_sheet', {})],
  });
}
