/** What the global flags become: where the ledger is, the longest wait for an answer. */
import { join } from 'node:path';
import { stateFolder } from '../config.ts';
import { type OutageWaits, waitsOf } from '../api/outage.ts';
import { parseDuration } from '../duration.ts';
import { sandboxFiles } from './embedded-sandbox.ts';
import type { GlobalFlags } from './globals.ts';

/** Where the ledger is: a path, or an address with its password. */
export function storeOf(flags: GlobalFlags, environment: NodeJS.ProcessEnv): string {
  // What is tried in the sandbox has a ledger of its own, so that `jobs resume last` never means a job of the other.
  if (flags.sandbox === true && flags.store === undefined) return sandboxFiles(environment).ledger;
  const store = flags.store ?? environment['SHELFLIFT_STORE'];
  if (store === undefined || store === '') return join(stateFolder(environment), 'ledger.db');
  return store;
}

/** --wait, ms; undefined where it is not given. */
export function waitOf({ wait }: Pick<GlobalFlags, 'wait'>): number | undefined {
  return wait === undefined ? undefined : parseDuration(wait, '--wait');
}

/** How long a command that only reads waits for the API. */
export function patienceOf(flags: Pick<GlobalFlags, 'wait'>): { patience: OutageWaits } {
  return { patience: waitsOf(waitOf(flags)) };
}

export function timeoutOf(flags: GlobalFlags): number {
  return parseDuration(flags.timeout ?? '30s', '--timeout');
}
