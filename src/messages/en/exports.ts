import type { EXPORTS } from '../params/exports.ts';
import type { TextsOf } from '../texts.ts';
import { count, counted, either, list, quoted } from './format.ts';

export const EN_EXPORTS: TextsOf<typeof EXPORTS> = {
  give_known_collection: () => 'Give the name or id of an existing collection.',
  other_selection: ({ name, last, selection }) =>
    `The last export of changes "${name}" contained ${last}; this one asks for ${selection}.`,
  to_use_another_name: () => 'To keep exports with these filters separate',
  changes_moved: ({ name }) =>
    `Another export of changes "${name}" ran at the same time. Nothing was written.`,
  changes_undelivered: ({ name, run }) =>
    `The previous file of changes "${name}" has not been delivered yet (run ${run}). The next one is made after that, so that no change is in both.`,
  changes_of_other_team: ({ name }) =>
    `The earlier files of changes "${name}" were made with another API key, and none of their items is on the list now: they are probably another team's. Nothing was written.`,
  to_begin_another_name: () => 'To begin under a separate name',
  changes_team_assumed: ({ name }) =>
    `The earlier files of changes "${name}" were made with another API key. They contain no item that could show whether that key belongs to this team; this file begins where they end.`,
  export_changes_again: () => 'Run the export again to get the changes since that export.',
  no_stream: () => 'There is no stream to write to.',
  not_for_resource: ({ resource, option }) =>
    `${resource} do not support ${option}; only items and listings do.`,
  changes_need_file: () =>
    'Changes go to a file: shelflift cannot tell whether a stream arrived, and each change is reported only once.',
  since_needs_became: () =>
    'A start day works only in an export of the items that changed to a given status: shelflift does not know any other values of a past day.',
  became_needs_name: () =>
    'shelflift knows which items changed to a given status only by comparing an export with the previous export of the same name. Such an export cannot also have a status filter.',
  layout_needs_became: ({ layout }) =>
    `The layout ${layout} shows when an item was first seen with a status, which is known only in an export of the items that changed to a given status.`,
  bad_locale: ({ locale }) => `"${locale}" is not a language tag; use one such as de-DE.`,
  layout_and_columns: () => 'A layout and columns were given: the layout already defines the columns.',
  needs_xlsx: ({ layout, field }) =>
    `The layout ${layout} writes a sheet for each ${field}: only an .xlsx file has sheets.`,
  unknown_format: ({ file, ending, endings }) =>
    `${file} ${ending === '' ? 'has no ending' : `ends in .${ending}`}; use ${either(endings)}.`,
  use_one_ending: () => 'Give the file one of these endings; the ending determines the format.',
  name_file_inside: () => 'Name a file inside it.',
  place_no_folder: ({ folder }) => `there is no folder ${folder}`,
  create_or_choose_place: () => 'Create it, or choose another place.',
  place_below_file: ({ folder }) => `${folder} is a file`,
  choose_another_place: () => 'Choose another place.',
  unknown_status: ({ word, known }) => `There is no status "${word}"; use ${either(known)}.`,
  status_not_listed: ({ word, known }) => `No listing has the status "${word}"; use ${either(known)}.`,
  status_missing: ({ known }) => `No status was named; use ${either(known)}.`,
  bad_delimiter: ({ given }) => `"${given}" is not a delimiter; use one character such as ; or tab.`,
  no_column_named: () => 'No column was named.',
  unknown_column: ({ columns }) => `There is no column ${columns.map(quoted).join(', ')}.`,
  available_columns: ({ known }) => `Available columns: ${list(known)}.`,
  double_column: ({ column }) => `The column "${column}" is named twice.`,
  name_column_once: () => 'Name each column once: an import of the file could not tell which one counts.',
  no_such_layout: ({ layout }) => `There is no export layout "${layout}".`,
  available_layouts: ({ known, path }) =>
    `Available layouts: ${known.join(', ')}. Give a layout of your own as a path, such as ${path}.`,
  layout_file_missing: ({ file }) => `The layout ${file} cannot be read: there is no such file.`,
  layout_file_closed: ({ file }) => `The layout ${file} cannot be read: it cannot be opened.`,
  check_path: () => 'Check the path.',
  to_list_layouts: () => 'To list the layouts that come with shelflift',
  layout_needs_field: ({ layout, column, field, items }) =>
    `The layout ${layout} takes "${column}" from ${field}, and ${items === 1 ? 'the one item does not have' : `none of the ${count(items)} items has`} this field. Nothing was written.`,
  fill_field: ({ field }) => `Set ${field} in the items, or name the right field in a layout of your own.`,
  to_start_layout: () => 'To start a layout of your own from this one',
  too_many_sheets: ({ field, sheets }) =>
    `${field} has more than ${counted(sheets, 'value')}: too many to give each a sheet.`,
  no_live_report: ({ file }) => `${file} is a report: create it again to see the changes.`,
  no_live_changes: ({ file }) =>
    `${file} contains changes: the API shows only current values, so there is nothing to compare with.`,
  no_manifest: ({ manifest }) => `There is no manifest ${manifest}.`,
  keep_manifest: () => 'Keep the manifest next to its file; without it, the file cannot be verified.',
  bad_manifest: ({ manifest, place, problem }, say) =>
    `${manifest} is not a shelflift manifest: ${place} ${say(problem)}`,
  changes_need_store: () => 'An export of changes needs a store to remember what the last export contained.',
  output_is_compared: ({ file }) => `${file} is one of the files to compare, so it is not overwritten.`,
  rows_lack_key: ({ file, field }) => `${file}: no row has the field ${field}.`,
  key_no_column: ({ file, field }) => `${file}: there is no column ${field}.`,
  to_name_key_column: ({ known }) =>
    `The file has ${known.join(', ')}. To compare by a column that identifies an item`,
  to_compare_by_near: () => 'To compare by the column with a similar name',
  other_resources: ({ one, resource, other, other_resource }) =>
    `The two files cannot be compared: ${one} contains ${resource}, and ${other} contains ${other_resource}.`,
  other_forms: ({ one, other }) =>
    `The two files cannot be compared: ${one} and ${other} write amounts and dates in different ways.`,
  export_both_alike: () => 'Export both in the same way, without a locale.',
  double_key: ({ file, row, first, key, value }) =>
    `${first === undefined ? `Row ${row} and an earlier row` : `Rows ${first} and ${row}`} of ${file} have the same ${key} (${value}): it is unclear which item is meant.`,
  export_again: () => 'Export again.',
  to_compare_by_id: () => 'To compare by a field that is different in each item',
  not_an_export: ({ file }) =>
    `${file} is not an export: expected a file that ends in .csv, .xlsx or .ndjson.`,
  file_cut_off: ({ file, bytes, written }) =>
    `The end of ${file} is missing: it has ${bytes} of the ${written} bytes that were written.`,
  copy_or_export_again: () => 'Copy or download it again, or export again.',
  row_not_as_exported: ({ file, row, problem }, say) =>
    `Row ${row} of ${file} does not have the form of an export: ${say(problem)}.`,
  perhaps_cut_off: () => 'The file may be cut off there, or somebody may have edited it. Export again.',
  export_taken_over: () =>
    'Another process has taken over this export and continues from this point. Nothing was written.',
  wait_for_process: () => 'Wait for that process to finish.',
  to_read_everything: () => 'To read everything again',
  list_moved: ({ explanation }, say) =>
    `The list of items changed while shelflift was reading it. ${say(explanation)}`,
  read_list_again: () => 'Run the command again when nobody is removing items.',
  first_export_of_changes: ({ name }) =>
    `This is the first export under the name "${name}": it sets the starting point and contains every row. The next export contains only the changes since then.`,
  became_undone: ({ name, status, items }) =>
    `${counted(items, 'item')} that had the status "${status}" at the last export under the name "${name}" ${items === 1 ? 'has' : 'have'} another status now. If an earlier file lists ${items === 1 ? 'this item' : 'these items'}, no later file takes that back; if the status comes back, a file lists ${items === 1 ? 'the item' : 'them'} again.`,
  first_export_of_became: ({ name, status }) =>
    `This is the first export under the name "${name}": it sets the starting point and has no rows. The next export contains the items that have changed to the status "${status}" since then.`,
  starts_with_reading: ({ at, status, late }) =>
    `The file begins with the reading of ${at}, which is the nearest to the start of that day. It contains the items that have changed to the status "${status}" since then${late ? ', and not those that changed earlier on that day' : ''}.`,
  earlier_start_known: ({ days }, say) =>
    `An export under another name can start on an earlier day. ${say(days)}`,
  to_begin_earlier: () => 'To begin on a past day',
  too_long_for_cell: ({ field, items, more }) =>
    `${field} is too long for an XLSX cell and was left blank in ${items.join(', ')}${more === 0 ? '' : ` and ${count(more)} more`}.`,
  column_is_blank: ({ field }) => `No row has ${field}; its column is blank.`,
  header_would_not_survive: ({ field }) =>
    `The name ${field} cannot be used as a header. Its column is named with a leading _, and an import skips that column.`,
  layout_field_in_no_row: ({ layout, field }) => `The layout ${layout} uses ${field}, but no row has it.`,
  rows_not_taken: ({ rows, layout, problems, more }, say) =>
    `${rows === 1 ? '1 row is' : `${count(rows)} rows are`} left out, because ${layout} does not accept ${rows === 1 ? 'its' : 'their'} values: ${problems.map(say).join('; ')}${more ? ' …' : ''}`,
  total_lacks_texts: ({ column, rows, texts, more }) =>
    `The total of ${column} lacks ${counted(rows, 'row')} whose value is not a number: ${texts.map((text) => `"${text}"`).join(', ')}${more ? ' …' : ''}. Only digits with a decimal point count as a number.`,
  item_problem: ({ name, id, problem }, say) => `${name} (${id}): ${say(problem)}`,
  column_in_other_currency: ({ column, expected, found }) => `${column} is in ${expected}, not in ${found}`,
  value_is_blank: ({ column }) => `${column} is blank`,
  value_no_number: ({ column, value }) => `${column} "${value}" is not a number`,
  value_no_date: ({ column, value }) => `${column} "${value}" is not a date (expected 2026-10-31)`,
  value_not_listed: ({ column, value }) => `${column} "${value}"`,
  fields_not_read: ({ fields, items }) =>
    `The list leaves out ${list(fields)}, and ${counted(items, 'item')} of the list could not be read by ${items === 1 ? 'its id' : 'their ids'}: values of ${items === 1 ? 'this item' : 'these items'} may be missing.`,
  fields_not_shown: ({ fields, lookedUp }) =>
    `The list shows no value of ${list(fields)}. shelflift read ${counted(lookedUp, 'item')} from all parts of the list one by one and found none there either, but the list may leave out values of other items.`,
  no_item_has_field: ({ field, others, more }) =>
    `No item has ${field}.${others.length === 0 ? '' : ` There are ${others.join(', ')}${more ? ' …' : ''}.`}`,
  half_characters_blanked: ({ cells, column }) =>
    `${counted(cells, 'cell')} of ${column} ${cells === 1 ? 'was' : 'were'} left blank: the text contains half of a surrogate pair, which CSV cannot represent. NDJSON can.`,
  cells_cut: ({ cells }) =>
    `${counted(cells, 'cell was', 'cells were')} cut to the 32,767 characters that a workbook allows.`,
  rows_fill_sheets: ({ sheets }) =>
    `The rows fill ${counted(sheets, 'sheet')}: a sheet has room for 1,048,576.`,
};
