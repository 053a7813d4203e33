/** Where a command finds its ledger. */
import { join } from 'node:path';
import { stateFolder } from '../base/config.ts';
import { sandboxFiles } from './embedded-sandbox.ts';

/** A path, or an address with its password. */
export function storeOf(
  flags: { sandbox?: boolean; store?: string },
  environment: NodeJS.ProcessEnv,
): string {
  // The sandbox has its own ledger, so that `jobs resume last` never means a job of the real API.
  if (flags.sandbox === true && flags.store === undefined) return sandboxFiles(environment).ledger;
  const store = flags.store ?? environment['SHELFLIFT_STORE'];
  if (store === undefined || store === '') return join(stateFolder(environment), 'ledger.db');
  return store;
}
