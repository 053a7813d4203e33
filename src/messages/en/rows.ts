import type { ROWS } from '../params/rows.ts';
import type { TextsOf } from '../texts.ts';
import { counted, quoted } from './format.ts';

/** Problems that several rows share. */
function many(one: string, several: string) {
  return ({ field, kinds }: { field: string; kinds: number }) =>
    `${field} has ${counted(kinds, one, several)}`;
}

export const EN_ROWS: TextsOf<typeof ROWS> = {
  cell_problem: ({ field, what }, say) => `${field} ${say(what)}`,
  cell_expected: ({ problem, expected }, say) => `${say(problem)}: expected ${say(expected)}`,
  word_not_known: ({ text }) => `${quoted(text)} is not known`,
  word_not_exact: ({ text }) => `${quoted(text)} has no exact counterpart`,
  no_amount: ({ text }) => `${quoted(text)} is not an amount`,
  no_plain_number: ({ text }) => `${quoted(text)} is not a plain number`,
  no_json: ({ text }) => `${quoted(text)} is not valid JSON`,
  no_exported_amount: ({ text }) => `${quoted(text)} is not an amount in the format of an export`,
  no_json_number: ({ text }) => `${quoted(text)} is not a number that JSON can hold`,
  in_other_currency: ({ text }) => `${quoted(text)} is in another currency`,
  two_readings: ({ text, point, comma, isUndecided }) =>
    `${quoted(text)} can mean ${point} or ${comma}${isUndecided ? ', and no other cell of the column shows which' : ''}`,
  two_readings_disputed: ({ text, point, comma }) =>
    `${quoted(text)} may be ${point} or ${comma}, and the column has both styles`,
  below_zero: ({ text }) => `${quoted(text)} is less than 0`,
  no_year: ({ text }) => `${quoted(text)} is not a year`,
  no_such_day: ({ text }) => `${quoted(text)} looks like a date, but there is no such day`,
  year_of_two_digits: ({ text }) => `${quoted(text)} has a two-digit year`,
  several_years: ({ text }) => `${quoted(text)} covers several years`,
  year_not_certain: ({ text }) => `${quoted(text)} is not certain`,
  year_out_of_range: ({ text }) => `${quoted(text)} is outside the allowed years`,
  no_whole_number: ({ text }) => `${quoted(text)} is not a whole number`,
  not_exact_number: ({ text }) => `${quoted(text)} is not an exact number`,
  no_quantity: ({ text }) => `${quoted(text)} is not a quantity`,
  no_id: ({ text }) => `${quoted(text)} is not an id`,
  no_yes_or_no: ({ text }) => `${quoted(text)} is neither yes nor no`,
  has_control_character: ({ sign }) => `contains a control character (${sign})`,
  has_half_character: () => 'contains an incomplete character (half of a surrogate pair)',
  has_lost_digits: ({ text }) =>
    `${quoted(text)} is a long number that a spreadsheet program has shortened: its last digits are gone`,
  has_characters: ({ length }) => `has ${length} characters`,
  does_not_fit: ({ text, pattern }) => `${quoted(text)} does not match the pattern ${pattern}`,
  in_error: ({ text }) => `the cell contains an error: ${text}`,
  has_uncertain_mark: ({ text }) =>
    `${quoted(text)} differs from the earlier number only by the decimal mark, which a spreadsheet program may have changed`,
  formula_without_result: () =>
    'the file has no result of the formula in this cell: open it in a spreadsheet program and save it',
  cannot_be_empty: () => 'cannot be empty',
  others_in_currency: ({ text, currency, others }) =>
    `${quoted(text)} is in ${currency}, and other amounts in its column are in ${others.join(', ')}`,
  others_show_currency: ({ text, currency }) =>
    `${quoted(text)} shows no currency, and other amounts in its column show ${currency}`,
  not_currency_of_items: ({ text, currency }) =>
    `${quoted(text)} is in a different currency from the items${currency === undefined ? '' : `: its column says ${currency}`}`,

  want_one_of: ({ words }) => words.join(', '),
  want_amount: () => 'an amount of 0 or more',
  want_amount_in: ({ currency }) => `an amount in ${currency}`,
  want_decimal_mark: () => 'an unambiguous number, or a chosen decimal mark',
  want_json: () => 'the whole value as JSON, such as ["a", "b"]',
  want_exported: ({ isComma }) =>
    `digits with a decimal ${isComma ? 'comma' : 'point'}, as an export without a locale writes them`,
  want_year: ({ first, last }) => `a year from ${first} to ${last}`,
  want_id: () => 'an id as the service shows it (a UUID)',
  want_answer: () => 'yes, no, x, 1, 0, true, false',
  want_clean_text: () => 'text without control characters other than tabs and line breaks',
  want_unicode: () => 'well-formed Unicode text',
  want_mark: () =>
    'the earlier number; or the new number with two decimal places, if it is right. Format the cell as text first',
  want_all_digits: () => 'all digits of the number: format the column as text, and type the number again',
  want_length: ({ most }) => `at most ${most} characters`,
  want_name: ({ most }) => `1 to ${most} characters`,
  want_fitting: () => 'text that matches the pattern',
  want_id_shown: () =>
    'one of the ids in the _error column of a row that matches several items, or a blank cell',
  want_one_currency: () => 'amounts in one currency, as the collection has no items yet',
  want_amount_with_currency: () => 'an amount with its currency',
  want_amount_without_currency: () => 'an amount without a currency',
  want_count: () => 'a whole number of 0 or more',
  want_number_from_0: () => 'a number of 0 or more',
  want_value: () => 'a value',
  want_value_or_blank: () => 'a value, or a blank cell to leave the field unchanged',

  quote_never_closed: ({ line, byte }) =>
    `a quote is opened on line ${line} (byte ${byte}) and never closed: the rest of the file became one cell`,
  quote_takes_lines: ({ line, byte, last }) =>
    `a quote is opened on line ${line} (byte ${byte}) and not closed there: everything up to line ${last} became one cell`,
  quote_read_as_text: ({ line, byte }) =>
    `a quote is opened on line ${line} (byte ${byte}) and not closed there: it is read as text, and the lines below it as rows`,
  holds_beyond_header: ({ column, text }) => `column ${column} holds ${quoted(text)}, but has no header`,
  bytes_not_readable: ({ encoding }) =>
    `bytes that are not ${encoding} were found here: correct the row, or name the encoding of the file`,
  looks_like_heading: ({ text }) =>
    `${quoted(text)} looks like the heading of the rows below it: delete the row, or fill in more of its cells if it is an item`,
  looks_like_figure: ({ text }) =>
    `${quoted(text)} looks like a total or a statistic: delete the row, or fill in more of its cells if it is an item`,
  conflict_marker: ({ line, sign }) =>
    `line ${line} is a merge conflict marker (${sign}): keep one version of each row and delete the markers`,
  conflict_version: ({ line }) =>
    `the row is one of two versions in the merge conflict that begins on line ${line}: keep one version of each row and delete the markers`,
  name_is_blank: () => 'name is blank',
  left_out_because: ({ why }, say) => `left out manually, because ${say(why)}`,
  not_shown_for_row: ({ text }) => `_item_id ${quoted(text)} is not one of the items shown for this row`,

  many_unknown_word: many('unknown word', 'unknown words'),
  many_inexact_word: many('word without an exact counterpart', 'words without an exact counterpart'),
  many_approximate_number: many('number that is not exact', 'numbers that are not exact'),
  many_not_a_number: many('value that is not an amount', 'values that are not amounts'),
  many_negative: many('amount below 0', 'amounts below 0'),
  many_ambiguous_number: many('number that can be read in two ways', 'numbers that can be read in two ways'),
  many_wrong_currency: many('amount in another currency', 'amounts in another currency'),
  many_unclear_currency: many('amount without a currency', 'amounts without a currency'),
  many_not_a_year: many('value that is not a year', 'values that are not years'),
  many_out_of_range: many('year out of range', 'years out of range'),
  many_uncertain_year: many('uncertain year', 'uncertain years'),
  many_two_digit_year: many('two-digit year', 'two-digit years'),
  many_unknown_collection: many('unknown name', 'unknown names'),
  many_not_an_id: many('value that is not an id', 'values that are not ids'),
  many_bad_quantity: many('value that is not a quantity', 'values that are not quantities'),
  many_too_long: many('value that is too long', 'values that are too long'),
  many_no_match: many('value that does not match the pattern', 'values that do not match the pattern'),

  found_as_spelled: ({ spelled, id, name, match }) =>
    `found only as ${spelled}, in item ${id} (${name}): match by ${match}`,
  no_item_with_id: ({ id }) => `there is no item ${id}`,
  no_item_with_key: ({ key, text, withZeros }) =>
    `no item has this ${key}: ${quoted(text)}${withZeros === undefined ? '' : `; one has ${quoted(withZeros)}`}`,
  rows_of_key_may_add_up: ({ key, rows, first }) =>
    `${counted(rows, 'row has', 'rows have')} this ${key} (the first is row ${first}), and their changes may need to be added together: replace the rows with one row that has the sum`,
  rows_of_key_disagree: ({ key, rows, first }) =>
    `${counted(rows, 'row has', 'rows have')} this ${key} (the first is row ${first}), and their values contradict each other`,
  key_is_spelled: ({ key, spelled, match }) => `this ${key} is found only as ${spelled}: match by ${match}`,
  no_item_has_key: ({ key, withZeros }) =>
    `no item has this ${key}${withZeros === undefined ? '' : `; a spreadsheet program may have changed it, because some items have keys such as ${quoted(withZeros)}`}`,
  rows_may_add_up: ({ key }) => `rows with the same ${key} may need to be added together`,
  rows_disagree: ({ key }) => `rows with the same ${key} disagree`,
  key_has_changed: ({ key }) => `an item that was created with this ${key} now has a different one`,
  more_items_than_quantity: ({ key }) => `more items have this ${key} than the quantity says`,
  several_items_have_key: ({ key }) => `more than one item has this ${key}`,
  ids_not_shown: () => '_item_id names items that are not shown for the row',

  row_required: () => 'A value is missing.',
  row_too_long: () => 'The text is too long: a name has at most 255 characters.',
  row_control_character: () => 'The text contains an invisible character.',
  row_broken_character: () => 'The text contains an incomplete character.',
  row_number_lost: () => 'The spreadsheet program has rounded a long number and lost digits.',
  row_uncertain_mark: () => 'A spreadsheet program may have changed the decimal mark of the number.',
  row_not_a_number: () => 'This is not an amount.',
  row_not_exact: () => 'The result cannot be sent exactly.',
  row_negative: () => 'The amount is below 0.',
  row_ambiguous_number: () => 'This number can be read in two ways. Choose the decimal mark.',
  row_wrong_currency: () => 'The amount is in another currency.',
  row_unclear_currency: () => 'The amount shows no currency, but other amounts in its column do.',
  row_not_a_year: () => 'This is not a year.',
  row_out_of_range: () => 'The service accepts years from 1968 to 2100.',
  row_uncertain_year: () => 'The year is uncertain, or covers several years.',
  row_two_digit_year: () => 'The year has only two digits.',
  row_unknown_word: () => 'shelflift does not know this word.',
  row_inexact_word: () => 'This grade has no exact counterpart.',
  row_approximate_number: () => 'The amount is approximate, is a range, or has a unit.',
  row_not_an_integer: () => 'This is not a whole number.',
  row_not_yes_or_no: () => 'This says neither yes nor no.',
  row_bad_quantity: () => 'This is not a usable quantity.',
  row_not_an_id: () => 'This is not the id of an item.',
  row_cell_error: () => 'The cell shows a spreadsheet error.',
  row_too_many_cells: () => 'The row has more cells than there are columns.',
  row_summary_row: () => 'This looks like a total or a statistic, not like an item.',
  row_unclosed_quote: () => 'A quotation mark is never closed.',
  row_bad_encoding: () => 'Some letters could not be read. Choose another character set on the file screen.',
  row_unknown_collection: () => 'You have no collection with this name.',
  row_ambiguous_collection: () => 'You have several collections with this name.',
  row_already_sent: () => 'This row was already imported.',
  row_sent_before: () => 'An identical row was already imported from another file.',
  row_row_changed: () => 'This row was already imported with other values.',
  row_skipped_by_rule: () => 'This row was left out on request.',
  row_blank_key: () => 'The cell that identifies the item is blank.',
  row_duplicate_key: () => 'Several rows change the same item in different ways.',
  row_key_changed: () => 'This item has a different key now.',
  row_key_not_kept: () => 'The service stores the key of this item in a different form.',
  row_value_not_kept: () => 'The service did not store a value of this row as it was sent.',
  row_surplus_items: () => 'You have more of these items than the quantity in this row says.',
  row_ambiguous_match: () => 'Several items match this row.',
  row_not_a_candidate: () => 'The item chosen for this row is not one of those that match it.',
  row_no_such_item: () => 'There is no such item.',
  row_key_spelled_otherwise: () =>
    'You have such an item, but the name of the field that identifies it differs in upper and lower case.',
  row_drifted: () => 'Somebody has changed this item since the plan or the export was made.',
  row_similar: () => 'This looks like an item that you already have.',
  row_fields_unknown: () =>
    'The service does not show all fields of this item at the moment, so changing it could delete some of them.',
  row_invalid_request: () => 'The service rejected this row.',
  row_not_found: () => 'This row refers to something that the service does not have.',
  row_unreachable: () =>
    'The connection was lost before the service answered. shelflift will check whether the row was applied.',
  row_timeout: () => 'The service did not answer in time. shelflift will check whether the row was applied.',
  row_unexpected_response: () =>
    'The answer could not be understood. shelflift will check whether the row was applied.',
  row_aborted: () =>
    'The job was stopped before the service answered. shelflift will check whether the row was applied.',
  row_not_settled: () => 'The service did not answer. Please check whether the item exists.',
  row_too_many_matches: () => 'The service did not answer, and several items match this row. Please check.',
  row_store_behind: () => 'An identical item was created elsewhere in the meantime. Please check.',
  row_doubtful_match: () =>
    'The service did not answer, and an existing item resembles this row. Please check.',
  row_list_lags: () => 'The service did not answer, and the list of items is out of date. Please check.',
  row_list_never_still: () =>
    'The service did not answer, and the list of items changed too fast for a reliable check. Please check.',
  row_keeps_failing: () =>
    'The row was sent several times, but the service did not answer. Please check whether the item exists.',
  row_unproven_absence: () => 'The service did not answer, and the item may have been created. Please check.',
  row_no_match: () => 'The text does not match the required pattern.',
  row_not_clearable: () => 'This field cannot be emptied here.',
  row_not_json: () => 'The field has a list or an object, and the cell is not valid JSON.',
  row_cannot_clear: () => 'This field cannot be empty.',
  row_merge_conflict: () => 'This row is part of an unresolved Git merge conflict.',
  row_blank_value: () => 'The change starts from the current value of the item, which is blank.',
  row_other_currency: () => 'The value of the item is in another currency.',
  row_not_missing: () => 'This item is no longer missing, so it was not archived.',
  row_server_merges: () => 'The service kept a field that should have been removed.',
  row_refused_by_map: () => 'The mapping function rejected the row.',
  refused_by_map: ({ why }) => why,
};
