/** Doctor's checks of this machine: the store, disk space for it, and who else could see the page. */
import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isPostgresLocation, withoutPassword } from '../ledger/postgres/location.ts';
import { ShelfliftError } from '../base/errors.ts';
import { ExitCode } from '../base/exit-code.ts';
import { failed, type Finding } from './check.ts';
import { inspectStore } from '../ledger/open-ledger.ts';
import { USE_STORE } from '../ledger/store-actions.ts';
import { byHand, message } from '../messages/message.ts';

/** The ledger of 100,000 rows takes about 60 MB, with results and rejects beside it. */
const MIN_FREE_BYTES = 100 * 1024 * 1024;

/** @param store a path, or an address with its password, which is not shown */
export async function checkStore(store: string): Promise<Finding> {
  const check = 'store';
  const fresh = !isPostgresLocation(store) && !existsSync(store);
  try {
    const { server, version, jobs, warning } = await inspectStore(store);
    const found = message('store_usable', {
      store: withoutPassword(store),
      version,
      ...(server === undefined ? {} : { server }),
      ...(fresh ? {} : { jobs }),
    });
    if (warning === undefined) return { check, state: 'ok', found };
    const but = message('both', { first: found, second: warning });
    return { check, state: 'warning', found: but, actions: warning.actions ?? [] };
  } catch (error) {
    const exitCode = error instanceof ShelfliftError ? error.exitCode : ExitCode.usage;
    return failed(check, error, exitCode, [USE_STORE]);
  }
}

/**
 * How the page is protected from other users of the machine if the system does not say whose connection it is
 * (ui/guards/peer.ts); undefined on Linux, which does.
 */
export function checkPage(platform: NodeJS.Platform = process.platform): Finding | undefined {
  if (platform === 'linux') return undefined;
  return { check: 'page', state: 'ok', found: message('page_users_untold', {}) };
}

/** Free space for the store; undefined for a server, whose disk cannot be seen. */
export async function checkDisk(path: string): Promise<Finding | undefined> {
  if (isPostgresLocation(path)) return undefined;
  const check = 'disk';
  let folder = dirname(path);
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const found = message('space_free', { gigabytes: free / 1e9, folder });
  if (free >= MIN_FREE_BYTES) return { check, state: 'ok', found };
  return {
    check,
    state: 'failed',
    found,
    actions: [byHand('make_room', {})],
    exitCode: ExitCode.parked,
    code: 'disk_full',
  };
}
