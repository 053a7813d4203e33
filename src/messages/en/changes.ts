import type { CHANGES } from '../params/changes.ts';
import type { TextsOf } from '../texts.ts';
import { count, counted, quoted } from './format.ts';

export const EN_CHANGES: TextsOf<typeof CHANGES> = {
  nothing_to_change: () => 'There is nothing to change.',
  not_a_change: ({ text }) => `${quoted(text)} is not a change; expected FIELD=VALUE.`,
  set_twice: ({ field }) => `${field} is set twice.`,
  changed_by_two_columns: ({ field }) => `${field} is changed by two columns.`,
  rounding_without_change: () =>
    'Rounding and a currency belong to changes such as estimated_value*=1.10, and there is none.',
  tags_set_and_changed: () => 'The tags are set, and also added or removed.',
  lowered_too_far: ({ text }) => `${text}: no value can be lowered by more than 100%.`,
  names_no_column: ({ text }) => `${quoted(text)} names no column.`,
  column_without_file: ({ text, column }) =>
    `${quoted(text)}: @${column} names a column, but no file is given.`,
  no_such_field: ({ field, fields }) =>
    `There is no field ${quoted(field)}. Fields are ${fields.join(', ')} and custom_fields.NAME.`,
  set_to_nothing: ({ field }) => `${field} is set to nothing.`,
  value_says_nothing: ({ field, text }) => `${field} cannot be set to ${quoted(text)}, which says nothing.`,
  cannot_be_emptied: ({ field }) => `${field} cannot be empty.`,
  change_impossible: ({ text }) => `${quoted(text)} is not possible.`,
  bad_rounding: ({ text }) =>
    `Values cannot be rounded to ${quoted(text)}: expected a number above 0, such as 0.50, or none.`,
  bad_currency_code: ({ text }) =>
    `${quoted(text)} is not a currency: expected its three letters, such as USD.`,
  bad_operand: ({ change, isWhole }) =>
    `${change}: expected ${isWhole ? 'a whole number of 0 or more' : 'a number of 0 or more, such as 1.10'}.`,
  names_no_tag: ({ text }) => `${quoted(text)} names no tag.`,
  items_in_currency: ({ currency, items }) => `${currency} (${counted(items, 'item')})`,
  mixed_currencies: ({ currencies }, say) =>
    `The values to change are in several currencies: ${currencies.map(say).join(', ')}. Nothing was changed.`,
  two_lists: () => 'A list of ids and a file both name the items.',
  list_and_selection: () =>
    'The file already names the items: it cannot be combined with a status, a collection or an expression.',
  option_without_file: ({ option }) =>
    `The option ${option} says how a file is read, and there is no file with values.`,
  no_items_named: () => 'No items are named: every item of the team would be changed.',
  changes_its_key: ({ field }) => `${field} finds the items, so it cannot be changed as well.`,
  no_such_column: ({ asked, column, near, columns }) =>
    `${asked}: the file has no column ${quoted(column)}.${near === undefined ? '' : ` Did you mean ${quoted(near)}?`} The columns are ${columns}.`,
  no_id_column: ({ file, columns }) =>
    `No column of ${file} is headed id: the columns are ${columns.join(', ')}.`,
  unmarked_duplicates: ({ file }) =>
    `${file} lists every copy of each duplicate, and no row has the action "archive". Nothing was changed.`,
  marked_duplicates: ({ file, marked, rows }) =>
    `${file} is a list of duplicates. Only rows with the action "archive" are changed: ${count(marked)} of ${counted(rows, 'row')}.`,
  currency_differs: ({ is, wanted }) => `its value is in ${is}, not in ${wanted}`,
  nothing_to_start_from: ({ field }) => `${field} is blank, so there is nothing to start from`,
  not_a_start: ({ field, is, isWhole }) =>
    `${field} is ${is}: expected ${isWhole ? 'a whole number' : 'a number'}`,
  not_written_as_number: ({ field, is }) => `${field} is ${is}, which is not written as a number is`,
  not_exact: ({ field, to }) => `${field} would be ${to}, which cannot be sent exactly`,
  example_change: ({ text }) => `For example: ${text}.`,
  remove_one_change: () => 'Remove one of the two.',
  change_separately: () => 'Make the second change by itself.',
  one_way_of_tags: () => 'Use either tags=… or tags+=… and tags-=….',
  double_the_at: ({ column }) => `To write a text that begins with @, double it: @@${column}.`,
  to_give_file: () => 'To give the file',
  empty_with: ({ change }) => `To empty it, write '${change}'.`,
  what_can_be_changed: () =>
    '*= works with estimated_value; += and -= also with tags and, for whole numbers, with custom_fields.NAME. To replace the value, write FIELD=VALUE.',
  to_change_one_currency: () => 'To change one currency at a time',
  to_find_by_id: () => 'To find the items of the file by id',
  to_choose_by_file: () => 'To change the items of a file',
  to_choose_by_list: () => 'To change the items of a list of ids',
  to_choose_by_status: () => 'To change those of a status',
  to_choose_by_collection: () => 'To change those of a collection',
  to_choose_by_where: () => 'To change those that an expression chooses',
  to_find_by_other_field: () => 'To find the items by another field',
  name_by_letter: ({ text }) => `Name the column by its letter: ${text}.`,
  head_id_column: () => 'Give the column of item ids the header id.',
  to_write_ids: () => 'To write a file with such a column',
  fill_in_actions: () => 'Fill in the action column with keep or archive.',
  to_suggest_actions: () => 'To have that suggested',
  to_archive_marked: () => 'To archive the marked rows then',
  leave_only_ids: () => 'To change every copy, give a file that has only the id column.',
};
