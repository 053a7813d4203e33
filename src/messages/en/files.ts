import type { FILES } from '../params/files.ts';
import type { TextsOf } from '../texts.ts';
import { count, counted, quoted } from './format.ts';

export const EN_FILES: TextsOf<typeof FILES> = {
  verbatim: ({ text }) => text,
  place_in_file: ({ file, sheet, row, line, column, header }) =>
    [
      file,
      sheet && `sheet ${quoted(sheet)}`,
      row && `row ${row}`,
      line !== row && line && `line ${line}`,
      column === undefined
        ? header && `column ${quoted(header)}`
        : `column ${column}${header === undefined ? '' : ` (${header})`}`,
    ]
      .filter((part) => part !== undefined && part !== false)
      .join(', '),
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
  html_too_deep: ({ file }) => `${file} is a web page (HTML) with more than 2,000 nested elements.`,
  html_too_large: ({ file }) => `${file} is a web page (HTML) of over 64 MB.`,
  html_without_table: ({ file }) =>
    `${file} is a web page (HTML) despite its name, and it contains no table with rows below a header.`,
  hidden_rows_read: ({ rows }) => `${counted(rows, 'hidden row was', 'hidden rows were')} read too`,
  hidden_columns_read: ({ columns }) => `hidden columns were read too: ${columns.join(', ')}`,
  currency_by_format: ({ columns, currencies }) =>
    `column ${columns.join(', ')}: only the format of the cells shows a currency (${currencies.join(', ')}). The numbers are read without it.`,
  hidden_sheets_not_read: ({ sheets }) => `hidden sheets were not read: ${sheets.map(quoted).join(', ')}`,
  other_sheets_left_out: ({ sheets }) =>
    `sheets with other columns were left out: ${sheets.map(quoted).join(', ')}`,
  other_sheets_not_read: ({ sheet, others }) =>
    `Only the sheet "${sheet}" is read. The workbook also contains ${others.map(quoted).join(', ')}.`,
  late_accents: ({ encoding }) =>
    `accented letters first appear late in the file and are not UTF-8; they are read as ${encoding}`,
  odd_quotes: ({ rows, line }) =>
    `${counted(rows, 'row has', 'rows have')} quotes that do not follow the rules of CSV (the first in line ${line}): quotes around a whole cell were removed, others are read as text`,
  encoding_doubtful: ({ encoding, other }) =>
    `The text may be ${encoding} or ${other}, and is read as ${encoding}. Check the accented letters.`,
  first_row_is_data: () =>
    'the first row is data: the file has no column names, and its columns are named by letter',
  item_per_piece: ({ header, from, to }) =>
    `${quoted(header)} contains ${from === to ? count(to) : `${count(from)} to ${count(to)}`}: create one item for each piece? Otherwise each row becomes one item, and the number is kept in a custom field.`,
  is_first_row_data: ({ what }, say) =>
    `The file may have no column names: ${say(what)}. Read the first row as data?`,
  disk_full: ({ file }) => `The disk is full: ${file} was not written.`,
  free_space_for_file: () => 'Free some space and try again. An existing file was not changed.',
  cannot_write: ({ file, why }, say) => `${file} cannot be written: ${say(why)}.`,
  folder_does_not_exist: () => 'its folder does not exist',
  folder_is_a_file: () => 'its folder is a file',
  folder_has_that_name: () => 'a folder already has that name',
  user_may_not_write: () => 'this user has no permission to write there',
  disk_is_read_only: () => 'the disk is read-only',
  name_is_too_long: () => 'its name is too long',
  open_elsewhere: () => 'it is open in another program',
  no_header: ({ row }) => `Row ${row} contains no column names.`,
  give_header_number: () =>
    'Give the number that a spreadsheet program shows next to the row of column names.',
  all_cells_blank: () => 'All cells of this file are blank.',
  check_right_file: () => 'Check that it is the right file, and that it was saved completely.',
  no_rows: ({ row }) => `There is a header in row ${row}, but no row below it.`,
  parts_missing: ({ file }) => `${file} is cut off: parts that it refers to are missing.`,
  download_again: () => 'Download or copy it again.',
  damaged_workbook: ({ file }) => `${file} is damaged.`,
  download_or_repair: () =>
    'Download or copy it again, or open it in a spreadsheet program, which may repair it, and save it as .xlsx.',
  input_too_long: ({ file, gigabytes }) => `${file} is larger than ${gigabytes} GB.`,
  save_input_as_file: () => 'Save it as a file, and give the name of the file.',
  delimiter_too_long: ({ text }) => `The delimiter must be one character or "tab"; found ${quoted(text)}.`,
  record_too_long: ({ line, byte, millions }) =>
    `The row that begins on line ${line} (byte ${byte}) is longer than ${millions} million characters.`,
  close_likely_quote: () =>
    'The usual cause is a quote on that line that is never closed. Close it, or double it ("").',
  quote_takes_rest: ({ line, byte }) =>
    `A quote is opened on line ${line} (byte ${byte}) and never closed, so the rest of the file became one cell.`,
  close_quote: () => 'Close the quote on that line, or double it ("") if it is part of the text.',
  rows_not_split: ({ line, byte }) => `The file cannot be split into rows at line ${line} (byte ${byte}).`,
  look_at_line: () =>
    'Look at that line in a text editor, or save the table again as CSV from a spreadsheet program.',
  encoding_not_known: ({ text, known }) =>
    `The encoding ${quoted(text)} is unknown. Expected one of: ${known.join(', ')}, latin1, or another such as windows-1250, iso-8859-2, koi8-r, gb18030, big5, euc-kr.`,
  no_such_file: ({ file }) => `There is no file ${file}.`,
  is_a_folder: ({ file }) => `${file} is a folder, not a spreadsheet.`,
  name_file_in_folder: () => 'Name a file in it.',
  may_not_read: ({ file }) => `You lack permission to read ${file}.`,
  change_permissions: () => 'Change its permissions, or copy it to a folder of your own.',
  file_in_use: ({ file }) => `${file} is in use by another program.`,
  close_file_there: () => 'Close it there and try again.',
  empty_file: ({ file }) => `${file} is empty.`,
  resave: () => 'Open it in a spreadsheet program and save it as .xlsx or as CSV.',
  json: ({ file }) => `${file} is JSON, not a table.`,
  export_as_table: () => 'shelflift imports its own exports in CSV and XLSX; NDJSON is for other programs.',
  xml_spreadsheet: ({ file }) => `${file} is an "XML Spreadsheet 2003", which shelflift does not support.`,
  no_spreadsheet: ({ file, format }) =>
    format === undefined
      ? `${file} is neither text nor a spreadsheet that shelflift can read.`
      : `${file} is in ${format} format, not a spreadsheet that shelflift can read.`,
  export_from_program: () => 'Export the table from the program that made it, as .xlsx or as CSV.',
  old_xls: ({ file }) =>
    `${file} is an Excel 4.0 or older workbook, a format that shelflift does not support.`,
  compound_too_large: ({ file, bytes, gigabytes }) =>
    `${file} is ${count(bytes)} bytes long; shelflift reads up to ${gigabytes} GB.`,
  too_many_rows: ({ most }) => `A table has more than ${count(most)} rows.`,
  row_too_wide: ({ row, columns, most }) =>
    columns === undefined
      ? `Row ${row} has more than ${count(most)} columns.`
      : `Row ${row} has ${count(columns)} columns; a sheet has at most ${count(most)}.`,
  row_beyond_last: ({ sheet, row, last }) =>
    `Sheet ${quoted(sheet)} has a row numbered ${row}; rows end at ${last}.`,
  cell_beyond_last: ({ sheet, cell, last }) =>
    `Sheet ${quoted(sheet)} has a cell at ${cell}; columns end at ${last}.`,
  too_many_merged: ({ most }) => `More than ${count(most)} cells are parts of merged cells.`,
  too_many_repeated: ({ sheet, most }) =>
    `Sheet ${quoted(sheet)} repeats filled cells more than ${count(most)} times.`,
  cell_too_long: ({ file, most }) => `${file} has more than ${count(most)} characters in one cell.`,
  text_too_long: ({ sheet }) => `Sheet ${quoted(sheet)} contains text that is too long for a cell.`,
  part_text_too_long: ({ part }) => `Part ${quoted(part)} contains text that is too long for a cell.`,
  part_mostly_blank: ({ part }) => `Part ${quoted(part)} is mostly white space.`,
  part_too_large: ({ part, bytes, gigabytes }) =>
    `Part ${quoted(part)} is ${count(bytes)} bytes when unpacked; shelflift reads up to ${gigabytes} GB.`,
  part_inflates: ({ part, times, bytes, most }) =>
    `Part ${quoted(part)} unpacks to ${count(times)} times its size (${count(bytes)} bytes); shelflift reads up to ${count(most)} times.`,
  hashed_too_often: ({ file, times, most }) =>
    `The password of ${file} must be hashed ${times} times; shelflift does this up to ${count(most)} times.`,
  too_many_formats: ({ most }) => `The workbook has more than ${count(most)} cell formats.`,
  rows_out_of_order: ({ sheet, most }) =>
    `The rows of sheet ${quoted(sheet)} are not in order, and it has more than ${count(most)} cells.`,
  too_many_shared_texts: ({ most }) => `The workbook has more than ${count(most)} shared strings.`,
  shared_texts_too_large: ({ megabytes }) =>
    `The shared strings of this workbook are larger than ${megabytes} MB.`,
  too_many_parts_in_zip: ({ most }) => `The zip has more than ${count(most)} parts.`,
  save_needed_sheet: () =>
    'If you trust the file, open it in a spreadsheet program and save only the sheet that you need, as CSV.',
  ods_has_password: ({ file }) => `${file} is an OpenDocument spreadsheet protected by a password.`,
  save_without_password: () => 'Open it in your spreadsheet program, remove the password and save it again.',
  csv_has_no_sheets: ({ file, sheet }) =>
    `There is no sheet ${quoted(sheet)}: ${file} is a CSV file, which has no sheets.`,
  name_no_sheet: () => 'Do not name a sheet.',
  unknown_protection: ({ file, scheme }) =>
    `${file} is protected in a way that shelflift cannot read (${scheme}).`,
  workbook_has_password: ({ file }) => `${file} is a workbook protected by a password.`,
  give_password: () =>
    'Set SHELFLIFT_FILE_PASSWORD to the password, or run the command in a terminal and type the password at the prompt.',
  wrong_password: ({ file }) => `The password does not open ${file}.`,
  check_password: () => 'Check the password (SHELFLIFT_FILE_PASSWORD); the password is case-sensitive.',
  line_is_no_json: ({ line }) => `Line ${line} is not JSON.`,
  part_outside: ({ name }) =>
    `A part of this workbook is named ${quoted(name)}, which points outside the archive.`,
  do_not_open: () => 'No spreadsheet program writes such a file. Do not open it; ask the sender.',
  part_missing: ({ name }) => `The workbook refers to a part ${quoted(name)}, which is missing.`,
  let_program_repair: () => 'Open it in a spreadsheet program, which may repair it, and save it again.',
  zip_damaged: ({ file }) => `${file} begins like a workbook (zip) but is cut off or damaged.`,
  zip_has_password: ({ file }) => `${file} is a zip protected by a password.`,
  no_worksheet: () => 'The workbook has no worksheet.',
  all_sheets_hidden: ({ sheets }) => `All worksheets are hidden: ${sheets.map(quoted).join(', ')}.`,
  to_name_sheet: () => 'To choose one',
  unhide_sheet: () => 'Unhide it in your spreadsheet program.',
  no_such_sheet: ({ sheet, sheets }) =>
    `There is no sheet ${quoted(sheet)}. The workbook has: ${sheets.map(quoted).join(', ')}.`,
  xml_entities: ({ part }) => `Part ${quoted(part)} declares XML entities (DOCTYPE).`,
  broken_xml: ({ part }) => `Part ${quoted(part)} of the workbook is not well-formed XML.`,
  cannot_stream: () => 'A workbook cannot be written to standard output.',
  name_xlsx_file: () => 'Name a file that ends in .xlsx, or choose CSV or NDJSON.',
  numbers: ({ file }) => `${file} is an Apple Numbers document.`,
  export_from_numbers: () => 'In Numbers, choose File > Export To > Excel or CSV.',
  xlsb: ({ file }) => `${file} is a binary workbook (.xlsb), which shelflift does not support.`,
  unpack_first: () =>
    'If the spreadsheet is inside a zip archive, unpack it first and name the spreadsheet itself.',
  too_many_columns: ({ most, columns }) =>
    `A sheet has room for ${counted(most, 'column')}; the table has ${count(columns)}.`,
  choose_fewer_columns: () => 'Choose fewer columns, or write CSV.',
  link_leads_nowhere: () => 'it is a link to a file that is not there',
  link_of_others: ({ target }) =>
    `it is a link to ${target}, and the link and its target do not both belong to this user`,
  folder_link_of_others: ({ folder }) => `${folder} is a link that belongs to another user`,
  not_a_regular_file: () => 'it is not a regular file',
};
