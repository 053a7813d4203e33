import type { SETTINGS } from '../params/settings.ts';
import type { TextsOf } from '../texts.ts';
import { list, quoted } from './format.ts';

export const EN_SETTINGS: TextsOf<typeof SETTINGS> = {
  key_file_open_to_others: ({ file }) => `Other users can read the key file ${file}.`,
  make_key_file_private: ({ file }) =>
    `Make it private: chmod 600 ${file}. If others use this machine, also create a new key.`,
  key_file_unreadable: ({ file }) => `The key file ${file} cannot be read.`,
  to_save_key: () => 'To save the key in a file',
  port_in_use: ({ port }) => `Port ${port} is in use.`,
  choose_port: () => 'Choose another port, or 0 for any free port.',
  cannot_listen: ({ host, port }) => `Cannot listen on ${host}:${port}.`,
  log_file_unwritable: ({ file }) => `The log file ${file} cannot be written.`,
  check_log_file: () => 'Check the folder and its permissions, or name another log file.',
  key_variable_unset: ({ profile, variable }) =>
    `Profile ${profile} reads its key from ${variable}, which is not set.`,
  set_variable: ({ variable }) => `Set ${variable}.`,
  two_targets: ({ given }) => `The options ${list(given)} name different APIs.`,
  sandbox_ignores: ({ variables }) =>
    `sandbox: ${variables.join(', ')} ${variables.length === 1 ? 'is' : 'are'} not used`,
  no_api_url: () => 'The address of the API is not set.',
  set_address_variable: () =>
    'Set SHELFLIFT_API_URL to the base address of the API (without /api/public/v1).',
  to_name_address: () => 'To pass the address',
  to_add_profile: () => 'To save address and key',
  to_try_sandbox: () => 'To try things out without a server',
  no_key: () => 'No API key is set.',
  set_key_variable: () =>
    'Set SHELFLIFT_API_KEY, or SHELFLIFT_API_KEY_FILE to a file that only you can read. There is no option for the key.',
  no_such_profile: ({ name }) => `There is no profile ${quoted(name)}.`,
  profiles_are: ({ profiles }) => `The profiles are ${profiles.join(', ')}.`,
  bad_profile_name: ({ name }) =>
    `${quoted(name)} cannot be the name of a profile: use letters, digits, - . and _.`,
  sandbox_in_use: () => 'Another shelflift process is using the sandbox.',
  wait_for_sandbox: () =>
    'Only one command at a time can use the sandbox. Wait until the other command has ended.',
  to_share_sandbox: () => 'To share one sandbox between commands',
  waiting_for_sandbox: () => 'waiting for another shelflift process that is using the sandbox …',
  state_folder_unwritable: ({ folder }) => `The folder ${folder} cannot be created.`,
  set_state_folder: () => 'Set XDG_STATE_HOME to a folder that you may write to.',
  bad_pair: ({ name, text, form }) => `${name} is ${quoted(text)}; expected ${form}.`,
  sandbox_file_in_use: ({ file }) => `${file} is in use by another sandbox.`,
  wait_for_other_sandbox: () => 'Wait until the other sandbox has ended, or send your requests to it.',
  sandbox_file_unusable: ({ file }) => `${file} cannot be used as a sandbox's data file.`,
  name_sandbox_file: () => 'Name a file that can be written, or a data file of an earlier sandbox.',
  sandbox_file_newer: ({ file }) => `${file} was made by a newer version of shelflift.`,
  yaml_problems: ({ places, what }, say) =>
    what.map((problem, at) => `${places[at] ?? ''}: ${say(problem)}`).join('\n'),
  sandbox_option: ({ option, expected, found }) => `${option}: expected ${expected}, got ${found}.`,
  bad_rate_limit: ({ found }) =>
    `Expected a rate limit such as 100/60s (requests per time, each at least 1), got ${found}.`,
  no_root: ({ folder }) => `${folder} is not a folder that can be opened to an assistant.`,
  outside_roots: ({ file }) => `${file} is not in a folder that is open to this assistant.`,
  name_root: () =>
    'Ask the user to put the file into a folder that is open to this assistant, or to open the folder of the file.',
  assistant_keeps_file: ({ file }) => `${file} already exists; an assistant never replaces a file.`,
};
