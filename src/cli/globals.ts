/** Flags that every command takes (DESIGN §2, Global), and what they become. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Argv } from 'yargs';
import { parseDuration, stateFolder } from '../config.ts';
import { UsageError } from '../errors.ts';

export interface GlobalFlags {
  'api-url'?: string;
  store?: string;
  'max-rate'?: number;
  'max-concurrency'?: number;
  timeout?: string;
  json?: boolean;
  quiet?: boolean;
  verbose?: boolean;
  yes?: boolean;
}

export function globalOptions<T>(yargs: Argv<T>) {
  return yargs
    .option('api-url', {
      type: 'string',
      describe: 'base address of the API [env SHELFLIFT_API_URL]',
      requiresArg: true,
    })
    .option('store', {
      type: 'string',
      describe: 'SQLite file of the ledger [env SHELFLIFT_STORE]',
      requiresArg: true,
    })
    .option('max-rate', { type: 'number', describe: 'most requests a second', requiresArg: true })
    .option('max-concurrency', {
      type: 'number',
      describe: 'most requests in flight (at most 64)',
      requiresArg: true,
    })
    .option('timeout', {
      type: 'string',
      describe: 'longest wait for one answer',
      default: '30s',
      requiresArg: true,
    })
    .option('json', { type: 'boolean', describe: 'one JSON object on stdout, and nothing else there' })
    .option('quiet', { type: 'boolean', describe: 'no progress' })
    .option('verbose', { type: 'boolean', describe: 'each request on stderr; stack traces of errors' })
    .option('yes', { type: 'boolean', describe: 'do what a guard would ask about' })
    .group(
      ['api-url', 'store', 'max-rate', 'max-concurrency', 'timeout', 'json', 'quiet', 'verbose', 'yes'],
      'Global:',
    );
}

/** @throws UsageError `no_api_url` */
export function apiUrlOf(flags: GlobalFlags, environment: NodeJS.ProcessEnv): string {
  const url = flags['api-url'] ?? environment['SHELFLIFT_API_URL'];
  if (url === undefined || url === '') {
    throw new UsageError('no_api_url', 'the address of the API is not known', {
      remedy:
        'Set SHELFLIFT_API_URL, or give --api-url https://… (without /api/public/v1). ' +
        'To try things out without a server: shelflift sandbox',
    });
  }
  return url;
}

/**
 * The key, from the environment or a key file; there is no flag for it, because flags are seen by others.
 *
 * @throws UsageError `no_key`, `key_file_unreadable`, `key_file_open_to_others`
 */
export function keyOf(environment: NodeJS.ProcessEnv): string {
  const key = environment['SHELFLIFT_API_KEY'];
  if (key !== undefined && key.trim() !== '') return key;
  const file = environment['SHELFLIFT_API_KEY_FILE'];
  if (file === undefined || file === '') {
    throw new UsageError('no_key', 'there is no API key', {
      remedy:
        'Set SHELFLIFT_API_KEY, or SHELFLIFT_API_KEY_FILE to a file that only you can read. There is no flag for it.',
    });
  }
  let text: string;
  try {
    const { mode } = statSync(file);
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw new UsageError('key_file_open_to_others', `the key file ${file} can be read by others`, {
        remedy: `chmod 600 ${file}`,
      });
    }
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    throw new UsageError('key_file_unreadable', `the key file ${file} cannot be read`, { cause });
  }
  return text;
}

/** The ledger's file. */
export function storeOf(flags: GlobalFlags, environment: NodeJS.ProcessEnv): string {
  const store = flags.store ?? environment['SHELFLIFT_STORE'];
  if (store === undefined || store === '') return join(stateFolder(environment), 'ledger.db');
  if (/^postgres(ql)?:\/\//.test(store)) {
    throw new UsageError('store_not_supported', 'a PostgreSQL store is not supported by this version', {
      remedy: 'Name a file: it becomes an SQLite store.',
    });
  }
  return store;
}

export function timeoutOf(flags: GlobalFlags): number {
  return parseDuration(flags.timeout ?? '30s', '--timeout');
}
