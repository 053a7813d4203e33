/** What doctor finds on this machine: the store, and room for it. */
import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { inspectStore } from '../../ledger/sqlite/inspect-store.ts';
import { ExitCode, ShelfliftError } from '../../errors.ts';
import { failed, type Finding } from './check.ts';

/** The ledger of 100,000 rows takes about 60 MB, with results and rejects beside it. */
const LEAST_FREE_BYTES = 100 * 1024 * 1024;

export function checkStore(path: string): Finding {
  const check = 'store';
  const fresh = !existsSync(path);
  try {
    const { version, jobs } = inspectStore(path);
    const what = fresh ? 'made now' : `${jobs} ${jobs === 1 ? 'job' : 'jobs'}`;
    return { check, state: 'ok', detail: `${path}: can be written, version ${version}, ${what}` };
  } catch (error) {
    const exitCode = error instanceof ShelfliftError ? error.exitCode : ExitCode.usage;
    return failed(check, error, exitCode, 'Name another file with --store.');
  }
}

export async function checkDisk(path: string): Promise<Finding> {
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
