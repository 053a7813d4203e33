/** The sandbox. */
import type { ErrorGroup } from './entry.ts';

export const SANDBOX = {
  bad_option: {
    exit: 2,
    cause: 'A switch of the sandbox has a wrong value.',
    remedy: 'Give one as the message says.',
  },
  bad_rate_limit: { exit: 2, cause: 'The rate limit cannot be read.', remedy: 'Write it like 100/60s.' },
  port_in_use: {
    exit: 2,
    cause: 'Another program uses the port.',
    remedy: 'Choose another, or 0 for any free one.',
  },
  cannot_listen: {
    exit: 2,
    cause: 'The sandbox cannot listen at that address.',
    remedy: 'Choose another host or port; ports below 1024 need rights.',
  },
  sandbox_in_use: {
    exit: 2,
    cause: 'Another shelflift --sandbox is at work.',
    remedy: 'Wait until it has ended.',
  },
  sandbox_file_in_use: {
    exit: 2,
    cause: 'Another sandbox uses the data file.',
    remedy: 'Wait until it has ended, or send your requests to it.',
  },
  sandbox_file_unusable: {
    exit: 2,
    cause: "The file cannot be used as a sandbox's data file.",
    remedy: 'Name a file that can be written, or one that a sandbox made before.',
  },
  sandbox_file_newer: {
    exit: 2,
    cause: 'The data file was made by a newer shelflift.',
    remedy: 'Use the newer one, or another file.',
  },
  not_a_sandbox_file: {
    exit: 2,
    cause: 'The data file is a database of another program.',
    remedy: 'Name a new file.',
  },
  state_folder_unwritable: {
    exit: 2,
    cause: 'The folder for state cannot be made.',
    remedy: 'Check your home folder, or set XDG_STATE_HOME to one that you may write to.',
  },
} as const satisfies ErrorGroup;
