import type { ACTIONS } from '../params/actions.ts';
import type { TextsOf } from '../texts.ts';

export const EN_ACTIONS: TextsOf<typeof ACTIONS> = {
  to_read_as: ({ encoding }) => `To read it as ${encoding}`,
  to_make_copies: () => 'To make several items of one row',
  to_split_at_commas: () => 'To split at commas',
  to_read_strictly: () => 'To decide it yourself, before anything is sent',
  to_read_without_it: () => 'To read the file without it',
  to_read_by_it: () => 'To read the file by it',
  to_use_it: () => 'To use it',
  to_use_one_of_them: () => 'To use one of them',
  to_read_it_so: () => 'To read it so',
  to_read_one_otherwise: () => 'To read one otherwise',
  to_fill_down: () => 'To take the value above, before anything is sent',
  to_keep: ({ columns }) => `To keep ${columns === 1 ? 'it' : 'them'}`,
  to_leave_out: ({ columns }) => `To leave ${columns === 1 ? 'it' : 'them'} out`,
  to_create_rows_without_id: () => 'To create items of rows without an id, too',
  to_create_all_items: () => 'To create all of its items here',
  to_update_those_here: () => 'To update those that are here',
  to_see_them: () => 'To see them',
  to_read_other_sheets: () => 'To read them',
};
