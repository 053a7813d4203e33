import type { Params } from './kinds.ts';

/** The page. */
export const PAGE = {
  bad_upload: {},
  choose_it_again: {},
  form_too_large: {},
  no_room_for_upload: {},
  free_some_space: {},
  no_such_upload: {},
  no_file_to_open: { path: 'text' },
  check_its_name: {},
  page_stopped: {},
} as const satisfies Params;
