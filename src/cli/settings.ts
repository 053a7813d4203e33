/** What the global flags become: the ledger's file, the longest wait for an answer. */
import { join } from 'node:path';
import { parseDuration, stateFolder } from '../config.ts';
import { UsageError } from '../errors.ts';
import { sandboxFiles } from './embedded-sandbox.ts';
import type { GlobalFlags } from './globals.ts';

/** The ledger's file. */
export function storeOf(flags: GlobalFlags, environment: NodeJS.ProcessEnv): string {
  // What is tried in the sandbox has a ledger of its own, so that `jobs resume last` never means a job of the other.
  if (flags.sandbox === true && flags.store === undefined) return sandboxFiles(environment).ledger;
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
