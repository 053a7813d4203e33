import type { FILES } from '../params/files.ts';
import type { TextsOf } from '../texts.ts';
import { counted, quoted } from './format.ts';

export const EN_FILES: TextsOf<typeof FILES> = {
  verbatim: ({ text }) => text,
  tab: () => 'tab',
  decimal_comma: () => 'decimal comma',
  decimal_point: () => 'decimal point',
  decimal_both: () => 'decimal comma and point',
  sheet: ({ sheet }) => `sheet "${sheet}"`,
  header_row: ({ row }) => `header in row ${row}`,
  header_rows: ({ first, last }) => `header in rows ${first} and ${last}`,
  headless: () => 'no header',
  rows_given: ({ rows }) => counted(rows, 'row'),
  rows_left_out_by_map: ({ rows }) => `The mapping function left ${counted(rows, 'row')} out.`,
  column_unnamed: ({ column }) => `column ${column} has data but no header`,
  header_repeated: ({ header, columns }) => `header "${header}" is in columns ${columns.join(', ')}`,
  block_before_not_read: ({ column }) => `the block beside the table, before column ${column}, is not read`,
  block_after_not_read: ({ column }) => `the block beside the table, from column ${column} on, is not read`,
  html_too_deep: ({ file }) => `${file} is a web page (HTML) with over 2,000 elements within each other.`,
  html_too_large: ({ file }) => `${file} is a web page (HTML) of over 64 MB.`,
  html_without_table: ({ file }) =>
    `${file} is a web page (HTML), whatever its name says, and has no table with rows below its header.`,
  save_as_workbook: () => 'Open it in a spreadsheet program and save it as .xlsx or as CSV.',
  hidden_rows_read: ({ rows }) => `hidden rows were read too: ${rows}`,
  hidden_columns_read: ({ columns }) => `hidden columns were read too: ${columns.join(', ')}`,
  hidden_sheets_not_read: ({ sheets }) => `hidden sheets were not read: ${sheets.map(quoted).join(', ')}`,
  other_sheets_left_out: ({ sheets }) =>
    `sheets with other columns were left out: ${sheets.map(quoted).join(', ')}`,
  other_sheets_not_read: ({ sheet, others }) =>
    `Only the sheet "${sheet}" is read. The workbook also contains ${others.map(quoted).join(', ')}.`,
  late_accents: ({ encoding }) =>
    `the first accents come late in the file and are not UTF-8: they are read as ${encoding}`,
  odd_quotes: ({ rows, line }) =>
    `${counted(rows, 'row has', 'rows have')} quotes that do not follow the rules of CSV (the first in line ${line}): quotes around a whole cell were removed, others are read as text`,
  encoding_doubtful: ({ encoding, other }) =>
    `The text may be ${encoding} or ${other}, and is read as ${encoding}. Check the accented letters.`,
  first_row_is_data: () =>
    'the first row is data: the file has no column names, and its columns are named by letter',
};
