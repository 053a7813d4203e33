/** Doctor's checks of this machine: the store, and disk space for it. */
import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isPostgresLocation, withoutPassword } from '../ledger/postgres/location.ts';
import { ShelfliftError } from '../errors.ts';
import { ExitCode } from '../exit-code.ts';
import { failed, type Finding } from './check.ts';
import { inspectStore } from '../ledger/open-ledger.ts';

/** The ledger of 100,000 rows takes about 60 MB, with results and rejects beside it. */
const LEAST_FREE_BYTES = 100 * 1024 * 1024;

/** @param store a path, or an address with its password, which is not shown */
export async function checkStore(store: string): Promise<Finding> {
  const check = 'store';
  const fresh = !isPostgresLocation(store) && !existsSync(store);
  try {
    const { server, version, jobs, warning } = await inspectStore(store);
    const what = fresh ? 'made now' : `${jobs} ${jobs === 1 ? 'job' : 'jobs'}`;
    const where = server === undefined ? store : `${withoutPassword(store)} (${server})`;
    const detail = `${where}: can be written, version ${version}, ${what}`;
    if (warning === undefined) return { check, state: 'ok', detail };
    return { check, state: 'warning', detail: `${detail}; ${warning.found}`, remedy: warning.remedy };
  } catch (error) {
    const exitCode = error instanceof ShelfliftError ? error.exitCode : ExitCode.usage;
    return failed(check, error, exitCode, 'Name another store with --store.');
  }
}

/** Free space for the store; undefined for a server, whose disk cannot be seen. */
export async function checkDisk(path: string): Promise<Finding | undefined> {
  if (isPostgresLocation(path)) return undefined;
  const check = 'disk';
  let folder = dirname(path);
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const detail = `${(free / 1e9).toFixed(1)} GB free in ${folder}`;
  if (free >= LEAST_FREE_BYTES) return { check, state: 'ok', detail };
  return {
    check,
    state: 'failed',
    detail,
    remedy: 'Make room: a job parks when its ledger cannot be written.',
    exitCode: ExitCode.parked,
    code: 'disk_full',
  };
}
