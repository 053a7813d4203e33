/** The file: what is not there, or is not what its name says. */
import type { ErrorGroup } from './entry.ts';

const RESAVE = 'Open it in a spreadsheet program and save it as .xlsx or as CSV.';

export const FILES = {
  no_such_file: {
    exit: 2,
    cause: 'There is no file of that name.',
    remedy: 'Check the spelling and the folder.',
  },
  is_a_folder: { exit: 2, cause: 'The name is that of a folder.', remedy: 'Name a file inside it.' },
  not_readable: {
    exit: 2,
    cause: 'The file may not be read by you, or another program holds it.',
    remedy: 'Change its permissions, close it in the other program, or copy it to a folder of your own.',
  },
  empty_file: {
    exit: 2,
    cause: 'The file has no bytes, or nothing but blank cells.',
    remedy: 'Check that it is the right file, and that its download or its saving was complete.',
  },
  no_header: {
    exit: 2,
    cause: 'The row that --header-row names is blank.',
    remedy: 'Give the number of the row that holds the column names.',
  },
  header_is_data: {
    exit: 2,
    cause: 'The file has no column names: its first row, which was taken for them, is data like those below.',
    remedy:
      'Put a row of names above the data; where the row does hold the names, give its number: --header-row N',
  },
  no_rows: {
    exit: 2,
    cause: 'There are column names, but no row below them.',
    remedy: 'Check that it is the right file and the right sheet (--sheet).',
  },
  html: { exit: 2, cause: 'The file is a web page, whatever its name says.', remedy: RESAVE },
  json: {
    exit: 2,
    cause: 'The file is JSON (NDJSON, perhaps an export for other programs), which is no table.',
    remedy: 'Export as CSV or XLSX, and import that.',
  },
  xml_spreadsheet: { exit: 2, cause: 'The file is an "XML Spreadsheet 2003".', remedy: RESAVE },
  old_xls: { exit: 2, cause: 'The file is a workbook in the old .xls format.', remedy: RESAVE },
  xlsb: { exit: 2, cause: 'The file is a binary workbook (.xlsb).', remedy: RESAVE },
  ods: { exit: 2, cause: 'The file is an OpenDocument spreadsheet (.ods).', remedy: RESAVE },
  numbers: {
    exit: 2,
    cause: 'The file is an Apple Numbers document.',
    remedy: 'In Numbers: File, Export To, Excel or CSV.',
  },
  binary: {
    exit: 2,
    cause: 'The file is a picture, an archive or something else that is no table.',
    remedy: 'Export the table from the program that made it, as .xlsx or as CSV.',
  },
  password_protected: {
    exit: 2,
    cause: 'The file can be opened with a password only.',
    remedy: 'Open it in your spreadsheet program, take the password off, and save it again.',
  },
  truncated: {
    exit: 2,
    cause: 'The end of the workbook is missing: a download or a copy broke off.',
    remedy: 'Download or copy it again.',
  },
  not_a_workbook: {
    exit: 2,
    cause: 'The file is a zip, but parts that a workbook has are not in it.',
    remedy: `Unpack it if it holds spreadsheets; a damaged workbook may still open elsewhere. ${RESAVE}`,
  },
  broken_xml: { exit: 2, cause: 'A part of the workbook is damaged.', remedy: RESAVE },
  bad_part_name: {
    exit: 2,
    cause: 'The zip holds a part whose name leads out of it, as no workbook does.',
    remedy: 'Do not trust this file.',
  },
  no_such_sheet: {
    exit: 2,
    cause: 'The workbook has no sheet of the name that --sheet gives.',
    remedy: 'Choose one of the names in the message.',
  },
  no_visible_sheet: {
    exit: 2,
    cause: 'No visible sheet of the workbook holds a table.',
    remedy: 'Name a hidden one with --sheet, or check that it is the right file.',
  },
  bad_currency: {
    exit: 2,
    cause:
      'The currency of --currency is not one of ISO 4217, so that nobody knows how many digits its cents have.',
    remedy: 'Give its three letters, such as USD or JPY; or leave --currency out.',
  },
  bad_delimiter: {
    exit: 2,
    cause: 'The delimiter given is not one character.',
    remedy: 'Give one character, or "tab".',
  },
  bad_encoding_name: {
    exit: 2,
    cause: 'The encoding given is not known.',
    remedy: 'Give one of the names in the message.',
  },
  broken_csv: {
    exit: 2,
    cause: 'The text cannot be cut into rows and cells.',
    remedy: 'Look at the line named: mostly a quote stands inside of a cell. Or give --delimiter.',
  },
  broken_json: {
    exit: 2,
    cause: 'A line of the file is no JSON.',
    remedy: 'The file was changed or cut since it was written: export it again.',
  },
  unclosed_quote: {
    exit: 2,
    cause: 'A cell begins with a quote that is never closed, so that the rest of the file became one cell.',
    remedy: 'Close or remove the quote at the line named.',
  },
  file_exists: {
    exit: 2,
    cause: 'There is a file of that name already, and it may hold work of yours.',
    remedy: 'Choose another name, or add --yes to replace it.',
  },
  cannot_write: {
    exit: 2,
    cause: 'The file cannot be written where it should go.',
    remedy: 'Choose another place, or close the file in the other program.',
  },
  cannot_stream: {
    exit: 2,
    cause: 'A workbook cannot be written to the screen or a pipe.',
    remedy: 'Name a file, or choose CSV.',
  },
} as const satisfies ErrorGroup;
