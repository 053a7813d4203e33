/** Flags that every command takes (design §2, Global). */
import type { Argv } from 'yargs';

export interface GlobalFlags {
  'api-url'?: string;
  profile?: string;
  sandbox?: boolean;
  store?: string;
  'max-rate'?: number;
  'max-concurrency'?: number;
  timeout?: string;
  wait?: string;
  'wait-for-limit'?: boolean;
  'quiet-period'?: string;
  json?: boolean;
  quiet?: boolean;
  verbose?: boolean;
  'log-file'?: string;
  yes?: boolean;
}

export function globalOptions<T>(yargs: Argv<T>) {
  return yargs
    .option('api-url', {
      type: 'string',
      describe: 'base address of the API [env SHELFLIFT_API_URL]',
      requiresArg: true,
    })
    .option('profile', {
      type: 'string',
      describe: 'address and key kept by shelflift profile add; wins over the environment',
      requiresArg: true,
    })
    .option('sandbox', {
      type: 'boolean',
      describe: 'an API of your own to try things on, kept on this machine: no server, no key',
    })
    .option('store', {
      type: 'string',
      describe: 'the ledger: an SQLite file, or postgres://… [env SHELFLIFT_STORE]',
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
    .option('wait-for-limit', { type: 'boolean', describe: 'wait for room in the plan instead of parking' })
    .option('wait', {
      type: 'string',
      describe: 'longest wait for the API [30s at the start, 10m later, 24h at a 429]',
      requiresArg: true,
    })
    .option('quiet-period', {
      type: 'string',
      describe:
        'how long the server may still apply a request whose answer was lost [10s; after a timeout or kill: timeout + 30s]',
      requiresArg: true,
    })
    .option('json', { type: 'boolean', describe: 'one JSON object on stdout, and nothing else there' })
    .option('quiet', { type: 'boolean', describe: 'no progress' })
    .option('verbose', { type: 'boolean', describe: 'each request on stderr; stack traces of errors' })
    .option('log-file', {
      type: 'string',
      describe: 'append each request to this file, as JSON lines',
      requiresArg: true,
    })
    .option('yes', { type: 'boolean', describe: 'do what a guard would ask about' })
    .group(
      [
        'api-url',
        'profile',
        'sandbox',
        'store',
        'max-rate',
        'max-concurrency',
        'timeout',
        'wait',
        'wait-for-limit',
        'quiet-period',
        'json',
        'quiet',
        'verbose',
        'log-file',
        'yes',
      ],
      'Global:',
    );
}
