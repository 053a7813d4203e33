import type { Message } from './params.ts';

/**
 * The problems that a row can have: stable codes, as in the column `_error_code`. docs/errors/rows.ts has cause and
 * remedy.
 */
export const ROW_CODES = [
  'required',
  'too_long',
  'control_character',
  'broken_character',
  'number_lost',
  'not_a_number',
  'not_exact',
  'negative',
  'ambiguous_number',
  'wrong_currency',
  'unclear_currency',
  'not_a_year',
  'out_of_range',
  'uncertain_year',
  'two_digit_year',
  'unknown_word',
  'inexact_word',
  'approximate_number',
  'no_match',
  'not_an_integer',
  'not_yes_or_no',
  'bad_quantity',
  'not_an_id',
  'cell_error',
  'refused_by_map',
  'not_clearable',
  'cannot_clear',
  'not_json',
  'too_many_cells',
  'unclosed_quote',
  'bad_encoding',
  'merge_conflict',
  'summary_row',
  'unknown_collection',
  'ambiguous_collection',
  'already_sent',
  'sent_before',
  'row_changed',
  'blank_value',
  'other_currency',
  'skipped_by_rule',
  'blank_key',
  'duplicate_key',
  'surplus_items',
  'ambiguous_match',
  'not_a_candidate',
  'no_such_item',
  'key_spelled_otherwise',
  'key_changed',
  'key_not_kept',
  'value_not_kept',
  'not_missing',
  'drifted',
  'similar',
  'fields_unknown',
  'server_merges',
  'invalid_request',
  'not_found',
  'unreachable',
  'timeout',
  'unexpected_response',
  'aborted',
  'not_settled',
  'too_many_matches',
  'doubtful_match',
  'store_behind',
  'list_never_still',
  'list_lags',
  'keeps_failing',
  'unproven_absence',
] as const;

/** A stable code of a row's problem. */
export type RowCode = (typeof ROW_CODES)[number];

const CODES: ReadonlySet<string> = new Set(ROW_CODES);

export function isRowCode(code: string): code is RowCode {
  return CODES.has(code);
}

/** The general meaning of the code, for any row. */
export function generalProblem(code: RowCode): Message {
  return { code: `row_${code}`, params: {} };
}
