import type { JOBS } from '../params/jobs.ts';
import type { MessageParams } from '../params.ts';
import type { Say, TextsOf } from '../texts.ts';
import { count, counted, list, quoted, unsent, utcTime } from './format.ts';

export const EN_JOBS: TextsOf<typeof JOBS> = {
  already_imported: ({ job }) => `Job ${job} has already imported this file: an import would send nothing.`,
  left_out_of_public: ({ columns }) =>
    `${counted(columns.length, 'unmapped column', 'unmapped columns')} (${columns.join(', ')}) ${columns.length === 1 ? 'is' : 'are'} left out, because everybody can see the collection.`,
  kept_columns: ({ columns }) =>
    `${counted(columns.length, 'unmapped column', 'unmapped columns')} (${columns.join(', ')}) ${columns.length === 1 ? 'is kept as a custom field' : 'are kept as custom fields'}.`,
  held_for_quantity: ({ rows, key }) =>
    `${counted(rows, 'row is', 'rows are')} held, because more items have the same ${key} than the quantity says.`,
  no_item_matches: () => 'No item matches: there is nothing to change.',
  template_used: ({ template }) => `The columns match the template ${template}, so it is used.`,
  template_matches: ({ template }) => `The columns match the template ${template}.`,
  answers_remembered: ({ day, columns }) =>
    `Columns as confirmed on ${day} for these headers: ${columns.join('; ')}.`,
  together_the_name: ({ headers, text }) =>
    `${headers.map(quoted).join(' and ')} together are the name, such as ${quoted(text)}.`,
  words_do_not_fit: ({ header, field, cells, of, texts }) =>
    `${quoted(header)} is not read as ${field}: of its ${counted(of, 'cell')} (${texts.map(quoted).join(', ')}), only ${count(cells)} ${cells === 1 ? 'contains a word' : 'contain words'} that the field accepts.`,
  choose_collections: ({ header, texts, collection }) =>
    `${quoted(header)} names no collection of your team (${texts.map(quoted).join(', ')}). Choose a collection for each name? Otherwise all rows go to ${collection}, and the names are kept in a custom field.`,
  collections_not_known: ({ header, texts, collection }) =>
    `${quoted(header)} names no collection of your team (${texts.map(quoted).join(', ')}): the rows go to ${collection}, and the column is kept as a custom field.`,
  column_taken: ({ header, field, reason }, say) =>
    `${quoted(header)} → ${field} is likely and is used (${say(reason)}).`,
  column_guessed: ({ header, field, reason }, say) =>
    `${quoted(header)} → ${field} is a guess and is not used (${say(reason)}).`,
  updates_own_export: () =>
    'This file is an export of this account: its rows change the items that they name by id, and blank cells change nothing.',
  foreign_export: () =>
    'This file is an export, and none of the items that it names is in this account. Nothing was sent.',
  names_items_here: ({ header, item }) =>
    `Column ${quoted(header)} contains ids of items in this account (such as ${item}): an import would create these items a second time. Nothing was sent.`,
  plan_for_people: () =>
    'This file is a plan or a comparison that shelflift wrote for people to read: its cells cannot be imported as values. To send a plan, apply its job. Nothing was sent.',
  formatted_export: () =>
    'A locale has formatted the values of this export for people to read: its amounts are rounded, and a number such as 1.250 may be 1250. Export again without a locale, edit that file, and import it. Nothing was sent.',
  could_fill_down: ({ header, rows, blank }) =>
    `${header} is blank in ${count(blank)} of ${counted(rows, 'row')}, each time below a filled cell.`,

  is_a_dry_run: ({ job }) => `Job ${job} is a dry run: it was never started.`,
  not_a_plan: ({ job, file, state }, say) =>
    `The newest job, ${job} of ${file}, is not a plan: its state is ${say(state)}.`,
  job_is_unchanged: ({ job, why }, say) => `${say(why)} Job ${job} is unchanged.`,
  job_runs_elsewhere: ({ job, host, pid, since }) =>
    `Job ${job} has been running on ${host} (pid ${pid}) since ${utcTime(since)}.`,
  interrupted: () => 'Stopped before the end.',
  out_dir_unwritable: ({ folder, why }, say) =>
    `The results cannot be written to ${folder}: ${say(why)}. Nothing was sent.`,
  other_address: ({ job, address, target }) =>
    `Job ${job} belongs to ${address}, but this run would send to ${target}.`,
  other_team: () =>
    "None of the job's collections is in this key's team: the key belongs to another team, or the collections were removed.",
  item_of_other_team: ({ item }) => `The job's item ${item} does not belong to this key's team.`,
  collection_removed: ({ name, id, job }) =>
    `The collection ${name} (${id}) of job ${job} was removed: no row can be sent to it.`,
  too_young_to_prune: ({ days, hours }) =>
    `Values from before a change are kept for at least ${counted(days, 'day')} (${hours}h).`,
  rate_with_comma: ({ pair, better }) => `rate ${pair}: write the rate with a decimal point: ${better}.`,
  not_a_rate: ({ pair }) => `rate ${pair}: expected a currency and a rate, such as USD=0.92.`,
  rates_idle: ({ codes }) =>
    `The ${codes.length === 1 ? 'rate' : 'rates'} for ${list(codes)} ${codes.length === 1 ? 'converts' : 'convert'} nothing: no column is mapped to estimated_value.`,
  job_without_columns: ({ job, isSet }) =>
    `The rows of job ${job} cannot be corrected: it ${isSet ? 'was made without a file' : 'is an undo'}.`,
  job_pruned: ({ job }) => `The rows of job ${job} cannot be corrected: its values were pruned.`,
  results_kept_aside: ({ name, aside }) =>
    `${name} was not written by this job, or has been changed since. It was renamed to ${aside}.`,
  rejects_removed: ({ path }) => `${path} was out of date and was removed.`,
  list_of_other_undo: ({ wanted, path }) =>
    `${wanted} lists the items of another undo. The items of this one are in ${path}.`,
  file_was_changed: ({ wanted, path }) =>
    `${wanted} was changed, or written with another store, and stays as it is. The new file is ${path}.`,
  plan_is_source: ({ file }) => `The plan cannot be written to ${file}: that is the file to import.`,
  nothing_to_undo: ({ job }) => `Job ${job} has sent nothing: there is nothing to undo.`,
  files_pruned: ({ job }) =>
    `The files of job ${job} cannot be written again, because the values of its rows were pruned. Files that were written before are unchanged.`,
  before_images_pruned: ({ job, at }) => `The values from before job ${job} were pruned on ${at}.`,
  rows_not_written: ({ job, rows }) =>
    `Job ${job} wrote nothing for row ${rows}: there is nothing to undo. Nothing was changed.`,
  dupes_format: ({ file }) => `${file}: expected a name that ends in .csv or .xlsx.`,
  marked_format: ({ file }) => `${file}: expected a name that ends in .xlsx or .html.`,
  not_a_resolution: ({ found }) =>
    `"${found}" is not a decision; expected theirs, mine, created:ITEM_ID, retry or skip.`,
  one_row_an_item: () => 'An item belongs to one row: give only one row with created:ITEM_ID.',
  row_changes_item: ({ rows }) => `${oneOf(rows)} changes an existing item: use theirs, mine or skip.`,
  row_waits_for_plan: ({ rows }) =>
    `${oneOf(rows)} is held until the job is planned again: use retry or skip.`,
  row_was_moved: ({ rows, job }) =>
    `${oneOf(rows)} of job ${job} was changed by another process in the meantime, so your decision was not applied.`,
  item_was_taken: ({ item }) =>
    `Item ${item} was assigned to another row at the same moment; the outcome of both rows is now unknown.`,
  item_has_a_row: ({ item }) =>
    `Item ${item} already belongs to another row of this store; nothing was changed.`,
  no_item_to_resolve: ({ item }) => `There is no item ${item}; nothing was changed.`,
  item_not_known: ({ row }) =>
    `It is unknown which item row ${row} refers to: use created:ITEM_ID, retry or skip.`,
  row_not_sendable: ({ row, why }, say) =>
    `Row ${row} cannot be sent as it is: ${say(why).replace(/\.$/, '')}.`,
  row_written_in_sheets: ({ row, sheets }) =>
    `Several sheets have a row ${row} that was sent: ${sheets.join(', ')}.`,
  row_in_sheets: ({ row, sheets }) =>
    `Row ${row} is held or unknown in ${counted(sheets.length, 'sheet')}: ${sheets.join(', ')}.`,
  no_such_row: ({ row, job }) => `There is nothing to decide about row ${row} of job ${job}.`,
  item_has_all: () => 'the item of the row already has all of these values',
  not_an_item_id: ({ text }) => `"${text}" is not the id of an item.`,
  item_untouched: ({ item, isGone }) =>
    `No job of this store has touched item ${item}${isGone ? ', and the API has no such item' : ''}.`,
  ambiguous_item: ({ text, items, all }) =>
    `The ids of ${counted(all, 'item')} begin with "${text}": ${items.join(', ')}${all > items.length ? ' …' : '.'}`,
  rows_sent_before: (params, say) => `${sentBefore(params, say)}. ${unsent(params)}`,
  rows_sent_before_note: ({ held, ...params }, say) => `${sentBefore(params, say)}${heldText(held)}.`,
  rows_changed_since: ({ changed, held }) =>
    `${counted(changed, 'row differs from what was sent before', 'rows differ from what was sent before')}${heldText(held)}.`,
  rows_left_out: ({ rows, held }) =>
    held > 0
      ? `${counted(rows, 'row matches one', 'rows match rows')} that somebody left out of an earlier job${heldText(held)}.`
      : `${counted(rows, 'row is', 'rows are')} left out again: somebody left ${rows === 1 ? 'it' : 'them'} out of an earlier job.`,
  job_has_not_sent: ({ job, rows }) => `job ${job} has not sent ${count(rows)} of them yet`,
  ask_rows_sent_before: (params, say) => `${sentBefore(params, say)}. What should be created?`,
  ask_skip_sent_before: (params, say) =>
    `${sentBefore(params, say)}. Leave out the ${params.areItems ? 'items' : 'rows'} that were sent before?`,
  create_only_new: ({ fresh, areItems }) =>
    fresh === 0
      ? 'nothing, because none is new (recommended)'
      : `only the ${counted(fresh, areItems ? 'new item' : 'new row')} (recommended)`,
  create_all: ({ planned, areItems }) => `all ${counted(planned, areItems ? 'item' : 'row')}`,
  create_none: () => 'cancel',
  hashes_lost: ({ job, file }) =>
    `It is not known which rows job ${job} of ${file} has sent: its values were pruned, and the store has lost the hashes of its rows.`,
  indexing_rows: ({ job }) => `Indexing the rows of job ${job}, once, to recognise them in later imports.`,
  waits_for_job: ({ job }) =>
    `Job ${job} is creating items whose keys are also in this file. This job waits for it.`,
  row_changed: ({ field, text, row, job, file }) =>
    `${field} ${text} was sent before with other values (row ${row} of ${file} in job ${job})`,
  code_rewritten: ({ field, text, code, row, job, file }) =>
    `a spreadsheet program may have changed ${field} ${code} to ${text} (row ${row} of ${file} in job ${job})`,
  row_perhaps_undone: ({ row, job, file, undo }) =>
    `the item may exist (row ${row} of ${file} in job ${job}): it is not certain which rows job ${undo} has undone`,
  row_left_out: ({ row, job, file }) => `somebody left the row out (row ${row} of ${file} in job ${job})`,
  row_left_in_doubt: ({ row, job, file }) =>
    `the item may exist (row ${row} of ${file} in job ${job}): the response to that row was lost, and somebody left the row out`,
  row_is_back: ({ row, job, file, undo }) =>
    `the item exists (row ${row} of ${file} in job ${job}): somebody has taken it out of the archive since job ${undo} archived it`,
  row_held_there: ({ row, job, file }) =>
    `the item may exist (row ${row} of ${file} in job ${job}): that row is held; decide on it first`,
  row_in_other_columns: ({ row, job, file }) =>
    `the same values were sent before in columns with other names (row ${row} of ${file} in job ${job})`,
  item_has_all_values: ({ row, job, file }) =>
    `the item of the row already has all of these values; the row was sent before (row ${row} of ${file} in job ${job})`,
  row_not_sent_yet: ({ row, job, file }) =>
    `the row was in an earlier file (row ${row} of ${file} in job ${job}, which has not sent it yet)`,
  it_was_sent_before: ({ row, job, file }) => `the row was sent before (row ${row} of ${file} in job ${job})`,
  imported_by_job: ({ job }) => `job ${job} has already imported this file`,
  key_held_elsewhere: ({ row, job }) =>
    `row ${row} of job ${job}, which is held, may have created this item: decide on that row first`,
  key_left_elsewhere: ({ row, job }) =>
    `row ${row} of job ${job} may have created this item: the response to that row was lost, and somebody left the row out; if the item does not exist, send this row`,
  key_lost_elsewhere: ({ row, job }) =>
    `row ${row} of job ${job} may have created its item under another form of the key, because the response to that row was lost: continue that job first`,
  key_unsent_elsewhere: ({ row, job }) =>
    `row ${row} of job ${job}, which has not sent it yet, creates an item with this key`,
  results_stream_failed: ({ why }) => `The stream for the results failed: ${why}`,
};

