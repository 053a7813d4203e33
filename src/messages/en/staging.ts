import type { Message } from '../params.ts';
import type { STAGING } from '../params/staging.ts';
import type { Say, TextsOf } from '../texts.ts';
import { count, counted, list, quoted } from './format.ts';

export const EN_STAGING: TextsOf<typeof STAGING> = {
  no_table: ({ file }) => `${file} contains no table.`,
  unsure_encoding: ({ doubts }, say) => `${doubts.map(say).join(' ')} Nothing was sent.`,
  read_like_this: ({ doubts }, say) => `${doubts.map(say).join(' ')}\nRead it like this?`,
  column_use: ({ header, column, field, reason, samples = [] }, say) =>
    `${header === '' ? `column ${column}` : quoted(header)} → ${field} (${say(reason)})${samples.length === 0 ? '' : `: ${samples.map(quoted).join(', ')}`}`,
  columns_unsure: (params, say) => unsure(params, say),
  unsure_mapping: (params, say) => `${unsure(params, say)}\n  Nothing was sent.`,
  name_column_unsure: (params, say) =>
    `${unsure(params, say)}\n  Nothing was sent: confirm the name column yourself; a general confirmation does not cover it.`,
  use_columns_so: (params, say) =>
    `${unsure(params, say)}\nUse ${params.columns.length === 1 ? 'it' : 'them'} like this?`,
  columns_all_right: () =>
    'Is this correct? Enter or y: yes; n: no, send nothing; a number: change that column.',
  use_them_so: ({ columns }) => `Use ${columns === 1 ? 'it' : 'them'} like this.`,
  send_nothing: () => 'Send nothing.',
  do_not_use_as: ({ field }) => `Do not use it as ${field}.`,
  use_instead: ({ header, column, field }) =>
    `Use column ${column}${header === '' ? '' : ` ${quoted(header)}`} as ${field} instead.`,
  mapping_remembered: () => 'This mapping is remembered for files with these headers.',
  recipe_column_replaced: ({ field, sources, header, reason }, say) =>
    `The recipe reads ${field} from ${sources.join(', ')}, which the file does not have: ${quoted(header)} is used as it would be without the recipe (${say(reason)}).`,
  recipe_column_missing: ({ field, sources, file, columns }, say) =>
    `The recipe reads ${field} from ${sources.join(', ')}, and ${file} has no such column. The columns are ${say(columns)}.`,
  use_for_recipe: ({ field, header, reason }, say) =>
    `The recipe's column for ${field} is missing. Use ${quoted(header)} (${say(reason)})?`,
  bad_recipe: ({ name }) =>
    `${quoted(name)} is not a valid recipe name. Use at most 60 letters, digits, spaces, dots and hyphens.`,
  recipe_and_template: () => 'A recipe and a template both say how the file is read.',
  no_such_recipe: ({ name, near, recipes }) =>
    `There is no recipe ${quoted(name)} in this store.${near === undefined ? '' : ` Did you mean ${near}?`}${recipes.length === 0 ? '' : ` Recipes here: ${recipes.join(', ')}.`}`,
  nothing_remembered: ({ name }) => `Nothing is remembered under ${quoted(name)}.`,
  rejects_column_missing: ({ job, file, field, header, letter }) =>
    `Job ${job} reads ${field} from column ${letter}${header === '' ? '' : ` ${quoted(header)}`}, and ${file} has no such column.`,
  rejects_column_added: ({ job, file, columns }) =>
    `${file} has ${columns.length === 1 ? 'a column' : 'columns'} that job ${job} does not have: ${columns.map(quoted).join(', ')}.`,
  read_differently: ({ file, jobs }) =>
    `The rows of ${file} were read in different ways by ${jobs.length === 1 ? 'job' : 'jobs'} ${list(jobs)}, with options or corrections that would be lost.`,
  to_say_how_it_is_read: () =>
    'Import the file of each job, or repeat the options with which they were read.',
  to_correct_in_job: () => 'To correct the rows in the job',
  to_delete_columns: ({ columns }) =>
    `If you do not need ${columns === 1 ? 'it' : 'them'}, delete ${columns === 1 ? 'it' : 'them'} from the file.`,
  to_put_column_back: () => 'Put the column back. To send no value, empty its cells.',
  rest_not_sent: ({ job, rows }) =>
    `${counted(rows, 'row')} of job ${job} ${rows === 1 ? 'has' : 'have'} not been sent, and ${rows === 1 ? 'is' : 'are'} not sent with this file. Continue that job, too.`,
  reading_not_known: ({ jobs }) =>
    `This store does not know how ${jobs.length === 1 ? 'job' : 'jobs'} ${list(jobs)} read the rows, so they are read as those of a new file. If options or corrections were needed, repeat them.`,
  read_as_job: ({ job }) => `The file is read with the settings and corrections of job ${job}.`,
  missing_needs_upsert: () =>
    'Missing items can be archived only in upsert mode: the file must contain the whole collection.',
  missing_needs_collection: () =>
    'Missing items can be archived only in one collection, but no collection is given.',
  bad_stamp: ({ stamp }) => `The stamp is ${quoted(stamp)}; expected custom_fields.NAME.`,
  skipped_without_data: ({ blank, headers, totals, named }, say) =>
    `Skipped rows without data: ${[
      blank === 0 ? '' : `${count(blank)} blank`,
      headers === 0 ? '' : counted(headers, 'repeated header'),
      totals === 0
        ? ''
        : `${counted(totals, 'total or heading', 'totals or headings')} (${named.map(say).join(', ')}${totals > named.length ? ' …' : ''})`,
    ]
      .filter((part) => part !== '')
      .join(', ')}.`,
  labelled_row: ({ label, row }) => `${quoted(label)} (row ${row})`,
  rows_make_items: ({ rows, items }) =>
    `${counted(rows, 'row')} = ${counted(items, 'item')} (quantity column).`,
  rows_already_sent: ({ rows }) =>
    `${counted(rows, 'row was', 'rows were')} skipped: according to _state, ${rows === 1 ? 'it was sent, or belongs' : 'they were sent, or belong'} to a job.`,
  sent_rows_edited: ({ count: all, rows }) =>
    `${counted(all, 'row')} (${rows.join(', ')}${all > rows.length ? ', …' : ''}) ${all === 1 ? 'was' : 'were'} edited after a job had sent ${all === 1 ? 'it: its item keeps' : 'them: their items keep'} the values that were sent, and ${all === 1 ? 'the row is' : 'the rows are'} held until you decide.`,
  sent_rows_unknown: ({ rows, jobs }) =>
    `${counted(rows, 'skipped row')} could not be compared with the values that were sent, because ${jobs.length === 0 ? 'the file names no job' : `this store does not have ${jobs.length === 1 ? 'job' : 'jobs'} ${jobs.join(', ')} for this API`}. Edits to such rows are not sent; to send a row as a new one, empty its _state.`,
  row_edited: ({ row, job }) => `the row was sent with other values (row ${row} of job ${job})`,
  to_decide_on_edited: () => 'To see these rows, and how to decide on them',
  template_skips: ({ rows, of, reasons, isMore }, say) =>
    `The template skips ${count(rows)} of ${counted(of, 'row')}: ${reasons.map(say).join(', ')}${isMore ? ' …' : '.'}`,
  template_skips_all: ({ rows, reasons, isMore }, say) =>
    `The template skips ${rows === 1 ? 'the only row' : `all ${count(rows)} rows`} of the file: ${reasons.map(say).join(', ')}${isMore ? ' …' : '.'} Nothing will be sent.`,
  reason_of_rows: ({ reason, rows }, say) => `${say(reason)} (${count(rows)})`,
  equal_rows: ({ rows, pairs }) =>
    `${counted(rows, 'row repeats an earlier row', 'rows repeat earlier rows')} of the file (${pairs.join(', ')}${rows > pairs.length ? ', …' : ''}): each becomes an item of its own.`,
  already_sent: ({ state }) => `its _state is ${quoted(state)}`,
  to_agree: () => 'To agree',
  to_agree_in_dry_run: () => 'The import itself will ask. To confirm in advance',
  to_agree_and_remember: () => 'If this is right, to remember it for files with these headers',
  to_map_columns: () => 'To map the columns yourself',
  to_map_in_template: () => 'To map them in a template that you can edit',
  to_check_letters: () => 'To check the letters',
  if_letters_are_right: () => 'If the letters are right',
  if_letters_are_wrong: () => 'If the letters are wrong',
  to_name_column: ({ field }) => `To name the column of ${field}`,
  give_one: () => 'Give only one of them.',
  for_example: () => 'For example',
  to_make_recipe: () => 'To create a recipe',
  to_see_remembered: () => 'To list the remembered mappings',
  remove_equal_row: () => 'If a row was entered twice, remove one of the two from the file.',
  to_find_duplicates: () => 'If the row was already sent, to find the items',
  unknown_collection: ({ name, near, collections, more }) =>
    `There is no collection ${quoted(name)}. ${near === undefined ? '' : `Did you mean ${quoted(near)}? `}${chooseOf(collections, more)}`,
  ambiguous_collection: ({ name, found, ids, more }) =>
    `${count(found)} collections are called ${quoted(name)}; name one by its id: ${withMore(ids, more)}.`,
  collection_not_readable: ({ name }) =>
    `${quoted(name)} cannot be looked up because the key lacks the scope collections:read; use an id.`,
  no_collection: ({ collections, more }) =>
    `No collection is given, either for all rows or in a column.${collections === undefined ? '' : ` ${chooseOf(collections, more)}`}`,
  give_collection: () => 'To say where the items go',
  to_name_collection_column: () => 'To take the collection from a column',
  use_name_or_id: () => 'Use one of these names, or an id.',
  reading_items: ({ items, requests, isList }) =>
    `Reading ${counted(items, 'item')} ${isList ? 'from the list' : 'one by one, which costs less than the list'}: ${counted(requests, 'request')}.`,
  amounts_not_compared: (params) =>
    `${amountsIn(params)} The collection has no items yet to compare the amounts with.`,
  amounts_and_items: ({ items, ...params }) => `${amountsIn(params)} The items are in ${items.join(' or ')}.`,
  amounts_and_no_scope: (params) =>
    `${amountsIn(params)} The currency of the items is unknown, because the key lacks the scope items:read.`,
  rate_of_items: ({ currency }) =>
    `The rate for ${currency} converts nothing: the items are in ${currency} already.`,
  what_a_rate_is: ({ currency }) =>
    `Leave the rate out. A rate says how much one unit of another currency is worth in ${currency}.`,
  cells_rewritten: ({ cells, field, from, to }) =>
    `${counted(cells, 'cell looks', 'cells look')} like text that a spreadsheet program rewrote, such as ${to} for ${from} in ${field}. The original ${cells === 1 ? 'text is' : 'texts are'} kept.`,
  items_come_back: ({ items }) =>
    `${counted(items, 'item that was archived as missing is', 'items that were archived as missing are')} in the file again, and ${items === 1 ? 'gets its' : 'get their'} previous status back.`,
  items_partly_changed: ({ field, items }) =>
    `${counted(items, 'item')}: ${field} stays as it is, because it is blank or in another currency; the other changes are made.`,
  undone_items_back: ({ items, job, others }) =>
    `${counted(items, 'item that an undo archived is', 'items that an undo archived are')} taken out of the archive (created by job ${job}${others > 0 ? ` and ${counted(others, 'other job')}` : ''}). Items that were imported again since then exist twice.`,
  items_stay_archived: ({ items }) =>
    `${counted(items, 'item in the file stays', 'items in the file stay')} archived: only items that were archived as missing are restored.`,
  nothing_archived: ({ why }, say) => `Nothing can be archived as missing: ${say(why)}.`,
  other_collections_named: () => 'some rows name a collection other than the given one',
  rows_invalid: ({ rows }) => `${counted(rows, 'row is', 'rows are')} invalid or ambiguous`,
  rows_held: ({ rows }) => `${counted(rows, 'row is', 'rows are')} held`,
  rows_skipped: ({ rows }) =>
    `${counted(rows, 'row is', 'rows are')} skipped, so ${rows === 1 ? 'its item is' : 'their items are'} not known`,
  rows_without_id: ({ rows }) =>
    `${counted(rows, 'row has', 'rows have')} no id, so the items that ${rows === 1 ? 'it creates' : 'they create'} will have ids that are not in the file`,
  too_many_not_in_file: ({ items }) => `more than ${counted(items, 'item is', 'items are')} not in the file`,
  file_may_lack_items: ({ file }) =>
    `${file} is an export during which the list changed, so it may lack items`,
  file_is_partial: ({ file, filters }) =>
    `${file} is an export of some of the items (${filters.join(', ')}), so it lacks the others`,
};

function unsure(
  { columns, headerRow }: { columns: readonly Message[]; headerRow?: number },
  say: Say,
): string {
  const list = columns.map((column) => `\n  ${say(column)}`).join('');
  const header =
    headerRow === undefined
      ? ''
      : `\n  Row ${headerRow} is read as the header, but none of its names is known: if it is data, add a header above it.`;
  return `${counted(columns.length, 'column')} may be mapped wrongly:${list}${header}`;
}

function chooseOf(collections: readonly string[], more: number): string {
  return collections.length === 0
    ? 'The team has no collections.'
    : `Choose a collection: ${withMore(collections, more)}.`;
}

function withMore(entries: readonly string[], more: number): string {
  return `${entries.join(', ')}${more > 0 ? ` and ${count(more)} more` : ''}`;
}

function amountsIn({
  column,
  header,
  currencies,
}: {
  column: string;
  header: string;
  currencies: readonly string[];
}): string {
  return `The amounts in column ${column} (${header}) are in ${currencies.join(', ')}.`;
}
