import type { OUTPUTS } from '../params/outputs.ts';
import type { TextsOf } from '../texts.ts';
import { count, counted, list } from './format.ts';

export const EN_OUTPUTS: TextsOf<typeof OUTPUTS> = {
  label_error: () => 'error',
  counted_items: ({ number }) => counted(number, 'item'),
  counted_listings: ({ number }) => counted(number, 'listing'),
  counted_collections: ({ number }) => counted(number, 'collection'),
  counted_sales: ({ number }) => counted(number, 'reading'),
  export_written: ({ what, file }, say) => `${say(what)} → ${file}`,
  read_completely: ({ passes }) => `complete (${counted(passes, 'pass', 'passes')})`,
  list_moved_see_manifest: ({ passes }) =>
    `the list changed while it was read: see the manifest (${counted(passes, 'pass', 'passes')})`,
  rows_left_out_above: ({ rows }) => `left out: ${counted(rows, 'row')}, listed above`,
  totals_lack_values: ({ values }) =>
    `The totals lack ${counted(values, 'value that is', 'values that are')} not a number.`,
  cells_left_blank: ({ cells }) =>
    `${counted(cells, 'cell was', 'cells were')} left blank, because ${cells === 1 ? 'its text is' : 'their texts are'} too long for a workbook. A CSV file can hold ${cells === 1 ? 'it' : 'them'}.`,
  manifest_is: ({ file }) => `manifest: ${file}`,
  list_moved_no_file: ({ resource }) =>
    `Nothing was written: the list of ${resource} changed while it was read.`,
  only_for_csv: ({ options, file }) =>
    `${list(options)} ${options.length === 1 ? 'applies' : 'apply'} only to CSV and ${options.length === 1 ? 'has' : 'have'} no effect on ${file}.`,
  not_for_workbook: ({ option, file }) =>
    `${option} has no effect on ${file}: the program that opens a workbook determines how numbers and dates look.`,
  rows_kept_for_day: ({ rows, command }) =>
    `${counted(rows, 'row that was read is', 'rows that were read are')} kept for 24 hours. To continue from there:\n  ${command}`,
  sales_as_reported: ({ at }) => `sales, as reported at ${at}`,
  file_as_written: ({ file, rows }) => `${file}: as it was written, ${counted(rows, 'row')}`,
  file_not_as_written: ({ file }) => `${file} has changed since it was written:`,
  report_of_inventory: ({ rows, file }) => `inventory report of ${counted(rows, 'item')} → ${file}`,
  report_of_listings: ({ rows, file }) => `listings report of ${counted(rows, 'listing')} → ${file}`,
  report_of_sales: ({ rows, file }) => `sales report of ${counted(rows, 'reading')} → ${file}`,
  report_of_month: ({ rows, file }) => `monthly report of ${counted(rows, 'item')} → ${file}`,
  compared_with_reading: ({ at }) => `compared with the reading of ${at}`,
  list_moved_see_report: () => 'the list changed while it was read: see "About this report" in the file',
  no_program_for_file: ({ file }) => `found no program to open files with; the report is ${file}`,
  file_bytes_differ: ({ found, written }) => `The file has ${found} bytes; ${written} were written.`,
  file_hash_differs: ({ found, written }) =>
    `The file was changed: its SHA-256 is ${found}; it was ${written}.`,
  file_no_table: () => 'The file cannot be read as a table.',
  file_rows_differ: ({ found, expected }) =>
    `The file has ${counted(found, 'row')}; the manifest says ${count(expected)}.`,
  amounts_no_numbers: ({ amounts }) =>
    `The file was changed: ${counted(amounts, 'amount is not a number', 'amounts are not numbers')}.`,
  rows_not_selected: ({ rows, where }) =>
    `${counted(rows, 'row does', 'rows do')} not match the selection of the export: ${where}.`,
  status_rows_differ: ({ status, found, expected }) =>
    `Rows with the status ${status}: ${count(found)} in the file; the manifest says ${count(expected)}.`,
  currency_values_differ: ({ currency, found = 'none', expected = 'none' }) =>
    `Values in ${currency}: ${found} in the file; the manifest says ${expected}.`,
  live_compared: ({ address, at, same }) =>
    `compared with ${address} as of ${at}: ${counted(same, 'row is', 'rows are')} unchanged`,
  live_changed: ({ rows, ids }) => `changed since: ${withIds(rows, ids)}`,
  live_new: ({ rows, ids }) => `new since: ${withIds(rows, ids)}`,
  live_gone: ({ rows, ids }) => `gone, or no longer in the selection: ${withIds(rows, ids)}`,
  live_other_team: () =>
    'the collections differ from those at the time of the export: the key belongs to another team, or collections were added',
  live_moved: () => 'the list changed while it was read',
  label_defect: () => 'defect in shelflift',
  defect_lost_nothing: ({ option }) =>
    `This is a bug in shelflift. No recorded data is lost. Add ${option} to see where it comes from.`,
  request_id_is: ({ id }) => `request id: ${id}`,
  row_of_sheet: ({ row, sheet }) => `row ${row}${sheet === undefined ? '' : ` of ${sheet}`}`,
  canary_row: ({ row, name, item, result }) => `row ${row}: ${name} (${item ?? 'no item'}): ${result}`,
  was_created: () => 'created',
  label_undecided: () => 'to decide:',
  file_changed_since_export: ({ file }) => `${file} was changed since it was exported.`,
  file_has_changes_only: ({ file }) =>
    `${file} contains only changes: items that are not in it count as gone or added.`,
  list_moved_for_file: ({ file }) => `The list changed while ${file} was made. Its manifest explains how.`,
  columns_of_one_file: ({ columns, named, more }) =>
    `Not compared: ${counted(columns, 'column')} that only one of the files has (${named.join(', ')}${more ? ', …' : ''}).`,
  files_of_two_teams: () => 'The files come from different teams, or collections were added in between.',
  files_of_two_filters: () =>
    'The files were exported with different filters: items that only one of them selected count as added or gone.',
  file_lacks_rows: ({ file, rows, exported }) =>
    `${file} has ${count(rows)} of the ${count(exported)} rows that were exported: the items of the missing rows count as gone or added.`,
  rows_without_key: ({ rows, file, key }) =>
    `${counted(rows, 'row')} of ${file} ${rows === 1 ? 'has' : 'have'} no ${key} and ${rows === 1 ? 'is' : 'are'} not compared.`,
  file_with_items: ({ file, items }) => `${file} (${counted(items, 'item')})`,
  files_compared: ({ before, after, key }, say) => `${say(before)} → ${say(after)}, by ${key}`,
  items_compared_counts: ({ added, gone, changed, unchanged }) =>
    `added ${count(added)}, gone ${count(gone)}, changed ${count(changed)}, unchanged ${count(unchanged)}`,
  field_in_items: ({ field, items }) => `${field} ${count(items)}`,
  fields_that_changed: ({ fields, more }, say) =>
    `fields: ${fields.map(say).join(', ')}${more === undefined ? '' : `, and ${count(more)} more`}`,
  diff_changed: () => 'CHANGED',
  diff_added: () => 'ADDED',
  diff_gone: () => 'GONE',
  head_key: () => 'KEY',
  written_to: ({ file }) => `written to ${file}`,
  items_being_read: ({ items }) => `reading: ${counted(items, 'item')}`,
  items_look_the_same: ({ groups, items, all }) =>
    `${count(items)} of ${counted(all, 'item')} look the same as others, in ${counted(groups, 'group')}`,
  more_groups: ({ groups }) => `… and ${counted(groups, 'more group')}`,
  fill_duplicates_in: ({ file, command }) =>
    `written to ${file}: fill in its action column (keep, archive), then: ${command}`,
  store_copied: ({ jobs, rows, from, to }) =>
    `copied ${counted(jobs, 'job')} with ${counted(rows, 'row')}: ${from} → ${to}`,
  store_read_back: ({ sha256 }) => `read back and compared: sha256 ${sha256}`,
  with_waiting_files: ({ files }) =>
    `with ${counted(files, 'file that is waiting', 'files that are waiting')} for an import or a delivery`,
  go_on_with_one_store: () =>
    'Continue with only one of the two: a job that is resumed in both sends its rows twice.',
  store_backed_up: ({ file, jobs, rows, store }) =>
    `${file}: ${counted(jobs, 'job')} with ${counted(rows, 'row')} of ${store}, checked`,
  waiting_files_beside: ({ files, folder }) =>
    `with ${counted(files, 'file that is waiting', 'files that are waiting')} for an import or a delivery, in ${folder}: keep that folder beside the file`,
  store_is_whole: ({ store, jobs, rows }) =>
    `${store}: intact; ${counted(jobs, 'job')} with ${counted(rows, 'row')}`,
  store_not_whole: ({ store }) => `${store} is damaged:`,
  store_pruned: ({ store, jobs, dryRuns, readings, megabytes }) =>
    `${store}: pruned ${counted(jobs, 'job')}, ${counted(dryRuns, 'dry run')} and ${counted(readings, 'reading')} of the inventory (${megabytes.toFixed(1)} MB of cells and payloads)`,
  space_given_back: ({ megabytes }) => `freed ${megabytes.toFixed(1)} MB of disk space`,
  store_in_use_elsewhere: () => 'no disk space was freed, because another process has the store open',
  last_is_job: ({ job, file }) => `last: job ${job} of ${file}`,
};

/** `2 (ID, ID)`, `21 (ID, … …)`. */
function withIds(rows: number, ids: readonly string[]): string {
  return `${count(rows)}${ids.length === 0 ? '' : ` (${ids.join(', ')}${rows > ids.length ? ' …' : ''})`}`;
}
