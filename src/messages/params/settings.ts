import type { Params } from './kinds.ts';

/** Keys, profiles and configuration. */
export const SETTINGS = {
  bad_duration: { name: 'text', text: 'text' },
  key_file_open_to_others: { file: 'text' },
  make_key_file_private: { file: 'text' },
  key_file_unreadable: { file: 'text' },
  check_key_file: {},
  to_save_key: {},
  port_in_use: { port: 'number' },
  choose_port: {},
  cannot_listen: { host: 'text', port: 'number' },
  log_file_unwritable: { file: 'text' },
  check_log_file: {},
  key_variable_unset: { profile: 'text', variable: 'text' },
  set_variable: { variable: 'text' },
} as const satisfies Params;
