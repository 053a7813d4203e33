/** Errors about the address, the key and profiles. */
import type { CodeGroup } from './entry.ts';

export const SETTINGS = {
  no_api_url: {
    cause: 'The address of the API is not set.',
    remedy: 'Set SHELFLIFT_API_URL, add --api-url URL, or save it: shelflift profile add main',
  },
  bad_address: {
    cause: 'The address of the API is not valid.',
    remedy: 'Give the base address, such as https://inventory.example.com (without /api/public/v1).',
  },
  insecure_address: {
    cause: 'The address begins with http:, which would send the key unencrypted.',
    remedy: 'Use https:. shelflift accepts http: only for this machine.',
  },
  two_targets: { cause: 'Two flags name different APIs.', remedy: 'Give only one of them.' },
  no_key: {
    cause: 'There is no API key.',
    remedy: 'Set SHELFLIFT_API_KEY, or set SHELFLIFT_API_KEY_FILE to a file that only you can read.',
  },
  bad_key: {
    cause: 'The API key contains characters that no key has.',
    remedy: 'Copy the key again, without "Bearer" and without quotes.',
  },
  key_file_open_to_others: {
    cause: 'Other users of this machine can read the key file.',
    remedy: 'Make it private: chmod 600 FILE',
  },
  key_file_unreadable: {
    cause: 'The key file cannot be read.',
    remedy: 'Check its path and permissions.',
  },
  bad_variable: {
    cause: '--key-env does not name an environment variable.',
    remedy: 'Give the name of a variable, such as SHELFLIFT_API_KEY, never the key.',
  },
  bad_config: {
    cause: 'The configuration has errors; the message gives the line and column of each.',
    remedy: 'Correct those lines.',
  },
  config_unreadable: {
    cause: 'The configuration cannot be read.',
    remedy: 'Check its permissions.',
  },
  config_exists: {
    cause: 'A configuration of that name already exists.',
    remedy: 'Change it with an editor, or name another file: --config other.yaml',
  },
  no_root: {
    cause: '--root does not name a folder, or the folder cannot be read.',
    remedy: 'Name an existing folder: shelflift mcp --root collection',
  },
  outside_roots: {
    cause:
      'An assistant named a file outside the folders that are open to it, or a file that does not exist.',
    remedy:
      'Put the file into one of those folders, or open its folder too: shelflift mcp --root collection --root exports',
  },
  no_such_profile: {
    cause: 'There is no profile of that name.',
    remedy: 'List the profiles: shelflift profile list',
  },
  profile_exists: {
    cause: 'A profile of that name already exists.',
    remedy: 'Choose another name, or replace it as the message says.',
  },
  bad_profile_name: {
    cause: 'The profile name is not valid.',
    remedy: 'Use letters, digits, - . and _.',
  },
} as const satisfies CodeGroup;