function oneOf(rows: readonly string[]): string {
  return rows.length === 1 ? `Row ${rows[0] ?? ''}` : `One of rows ${rows.join(', ')}`;
}

type SentBefore = MessageParams<'ask_rows_sent_before'>;

/** `840 of 870 rows were sent before (by job … of toys.csv); 30 are new` */
function sentBefore(
  { sent, planned, areItems, job, file, byJob, others, waiting, changed, left, fresh }: SentBefore,
  say: Say,
): string {
  const unit = areItems ? 'item' : 'row';
  const by =
    others === 0
      ? `by job ${job} of ${file}`
      : `${counted(byJob, unit)} by job ${job} of ${file}, the others by ${counted(others, 'other job')}`;
  const all = planned === 1 ? `The ${unit}` : `All ${counted(planned, unit)}`;
  const some = sent === planned ? all : `${count(sent)} of ${counted(planned, unit)}`;
  return [
    `${some} ${sent === 1 ? 'was' : 'were'} sent before (${by})`,
    ...waiting.map(say),
    ...(changed === 0 ? [] : [counted(changed, `${unit} has changed since`, `${unit}s have changed since`)]),
    ...(left === 0 ? [] : [`${count(left)} ${left === 1 ? 'was' : 'were'} left out manually`]),
    fresh === 0 ? 'none is new' : counted(fresh, 'is new', 'are new'),
  ].join('; ');
}

function heldText(held: number | undefined): string {
  if (held === undefined) return '';
  return held === 0
    ? '; rows that were sent before are skipped'
    : `; ${counted(held, 'row is', 'rows are')} held`;
}
