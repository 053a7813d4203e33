import type { Params } from './kinds.ts';

/** Outcomes of requests: lost answers, and why a job stops before its end. */
export const SENDING = {
  // Possible outcomes of a create whose answer was lost.
  perhaps_created: { why: 'message', candidates: 'texts', more: 'yes' },
  items_have_stamp: { items: 'count' },
  items_have_its_key: { items: 'count', key: 'text' },
  has_key_and_differs: { key: 'text' },
  may_be_another_row: {},
  more_items_than_answers: { items: 'count', answers: 'count' },
  equal_item_of_nobody: {},
  looks_like_it: {},
  looks_like_held_row: {},
  not_to_be_looked_up: {},
  list_lagged: {},
  list_kept_changing: {},
  made_and_edited: {},
  nothing_acknowledged: {},
  never_answered: { times: 'count' },
  made_after_last_row: { item: 'text' },
  shown_as_before: {},
  changed_by_other_job: {},
  changed_after_lost_answer: { drift: 'message' },

  // Checks that are repeated before rows are sent.
  item_already_gone: { item: 'text' },
  item_may_be_late: { item: 'text' },
  looks_like_item: { item: 'text', name: 'text' },
  key_lost_by_other_job: { key: 'text', ms: 'ms' },
  archives_dropped: { items: 'count' },
  creates_have_items: {
    rows: 'count',
    unchanged: 'count',
    updates: 'count',
    invalid: 'count',
    held: 'count',
    skipped: 'count',
  },
  more_items_changed: { items: 'count' },
  list_lags_behind: { items: 'count' },
  new_items_unknown: { items: 'count', ms: 'ms' },

  // Why a job stops before its end.
  list_still_lags: { items: 'count' },
  waits_for_room: { rows: 'count', at: 'time' },
  plan_is_full: { rows: 'count' },
  many_refused: { refused: 'count', rows: 'count' },
  no_rate_for_items: { currency: 'text' },
  amounts_in_others: { currency: 'text', shown: 'texts' },
  store_is_behind: { rows: 'count', hasSent: 'yes' },
  cannot_look_up: { why: 'message' },
  key_was_rewritten: { key: 'text', sent: 'text', stored: 'text' },
  key_lost_on_server: { what: 'message' },

  // What can be done.
  try_when_list_shows: {},
  to_try_at_once: {},
  make_room_in_plan: {},
  see_error_column: {},
  to_allow_more_refusals: {},
  to_send_no_more: {},
  correct_item_value: {},
  to_give_rates: {},
  go_on_in_newest_store: {},
  add_scope_items_read: {},
  to_send_without_looking_up: {},
} as const satisfies Params;
