import type { Params } from './kinds.ts';

/** The store. */
export const STORE = {
  stored_unreadable: { what: 'text' },
  restore_store: {},
  to_check_store: {},
  wait_for_program: {},
  keep_damaged_store: {},
  to_list_damage: {},
  start_database: {},
  check_database_user: {},
  check_database_name: {},
  grant_schema: {},
  create_utf8_database: {},
  free_disk: {},
  to_continue_job: {},
} as const satisfies Params;
