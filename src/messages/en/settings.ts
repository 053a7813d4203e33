import type { SETTINGS } from '../params/settings.ts';
import type { TextsOf } from '../texts.ts';

export const EN_SETTINGS: TextsOf<typeof SETTINGS> = {
  bad_duration: ({ name, text }) =>
    `${name} is "${text}"; expected a number with a unit, such as 500ms, 10s, 5m or 24h.`,
  key_file_open_to_others: ({ file }) => `Other users can read the key file ${file}.`,
  make_key_file_private: ({ file }) =>
    `Make it private: chmod 600 ${file}. If others use this machine, also create a new key.`,
  key_file_unreadable: ({ file }) => `The key file ${file} cannot be read.`,
  check_key_file: () => 'Check the path.',
  to_save_key: () => 'To save the key in a file',
  port_in_use: ({ port }) => `Port ${port} is in use.`,
  choose_port: () => 'Choose another port, or 0 for any free one.',
  cannot_listen: ({ host, port }) => `Cannot listen on ${host}:${port}.`,
  log_file_unwritable: ({ file }) => `The log file ${file} cannot be written.`,
  check_log_file: () => 'Check the folder and its permissions, or name another log file.',
  key_variable_unset: ({ profile, variable }) =>
    `Profile ${profile} reads its key from ${variable}, which is not set.`,
  set_variable: ({ variable }) => `Set ${variable}.`,
};
