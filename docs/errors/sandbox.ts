/** Errors of the sandbox. */
import type { CodeGroup } from './entry.ts';

export const SANDBOX = {
  bad_rate_limit: { cause: 'The rate limit is not valid.', remedy: 'Write it as 100/60s.' },
  port_in_use: {
    cause: 'Another program is using the port.',
    remedy: 'Choose another port, or let the system choose a free one: --port 0',
  },
  cannot_listen: {
    cause: 'The sandbox cannot listen on that address.',
    remedy: 'Choose another host or port. Ports below 1024 require elevated privileges.',
  },
  sandbox_in_use: {
    cause: 'Another shelflift --sandbox is running.',
    remedy: 'Wait until it has finished.',
  },
  sandbox_file_in_use: {
    cause: 'Another sandbox is using the data file.',
    remedy: 'Wait until it has finished, or send your requests to it.',
  },
  sandbox_file_unusable: {
    cause: "The file cannot be used as a sandbox's data file.",
    remedy: 'Name a new, writable file, or a data file of a sandbox.',
  },
  sandbox_file_newer: {
    cause: 'A newer version of shelflift made the data file.',
    remedy: 'Use that version, or another file.',
  },
  not_a_sandbox_file: {
    cause: 'The data file is a database that belongs to another program.',
    remedy: 'Name a new file.',
  },
  state_folder_unwritable: {
    cause: 'The folder in which shelflift keeps its state cannot be created.',
    remedy: 'Check your home folder, or set XDG_STATE_HOME to a folder that you can write to.',
  },
} as const satisfies CodeGroup;
