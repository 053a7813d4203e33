import type { CHANGES } from '../params/changes.ts';
import type { TextsOf } from '../texts.ts';
import { count, counted, quoted } from './format.ts';

export const EN_CHANGES: TextsOf<typeof CHANGES> = {
  nothing_to_change: () => 'There is nothing to change.',
  not_a_change: ({ text }) => `${quoted(text)} is not a change; expected FIELD=VALUE.`,
  set_twice: ({ field }) => `${field} is set twice.`,
  changed_by_two_columns: ({ field }) => `${field} is changed by two columns.`,
  rounding_without_change: () =>
    'Rounding and a currency apply only to changes such as estimated_value*=1.10, and there is no such change.',
  tags_set_and_changed: () => 'The tags are set, and also added or removed.',
  lowered_too_far: ({ text }) => `${text}: no value can be lowered by more than 100%.`,
  names_no_column: ({ text }) => `${quoted(text)} does not name a column.`,
  column_without_file: ({ text, column }) =>
    `${quoted(text)}: @${column} names a column, but no file is given.`,
  no_such_field: ({ field, fields }) =>
    `There is no field ${quoted(field)}. Fields are ${fields.join(', ')} and custom_fields.NAME.`,
  set_to_nothing: ({ field }) => `${field} is set without a value.`,
  value_says_nothing: ({ field, text }) => `${field} cannot be set to ${quoted(text)}, which is not a value.`,
  cannot_be_emptied: ({ field }) => `${field} cannot be empty.`,
  change_impossible: ({ text }) => `${quoted(text)} is not possible.`,
  bad_rounding: ({ text }) =>
    `Values cannot be rounded to ${quoted(text)}: expected a number above 0, such as 0.50, or none.`,
  bad_currency_code: ({ text }) =>
    `${quoted(text)} is not a currency: expected a three-letter code, such as USD.`,
  bad_operand: ({ change, isWhole }) =>
    `${change}: expected ${isWhole ? 'a whole number of 0 or more' : 'a number of 0 or more, such as 1.10'}.`,
  names_no_tag: ({ text }) => `${quoted(text)} does not name a tag.`,
  items_in_currency: ({ currency, items }) => `${currency} (${counted(items, 'item')})`,
  mixed_currencies: ({ currencies }, say) =>
    `The values to change are in several currencies: ${currencies.map(say).join(', ')}. Nothing was changed.`,
  two_lists: () => 'The items are named twice: in a list of ids and in a file.',
  list_and_selection: () =>
    'The file already names the items: it cannot be combined with a status, a collection or an expression.',
  option_without_file: ({ option }) =>
    `The option ${option} says how a file is read, but there is no file with values.`,
  no_items_named: () => 'No items are named: every item of the team would be changed.',
  changes_its_key: ({ field }) => `${field} is used to find the items, so it cannot be changed as well.`,
  no_such_column: ({ asked, column, near, columns }, say) =>
    `${asked}: the file has no column ${quoted(column)}.${near === undefined ? '' : ` Did you mean ${quoted(near)}?`} The columns are ${say(columns)}.`,
  no_id_column: ({ file, columns }) =>
    `No column of ${file} has the header id: the columns are ${columns.join(', ')}.`,
  unmarked_duplicates: ({ file }) =>
    `${file} lists every copy of each duplicate, and no row has the action "archive". Nothing was changed.`,
  marked_duplicates: ({ file, marked, rows }) =>
    `${file} is a list of duplicates. Only rows with the action "archive" are changed: ${count(marked)} of ${counted(rows, 'row')}.`,
  currency_differs: ({ is, wanted }) => `its value is in ${is}, not in ${wanted}`,
  nothing_to_start_from: ({ field }) => `${field} is blank, so there is no value to start from`,
  not_a_start: ({ field, is, isWhole }) =>
    `${field} is ${is}: expected ${isWhole ? 'a whole number' : 'a number'}`,
  not_written_as_number: ({ field, is }) => `${field} is ${is}, which is not written as a number`,
  not_exact: ({ field, to }) => `${field} would be ${to}, which cannot be sent exactly`,
  example_change: ({ text }) => `For example: ${text}.`,
  remove_one_change: () => 'Remove one of the two.',
  change_separately: () => 'Make the second change separately.',
  one_way_of_tags: () => 'Use either tags=… or tags+=… and tags-=….',
  double_the_at: ({ column }) => `If the text itself begins with @, double the sign: @@${column}.`,
  to_give_file: () => 'To give the file',
  empty_with: ({ change }) => `To empty the field, write '${change}'.`,
  what_can_be_changed: () =>
    '*= works only with estimated_value. += and -= also work with tags, and with custom_fields.NAME if it is a whole number. To replace the value, write FIELD=VALUE.',
  to_change_one_currency: () => 'To change the values in one currency at a time',
  to_find_by_id: () => 'To find the items of the file by id',
  to_choose_by_file: () => 'To change the items of a file',
  to_choose_by_list: () => 'To change the items of a list of ids',
  to_choose_by_status: () => 'To change the items with a given status',
  to_choose_by_collection: () => 'To change the items of a collection',
  to_choose_by_where: () => 'To change the items that match an expression',
  to_find_by_other_field: () => 'To find the items by another field',
  name_by_letter: ({ text }) => `Name the column by its letter: ${text}.`,
  head_id_column: () => 'Name the column of item ids "id".',
  to_write_ids: () => 'To write a file with such a column',
  fill_in_actions: () => 'Fill in the action column with keep or archive.',
  to_suggest_actions: () => 'To get suggested actions',
  to_archive_marked: () => 'Then, to archive the marked rows',
  leave_only_ids: () => 'To change every copy, give a file that has only the id column.',
  bad_where: ({ expression, at, problem }, say) =>
    `The expression ${quoted(expression)} cannot be read${at === undefined ? '' : ` at character ${at}`}: ${say(problem)}.`,
  where_empty: () => 'it is empty',
  where_too_long: ({ most }) => `it is longer than ${most} characters`,
  where_not_expected: ({ text }) => `${quoted(text)} is not expected here`,
  join_tests: () => 'Join conditions with "and" or "or". Quote a value that contains a bracket.',
  nothing_follows: ({ word }) => `nothing follows ${quoted(word)}`,
  quote_this_word: () => 'Quote a value that ends in this word.',
  where_nested: () => 'its brackets are nested too deeply',
  bracket_missing: () => 'a closing bracket is missing',
  no_operator: ({ signs }) => `${quoted(signs)} is not an operator`,
  operators_are: () =>
    'Expected =, !=, <, <=, >, >=, ~, has, in, blank or not blank. Quote a value that begins with such a sign.',
  write_this: ({ text }) => `Write ${quoted(text)}.`,
  comma_missing: () => 'a comma or a closing bracket is missing',
  example_of_list: () => 'For example: brand in (Hasbro, "A & B")',
  item_has_no_field: ({ name }) => `an item has no field ${quoted(name)}`,
  did_you_mean_field: ({ near, own }) => `Did you mean ${near}? If you mean a custom field, write ${own}.`,
  quote_not_closed: () => 'a quote is not closed',
  needs_quotes: ({ found }) => `a value without quotes cannot contain ${found}`,
  quote_one_value: ({ quoted: text, also }, say) =>
    `If it is one value, quote it: ${text}${also === undefined ? '' : ` ${say(also)}`}`,
  join_with_and: () => 'To join two conditions, write "and".',
  join_with_or: () => 'To join two conditions, write "or".',
  list_with_in: () => 'For several values, write: in (A, B)',
  where_no_test: ({ text }) =>
    `${quoted(text)} is not a condition: expected a field, an operator and a value`,
  examples_of_tests: () =>
    'For example: brand=Hasbro, estimated_value>=50, name~hot rod, tags has boxed, condition blank. If a value or the name of a custom field contains "and", "or", a sign or a quote, quote it.',
  test_without_value: ({ field, operator }) => `${field} ${operator} has no value`,
  ask_for_filled: ({ field }) => `To find items with a value: '${field} not blank'`,
  ask_for_blank: ({ field }) => `To find items without a value: '${field} blank'`,
  field_no_list: ({ field }) => `${field} is not a list`,
  write_contains: ({ field, value }) =>
    `To find every text that contains a value, write '${field}~${value}'.`,
  tags_are_list: () => 'tags are a list',
  write_tags_has: ({ value }) => `Write 'tags has ${value}'.`,
  field_no_text: ({ field }) => `${field} is not a text field`,
  compare_it: ({ example }) => `Use a comparison: ${example}`,
  field_has_no_order: ({ field }) => `${field} cannot be compared with < or >`,
  write_equal_or_contains: ({ field, value }) =>
    `Write '${field}=${value}', or '${field}~${value}' to find every text that contains the value.`,
  quotes_have_no_order: () => 'a value in quotes is text and cannot be compared with < or >',
  write_without_quotes: ({ text }) => `For a number or a date, write it without quotes: ${text}`,
  where_no_number: ({ value }) => `${quoted(value)} is not a number`,
  write_digits: () => 'Use digits with a decimal point, such as 49.50.',
  where_no_date: ({ value }) => `${quoted(value)} is not a date`,
  write_date: () => 'Use a date such as 2026-01-31, or 2026-01-31T12:00:00Z.',
  no_such_word: ({ field, value }) => `there is no ${field} ${quoted(value)}`,
  words_are: ({ words, near }) =>
    `${near === undefined ? '' : `Did you mean ${near}? `}Expected ${words.join(', ')}.`,
  api_knows_no_word: ({ field, value }) => `the API has no ${field} ${quoted(value)}`,
  did_you_mean_word: ({ near, field, value }) =>
    `Did you mean ${near}? If it is spelled correctly: '${field}~${value}'`,
  did_you_mean: ({ near }) => `Did you mean ${near}?`,
  no_custom_fields: () => 'No item has custom fields.',
  write_blank: ({ field }) => `For items without it, write '${field} blank'.`,
};
