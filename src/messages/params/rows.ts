import { ROW_CODES, type RowCode } from '../row-codes.ts';
import type { Kind, Params } from './kinds.ts';

/**
 * Problems of a cell; `cell_problem` puts the field before one of these, and `cell_expected` appends the expected
 * value.
 */
const CELL_PROBLEMS = {
  cell_problem: { field: 'field', what: 'message' },
  cell_expected: { problem: 'message', expected: 'message' },
  word_not_known: { text: 'text' },
  word_not_exact: { text: 'text' },
  no_amount: { text: 'text' },
  no_plain_number: { text: 'text' },
  no_exported_amount: { text: 'text' },
  no_json: { text: 'text' },
  no_json_number: { text: 'text' },
  in_other_currency: { text: 'text' },
  two_readings: { text: 'text', point: 'text', comma: 'text', isUndecided: 'yes' },
  two_readings_disputed: { text: 'text', point: 'text', comma: 'text' },
  below_zero: { text: 'text' },
  no_year: { text: 'text' },
  no_such_day: { text: 'text' },
  year_of_two_digits: { text: 'text' },
  several_years: { text: 'text' },
  year_not_certain: { text: 'text' },
  year_out_of_range: { text: 'text' },
  no_whole_number: { text: 'text' },
  not_exact_number: { text: 'text' },
  no_quantity: { text: 'text' },
  no_id: { text: 'text' },
  no_yes_or_no: { text: 'text' },
  has_control_character: { sign: 'text' },
  has_half_character: {},
  has_lost_digits: { text: 'text' },
  has_characters: { length: 'number' },
  does_not_fit: { text: 'text', pattern: 'text' },
  in_error: { text: 'text' },
  formula_without_result: {},
  has_uncertain_mark: { text: 'text' },
  cannot_be_empty: {},
  others_in_currency: { text: 'text', currency: 'text', others: 'texts' },
  others_show_currency: { text: 'text', currency: 'text' },
  not_currency_of_items: { text: 'text', currency: 'text?' },
  refused_by_map: { code: 'text', why: 'foreign' },
} as const satisfies Params;

/** Expected values of a cell. */
const EXPECTED = {
  want_one_of: { words: 'texts' },
  want_amount: {},
  want_amount_in: { currency: 'text' },
  want_decimal_mark: {},
  want_json: {},
  want_exported: { isComma: 'yes' },
  want_year: { first: 'text', last: 'text' },
  want_id: {},
  want_answer: {},
  want_clean_text: {},
  want_unicode: {},
  want_all_digits: {},
  want_mark: {},
  want_length: { most: 'number' },
  want_name: { most: 'number' },
  want_fitting: {},
  want_id_shown: {},
  want_one_currency: {},
  want_amount_with_currency: {},
  want_amount_without_currency: {},
  want_count: {},
  want_number_from_0: {},
  want_value: {},
  want_value_or_blank: {},
} as const satisfies Params;

/** Problems of a row as a whole. */
const WHOLE_ROWS = {
  quote_never_closed: { line: 'number', byte: 'number' },
  quote_takes_lines: { line: 'number', byte: 'number', last: 'number' },
  quote_read_as_text: { line: 'number', byte: 'number' },
  holds_beyond_header: { column: 'text', text: 'text' },
  bytes_not_readable: { encoding: 'text' },
  looks_like_heading: { text: 'text' },
  looks_like_figure: { text: 'text' },
  conflict_marker: { line: 'number', sign: 'text' },
  conflict_version: { line: 'number' },
  name_is_blank: {},
  left_out_because: { why: 'message' },
  not_shown_for_row: { text: 'text' },
} as const satisfies Params;

/** Problems of one field in several rows; `many_CODE` for the codes that count values. */
const MANY = {
  many_unknown_word: { field: 'field', kinds: 'count' },
  many_inexact_word: { field: 'field', kinds: 'count' },
  many_approximate_number: { field: 'field', kinds: 'count' },
  many_not_a_number: { field: 'field', kinds: 'count' },
  many_negative: { field: 'field', kinds: 'count' },
  many_ambiguous_number: { field: 'field', kinds: 'count' },
  many_wrong_currency: { field: 'field', kinds: 'count' },
  many_unclear_currency: { field: 'field', kinds: 'count' },
  many_not_a_year: { field: 'field', kinds: 'count' },
  many_out_of_range: { field: 'field', kinds: 'count' },
  many_uncertain_year: { field: 'field', kinds: 'count' },
  many_two_digit_year: { field: 'field', kinds: 'count' },
  many_unknown_collection: { field: 'field', kinds: 'count' },
  many_not_an_id: { field: 'field', kinds: 'count' },
  many_bad_quantity: { field: 'field', kinds: 'count' },
  many_too_long: { field: 'field', kinds: 'count' },
  many_no_match: { field: 'field', kinds: 'count' },
} as const satisfies Params;

/** Problems of a row's key. */
const KEYS = {
  found_as_spelled: { spelled: 'text', id: 'text', name: 'text', match: 'text' },
  no_item_with_id: { id: 'text' },
  no_item_with_key: { key: 'text', text: 'text', withZeros: 'text?' },
  rows_of_key_may_add_up: { key: 'text', rows: 'count', first: 'number' },
  rows_of_key_disagree: { key: 'text', rows: 'count', first: 'number' },
} as const satisfies Params;

/** Problems of keys in several rows of a plan. */
const BY_KEY = {
  no_item_has_key: { key: 'text', withZeros: 'text?' },
  key_is_spelled: { key: 'text', spelled: 'text', match: 'text' },
  rows_may_add_up: { key: 'text' },
  rows_disagree: { key: 'text' },
  key_has_changed: { key: 'text' },
  more_items_than_quantity: { key: 'text' },
  several_items_have_key: { key: 'text' },
  ids_not_shown: {},
} as const satisfies Params;

/** General descriptions: one for each code of a row's problem. */
const PROBLEMS = Object.fromEntries(ROW_CODES.map((code) => [`row_${code}`, {}])) as {
  readonly [Code in `row_${RowCode}`]: Record<never, Kind>;
};

export const ROWS = {
  ...CELL_PROBLEMS,
  ...EXPECTED,
  ...WHOLE_ROWS,
  ...MANY,
  ...KEYS,
  ...BY_KEY,
  ...PROBLEMS,
} as const satisfies Params;

/** Whether several values of a code are counted. */
export function isMany(code: string): code is keyof typeof MANY {
  return Object.hasOwn(MANY, code);
}
