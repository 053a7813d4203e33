/** Limits on input files. They stop a hostile file by name. */
import type { CodeGroup } from './entry.ts';

const TRUSTED =
  'If you trust the file, open it in a spreadsheet program and save only the sheet that you need, as CSV.';

export const LIMITS = {
  limit_columns: {
    cause: 'The table has more columns than a spreadsheet can hold (16,384).',
    remedy: TRUSTED,
  },
  limit_repeated_cells: {
    cause: 'An OpenDocument sheet repeats filled rows or cells millions of times.',
    remedy: TRUSTED,
  },
  limit_stdin_size: {
    cause: 'Standard input is larger than 4 GB.',
    remedy: 'Save it as a file, and give the name of the file.',
  },
  limit_rows: {
    cause: 'The sheet has more rows than a spreadsheet can hold (1,048,576).',
    remedy: TRUSTED,
  },
  limit_record_size: {
    cause: 'A row of the CSV file is too long, usually because a quote is never closed.',
    remedy: 'Close the quote on the line in the message, or double it ("").',
  },
  limit_compound_size: { cause: 'The workbook is larger than 2 GB.', remedy: TRUSTED },
  limit_spin_count: {
    cause: 'Checking the password of this workbook would take more than a million hash rounds.',
    remedy: 'Open it in your spreadsheet program, remove the password and save it again.',
  },
  limit_unordered_cells: {
    cause: 'The rows of an .xls sheet are not in order, and it has too many cells to sort them in memory.',
    remedy: TRUSTED,
  },
  limit_zip_entries: { cause: 'The workbook has too many parts.', remedy: TRUSTED },
  limit_part_size: {
    cause: 'A part of the workbook is larger than 4 GB unpacked.',
    remedy: TRUSTED,
  },
  limit_inflation: {
    cause: 'A part of the workbook unpacks to far more than its size, like a zip bomb.',
    remedy: TRUSTED,
  },
  limit_shared_strings: { cause: 'The workbook has too many text strings.', remedy: TRUSTED },
  limit_shared_string_size: { cause: 'The text in the workbook is too large.', remedy: TRUSTED },
  limit_cell_formats: {
    cause: 'The workbook has more cell formats than Excel allows.',
    remedy: TRUSTED,
  },
  limit_xml_text: {
    cause:
      'A cell of the workbook exceeds the size that Excel allows, or a part contains megabytes of white space.',
    remedy: TRUSTED,
  },
  limit_xml_entities: {
    cause: 'The workbook declares XML entities, which no spreadsheet program writes.',
    remedy: TRUSTED,
  },
} as const satisfies CodeGroup;
