/** The command and its output. */
import type { ErrorGroup } from './entry.ts';

export const COMMAND = {
  usage: {
    exit: 2,
    cause: 'A command or flag was mistyped, or something is missing.',
    remedy: 'See the usage line below the message, or add --help.',
  },
  bad_number: { exit: 2, cause: 'A flag needs another number.', remedy: 'Give one as the message says.' },
  bad_duration: {
    exit: 2,
    cause: 'A time span cannot be read.',
    remedy: 'Write 500ms, 10s, 5m or 24h.',
  },
  no_answer: {
    exit: 2,
    cause: 'A question could not be asked, because this is no terminal.',
    remedy: 'Give the answer as a flag or by a pipe.',
  },
  no_out: {
    exit: 2,
    cause: 'An export was not told where to go.',
    remedy: 'Add --out FILE, or --out - for a pipe.',
  },
  two_outputs: {
    exit: 2,
    cause: 'Both the rows and the JSON answer were sent to standard output.',
    remedy: 'Leave --json out, or write the rows to a file.',
  },
  no_stream: {
    exit: 2,
    cause: 'The program that called gave no stream to write to.',
    remedy: 'Give one, or a file.',
  },
  unknown_format: {
    exit: 2,
    cause: 'The ending of the file does not tell the format.',
    remedy: 'End it with .csv, .xlsx or .ndjson.',
  },
  unknown_status: {
    exit: 2,
    cause: 'There is no such status.',
    remedy: 'Use keep, sell, trade, sold or archived.',
  },
  no_live_changes: {
    exit: 2,
    cause:
      'A file of changes was to be held against the API, which has no changes but only what is there now.',
    remedy: 'Verify the file without --live.',
  },
  changes_need_file: {
    exit: 2,
    cause: 'An export of changes was to go to a stream.',
    remedy: 'Name a file with --out: the changes are forgotten only once it is in place.',
  },
  changes_need_store: {
    exit: 2,
    cause: 'An export of changes was asked for without a store, which remembers what the last one held.',
    remedy: 'Give the store (in the library: `values` of a ledger).',
  },
  other_selection: {
    exit: 2,
    cause: 'An export of changes has other filters than the last one of that name.',
    remedy: 'Give these filters a name of their own with --changed-since-last, or ask for the same ones.',
  },
  changes_moved: {
    exit: 6,
    cause: 'Another export of changes of the same name ended while this one was reading.',
    remedy: 'Run it again: it then tells what changed since that export.',
  },
  export_taken_over: {
    exit: 6,
    cause: 'Another process went on with an interrupted export while this one, on another host, still ran.',
    remedy: 'Let that one finish, or run this one again with --fresh.',
  },
  no_such_layout: {
    exit: 2,
    cause: 'There is no export layout of that name, and no file either.',
    remedy: 'See the names with: shelflift template list',
  },
  bad_layout: {
    exit: 2,
    cause: 'The export layout has mistakes, each named with its line and column.',
    remedy: 'Mend the lines; compare with: shelflift template show plain',
  },
  bad_locale: {
    exit: 2,
    cause: 'The locale given is no language tag.',
    remedy: 'Give one such as de-DE or en-GB.',
  },
  layout_and_columns: {
    exit: 2,
    cause: 'A layout and a list of columns were given, and both say what the columns are.',
    remedy: 'Give one of them; the columns of a copy of the layout can be changed.',
  },
  double_column: {
    exit: 2,
    cause: 'A column of an export is named twice.',
    remedy: 'Name each column once.',
  },
  needs_xlsx: {
    exit: 2,
    cause: 'The layout makes a sheet for each value of a field, and only a workbook has sheets.',
    remedy: 'Name a file that ends in .xlsx, or take `sheets` out of a copy of the layout.',
  },
  too_many_sheets: {
    exit: 2,
    cause: 'The field that a layout makes sheets of has more values than a workbook should have sheets.',
    remedy: 'Choose another field for `sheets`, or filter the rows.',
  },
  not_for_resource: {
    exit: 2,
    cause: 'A filter was given that this export does not have.',
    remedy: 'Leave it out.',
  },
  out_dir_unwritable: {
    exit: 2,
    cause: 'The results of an import cannot be written to their folder.',
    remedy: 'Name a folder that you may write to: --out-dir DIR.',
  },
  log_file_unwritable: {
    exit: 2,
    cause: 'The file of --log-file cannot be written.',
    remedy: 'Name another place for it.',
  },
  output_is_input: {
    exit: 2,
    cause: 'Two of the files named are one and the same: it would be written over.',
    remedy: 'Name another file for one of them.',
  },
  no_manifest: {
    exit: 2,
    cause: 'There is no manifest beside the exported file.',
    remedy: 'Keep the two files together; export again if it is lost.',
  },
  bad_manifest: {
    exit: 2,
    cause: 'The manifest beside the file is not one of ours.',
    remedy: 'Export again.',
  },
} as const satisfies ErrorGroup;
