/** Errors about the command and its output. */
import type { CodeGroup } from './entry.ts';

export const COMMAND = {
  usage: {
    cause: 'A command or flag is misspelt or missing.',
    remedy: 'See the usage line below the message, or add --help.',
  },
  unknown_option: {
    cause: 'A program passed an option that the function does not have.',
    remedy:
      'Spell it as the message says. In a program, write command-line options without dashes: skipInvalid.',
  },
  bad_option: {
    cause:
      'In a program, or in the sandbox command, an option has an invalid value, or a required option is missing.',
    remedy: 'Give a value as the message says.',
  },
  bad_source: {
    cause: 'A program named no source of rows, or several.',
    remedy: 'Give one of { file }, { rows } and { stream }.',
  },
  bad_row: {
    cause: 'A row that a program gave, or that its mapping function returned, cannot be used.',
    remedy:
      'Pass objects whose values are strings, numbers, booleans, dates or null; the message names the row.',
  },
  mapping_failed: {
    cause: "A program's mapping function threw an error.",
    remedy:
      'The message names the row. The error of the function is in the property `cause`. Nothing was sent.',
  },
  stream_failed: {
    cause: "A program's stream or iterator of rows failed, or its output stream failed during an export.",
    remedy:
      'The error of the stream is in the property `cause`. No row of an import was sent; call the same function again with a new stream.',
  },
  bad_number: {
    cause: 'A flag has a number outside its range.',
    remedy: 'Give a number as the message says.',
  },
  bad_where: {
    cause: 'An expression that chooses items cannot be read.',
    remedy:
      "Write FIELD, an operator and a value, such as 'brand=Hasbro', 'estimated_value>=50' or 'tags has boxed'.",
  },
  bad_by: {
    cause: 'A report cannot group by that field.',
    remedy: 'Give a field of items, such as release_year, or custom_fields.NAME.',
  },
  not_confirmed: {
    cause: 'The question was not answered with yes.',
    remedy: 'Run the command again, and answer yes.',
  },
  mixed_currencies: {
    cause: 'One change would set or change values in several currencies.',
    remedy: 'Change the values in one currency at a time: --currency USD',
  },
  repeated_change: {
    cause: 'The same relative change was made to the same items before and is still in effect.',
    remedy: 'To make the change a second time, add --yes.',
  },
  bad_duration: { cause: 'A duration is not valid.', remedy: 'Write it as 500ms, 10s, 5m or 24h.' },
  no_answer: {
    cause: 'The command had to ask a question, but there was no terminal.',
    remedy: 'Answer with a flag or on standard input.',
  },
  no_out: {
    cause: 'The export has no destination.',
    remedy: 'Add --out FILE, or --out - for standard output.',
  },
  not_our_file: {
    cause:
      'The file that --out or --plan names was edited after shelflift wrote it, was not written by shelflift, or was replaced by another command at the same time.',
    remedy:
      'Choose another name, or, for --out, pass --overwrite. Give each of two commands a file of its own.',
  },
  two_outputs: {
    cause: 'The rows and the JSON summary would both go to standard output.',
    remedy: 'Remove --json, or write the rows to a file: --out FILE',
  },
  no_stream: {
    cause: 'The calling program passed no stream to write to.',
    remedy: 'Pass a stream or a file name.',
  },
  unknown_format: {
    cause: 'The file name does not end in a known format.',
    remedy: 'Use a name that ends in .csv, .xlsx or .ndjson.',
  },
  unknown_status: {
    cause: 'There is no such status.',
    remedy: 'Use keep, sell, trade, sold or archived.',
  },
  no_live_changes: {
    cause:
      'An export of changes, or a report, cannot be compared with the API, which shows only the current items.',
    remedy: 'Verify the file without --live.',
  },
  layout_needs_field: {
    cause: 'The layout takes a required value from a field that no item has. Nothing was written.',
    remedy: 'Fill in that field of the items, or name the field that has the value in a layout of your own.',
  },
  changes_need_file: {
    cause: 'An export of changes needs a file, not a stream.',
    remedy: 'Add --out FILE. shelflift marks the changes as exported only once the file is in place.',
  },
  changes_need_store: {
    cause: 'An export of changes needs a store, which remembers the previous export.',
    remedy: 'Use a permanent store: --store FILE, or, in a program, the option `store` of `open`.',
  },
  other_selection: {
    cause: 'The previous export of that name used other filters.',
    remedy: 'Use the same filters, or give these their own name: --changed-since-last NAME',
  },
  changes_moved: {
    cause: 'Another export of the same name ran at the same time.',
    remedy: 'Run the command again to export the changes since then.',
  },
  changes_undelivered: {
    cause: 'A worker has yet to deliver an earlier file of changes of the same name.',
    remedy:
      'A worker makes the next file once the earlier one is delivered or parked; you can then run the command again. If the earlier file is no longer wanted: shelflift jobs cancel RUN',
  },
  changes_of_other_team: {
    cause:
      'The earlier exports of that name used another API key, possibly of another team: one of the keys lacks permission to list collections, and no item from the earlier files is on the list.',
    remedy:
      'For another team, or to start over, use another name: --changed-since-last NAME. If the keys have the scope collections:read, shelflift can tell the teams apart.',
  },
  export_taken_over: {
    cause:
      'Another process continued this interrupted export while this one was still running on another host.',
    remedy: 'Let the other export finish, or start this export over with --fresh.',
  },
  no_such_layout: {
    cause: 'There is no export layout or file of that name.',
    remedy: 'List the layouts: shelflift template list',
  },
  bad_layout: {
    cause: 'The export layout has errors; the message gives the line and column of each.',
    remedy: 'Correct those lines. To see a correct layout: shelflift template show plain',
  },
  bad_period: {
    cause: 'The day, month or year does not exist, or the report cannot be made for it.',
    remedy: 'Use a day, month or year such as 2026-10-31, 2026-10 or 2026.',
  },
  bad_zone: {
    cause: 'There is no such time zone.',
    remedy: 'Use a name such as Europe/Berlin or UTC.',
  },
  period_not_over: {
    cause: 'The period has not ended, so its figures are not final yet.',
    remedy: 'Wait until it has ended, or make the report without a period: it then shows the current state.',
  },
  no_reading: {
    cause:
      'The store has no reading near that time. The API returns only current values, so those figures are not available.',
    remedy:
      'Ask for one of the days that the message names. Schedule a report or an export of items each night, so that later days are known.',
  },
  bad_locale: {
    cause: 'The locale is not a language tag.',
    remedy: 'Use a tag such as de-DE or en-GB.',
  },
  layout_and_columns: {
    cause: 'Both --layout and --columns define the columns.',
    remedy: 'Use one of them. To change the columns of a layout, edit a copy of it.',
  },
  double_column: { cause: 'The export names a column twice.', remedy: 'Name each column once.' },
  needs_xlsx: {
    cause: 'The layout makes one sheet per value of a field, and only a workbook has sheets.',
    remedy: 'Use a file name that ends in .xlsx, or remove `sheets` from a copy of the layout.',
  },
  too_many_sheets: {
    cause: 'The field under `sheets` in the layout has too many values for one workbook.',
    remedy: 'Choose another field for `sheets`, or filter the rows.',
  },
  not_for_resource: {
    cause: 'This export does not support one of the filters.',
    remedy: 'Remove that filter.',
  },
  out_dir_unwritable: {
    cause: 'The results of the import cannot be written to their folder.',
    remedy: 'Choose a folder that you can write to: --out-dir DIR',
  },
  log_file_unwritable: {
    cause: 'The log file (--log-file) cannot be written.',
    remedy: 'Choose another path: --log-file FILE',
  },
  output_is_input: {
    cause: 'Two of the named files are the same file, which would be overwritten.',
    remedy: 'Choose another name for one of them.',
  },
  not_comparable: {
    cause:
      'The two exports have no common key column, hold different kinds of rows, or write amounts and dates in different ways.',
    remedy: 'Export both in the same way, without --locale, or name another key: --by FIELD',
  },
  double_key: {
    cause: 'Several rows of an export have the same key, so the item of each row cannot be determined.',
    remedy: 'Compare by a field that is different in each item: --by id',
  },
  no_manifest: {
    cause: 'The file has no manifest beside it.',
    remedy: 'Put the two files into the same folder again. If the manifest is lost, export again.',
  },
  bad_manifest: {
    cause: 'The manifest beside the file was not written by shelflift, or is damaged.',
    remedy: 'Export again.',
  },
} as const satisfies CodeGroup;
