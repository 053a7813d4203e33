import type { Params } from './kinds.ts';

/** How a list was read, and whether something can be missing. */
export const LISTS = {
  list_in_one_response: {},
  summary_in_one_response: {},
  list_not_counted: {},
  list_complete: { items: 'count', entries: 'count' },
  list_incomplete: { why: 'message', bound: 'message' },
  new_items_kept_arriving: {},
  items_removed_meanwhile: { items: 'count' },
  items_and_entries_differ: { items: 'count', entries: 'count' },
  missing_items_unknown: {},
  missing_items_at_most: { missing: 'count', of: 'count' },
  last_passes_agree: { passes: 'count', entries: 'count' },
  entries_gone_in_last_pass: { entries: 'count', passes: 'count', last: 'count' },
  passes_differ: { passes: 'count', entries: 'count' },
  list_lags: { items: 'count' },
  list_may_lag: { items: 'count' },
  fewer_items_in_second_reading: {},
  list_left_out_fields: {},
  reading_with_doubt: { reading: 'message', doubt: 'message' },
} as const satisfies Params;
