import type { Params } from './kinds.ts';

/** What an action is for, before its button or command. */
export const ACTIONS = {
  to_read_as: { encoding: 'text' },
  to_make_copies: {},
  to_split_at_commas: {},
  to_read_strictly: {},
  to_read_without_it: {},
  to_read_by_it: {},
  to_use_it: {},
  to_use_one_of_them: {},
  to_read_it_so: {},
  to_read_one_otherwise: {},
  to_fill_down: {},
  to_keep: { columns: 'count' },
  to_leave_out: { columns: 'count' },
  to_create_rows_without_id: {},
  to_create_all_items: {},
  to_update_those_here: {},
  to_see_them: {},
  to_read_other_sheets: {},
} as const satisfies Params;
