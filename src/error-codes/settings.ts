/** Address, key and profiles. */
import type { ErrorGroup } from './entry.ts';

export const SETTINGS = {
  no_api_url: {
    exit: 2,
    cause: 'The address of the API is not known.',
    remedy: 'Set SHELFLIFT_API_URL, give --api-url, or keep it: shelflift profile add main.',
  },
  bad_address: {
    exit: 2,
    cause: 'The address of the API cannot be right.',
    remedy: 'Give the base address, https://…, without /api/public/v1.',
  },
  insecure_address: {
    exit: 2,
    cause: 'The address begins with http:, by which the key could be read on its way.',
    remedy: 'Use https:; http: is for this machine only.',
  },
  two_targets: { exit: 2, cause: 'Two flags name different APIs.', remedy: 'Give one of them.' },
  no_key: {
    exit: 2,
    cause: 'There is no API key.',
    remedy: 'Set SHELFLIFT_API_KEY, or SHELFLIFT_API_KEY_FILE to a file that only you can read.',
  },
  bad_key: {
    exit: 2,
    cause: 'The API key holds characters that no key has.',
    remedy: 'Copy it again, alone: without "Bearer" and without quotes.',
  },
  key_file_open_to_others: {
    exit: 2,
    cause: 'The key file can be read by other users of this machine.',
    remedy: 'chmod 600 FILE',
  },
  key_file_unreadable: {
    exit: 2,
    cause: 'The key file cannot be read.',
    remedy: 'Check its name and permissions.',
  },
  bad_variable: {
    exit: 2,
    cause: '--key-env was given something that is no name of a variable.',
    remedy: 'Give the name, such as SHELFLIFT_API_KEY, never the key.',
  },
  bad_config: {
    exit: 2,
    cause: 'The configuration has mistakes, each named with its line and column.',
    remedy: 'Mend the lines.',
  },
  config_unreadable: {
    exit: 2,
    cause: 'The configuration cannot be read.',
    remedy: 'Check its permissions.',
  },
  no_such_profile: {
    exit: 2,
    cause: 'There is no profile of that name.',
    remedy: 'See them with: shelflift profile list',
  },
  profile_exists: {
    exit: 2,
    cause: 'There is a profile of that name already.',
    remedy: 'Choose another name, or replace it as the message says.',
  },
  bad_profile_name: {
    exit: 2,
    cause: 'A profile cannot have that name.',
    remedy: 'Use letters, digits, - . and _.',
  },
} as const satisfies ErrorGroup;
