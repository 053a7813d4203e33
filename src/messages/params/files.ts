import type { Params } from './kinds.ts';

/** How a file is read. */
export const FILES = {
  /** A name that is the same in every language: UTF-8, XLSX, `;`. */
  verbatim: { text: 'text' },
  tab: {},
  decimal_comma: {},
  decimal_point: {},
  decimal_both: {},
  sheet: { sheet: 'text' },
  header_row: { row: 'count' },
  header_rows: { first: 'count', last: 'count' },
  headless: {},
  rows_given: { rows: 'count' },
  rows_left_out_by_map: { rows: 'count' },
  column_unnamed: { column: 'text' },
  header_repeated: { header: 'text', columns: 'texts' },
  block_before_not_read: { column: 'text' },
  block_after_not_read: { column: 'text' },
  html_too_deep: { file: 'text' },
  html_too_large: { file: 'text' },
  html_without_table: { file: 'text' },
  save_as_workbook: {},
  hidden_rows_read: { rows: 'count' },
  hidden_columns_read: { columns: 'texts' },
  hidden_sheets_not_read: { sheets: 'texts' },
  other_sheets_left_out: { sheets: 'texts' },
  other_sheets_not_read: { sheet: 'text', others: 'texts' },
  late_accents: { encoding: 'text' },
  odd_quotes: { rows: 'count', line: 'count' },
  encoding_doubtful: { encoding: 'text', other: 'text' },
  first_row_is_data: {},
} as const satisfies Params;
