/** Errors about an input or output file. */
import type { CodeGroup } from './entry.ts';

const RESAVE = 'Open it in a spreadsheet program and save it as .xlsx or CSV.';

export const FILES = {
  no_such_file: { cause: 'The file does not exist.', remedy: 'Check the spelling and the folder.' },
  is_a_folder: { cause: 'The name belongs to a folder.', remedy: 'Name a file in it.' },
  not_readable: {
    cause: 'You lack permission to read the file, or another program has it open.',
    remedy: 'Change its permissions, close it in the other program, or copy it to a folder of your own.',
  },
  empty_file: {
    cause: 'The file is empty, or all its cells are blank.',
    remedy: 'Check that it is the right file, and that it was downloaded or saved completely.',
  },
  no_header: {
    cause: 'The row that --header-row names is blank.',
    remedy: 'Give the number of the row that contains the column names: --header-row N',
  },
  header_is_data: {
    cause: 'The file has no column names: its first row looks like the data below it.',
    remedy:
      'To read the first row as data: --header-row 0. If the file does have a row of names, give its number: --header-row N',
  },
  no_rows: {
    cause: 'The file has column names but no rows below them.',
    remedy: 'Check that it is the right file and sheet (--sheet NAME).',
  },
  html: {
    cause: 'The file is a web page that contains no table with rows, or that is larger than 64 MB.',
    remedy: RESAVE,
  },
  json: {
    cause: 'The file is JSON, not a table. It may be an NDJSON export for other programs.',
    remedy: 'Export as CSV or XLSX, and import that file.',
  },
  xml_spreadsheet: { cause: 'The file is an "XML Spreadsheet 2003".', remedy: RESAVE },
  old_xls: {
    cause:
      'The file is an Excel 4.0 or older workbook. shelflift reads .xls files written by Excel 5.0 to 2003.',
    remedy: RESAVE,
  },
  xlsb: { cause: 'The file is a binary workbook (.xlsb).', remedy: RESAVE },
  numbers: {
    cause: 'The file is an Apple Numbers document.',
    remedy: 'In Numbers, choose File > Export To > Excel or CSV.',
  },
  binary: {
    cause: 'The file is a picture, an archive or something else that is not a table.',
    remedy: 'Export the table as .xlsx or CSV from the program that made it.',
  },
  password_protected: {
    cause: 'The file is protected by a password.',
    remedy:
      'Set SHELFLIFT_FILE_PASSWORD, or run the command in a terminal and type the password at the prompt. For an .xls: open the file in your spreadsheet program, remove the password and save it as .xlsx.',
  },
  wrong_password: {
    cause: 'The password does not open the workbook.',
    remedy: 'Check SHELFLIFT_FILE_PASSWORD; passwords are case-sensitive.',
  },
  unknown_protection: {
    cause: 'The workbook is protected by a certificate, or by a cipher that is not supported.',
    remedy: 'Open it in your spreadsheet program, remove the protection and save it again.',
  },
  truncated: {
    cause: 'The end of the file is missing, because a download or copy was cut off.',
    remedy: 'Download or copy it again.',
  },
  not_a_workbook: {
    cause: 'The file is a zip, but it lacks parts that every workbook has.',
    remedy: `If it is an archive of spreadsheets, unpack it. If the workbook is damaged, a spreadsheet program may repair it. ${RESAVE}`,
  },
  damaged_workbook: {
    cause: 'The .xls workbook, or the container of a protected one, is damaged.',
    remedy:
      'Download or copy it again. If that does not help, open it in a spreadsheet program and save it as .xlsx or CSV.',
  },
  broken_xml: { cause: 'Part of the workbook is damaged.', remedy: RESAVE },
  bad_part_name: {
    cause: 'The zip contains a part whose name points outside the archive. No real workbook does that.',
    remedy: 'Do not trust this file.',
  },
  no_such_sheet: {
    cause: 'The workbook has no sheet with the name in --sheet.',
    remedy: 'Choose one of the names in the message.',
  },
  no_visible_sheet: {
    cause: 'No visible sheet of the workbook contains a table.',
    remedy: 'Name a hidden sheet with --sheet NAME, or check that it is the right file.',
  },
  bad_currency: {
    cause: '--currency is not an ISO 4217 currency code.',
    remedy: 'Give three letters, such as USD or JPY, or remove --currency.',
  },
  bad_delimiter: {
    cause: 'The delimiter is not a single character.',
    remedy: 'Give one character, or "tab".',
  },
  bad_encoding_name: {
    cause: 'The encoding is unknown.',
    remedy: 'Choose one of the names in the message.',
  },
  broken_csv: {
    cause: 'The text cannot be split into rows and cells.',
    remedy:
      'Check the line in the message: usually there is a quote inside a cell. Or set the delimiter: --delimiter ";"',
  },
  broken_json: {
    cause: 'A line of the file is not valid JSON.',
    remedy: 'The file was changed or cut off after it was written. Export it again.',
  },
  unclosed_quote: {
    cause: 'A quote that opens a cell is never closed, so the rest of the file became one cell.',
    remedy: 'Close or remove the quote on the line in the message.',
  },
  file_exists: {
    cause: 'A file of that name already exists and may contain your work.',
    remedy: 'Choose another name, or add --yes to replace it.',
  },
  cannot_write: {
    cause: 'The file cannot be written there.',
    remedy: 'Choose another folder or name, or close the file in the other program.',
  },
  cannot_stream: {
    cause: 'A workbook cannot be written to the screen or a pipe.',
    remedy: 'Give a file name, or choose CSV.',
  },
} as const satisfies CodeGroup;
