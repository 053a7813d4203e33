/** A store's state of one instant in a file of its own, while jobs go on. */
import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { ShelfliftError, UsageError } from '../../errors.ts';
import { isPostgresLocation, withoutPassword } from '../postgres/location.ts';
import { backupSqlite } from '../sqlite/backup.ts';
import { checkStore } from './check-store.ts';
import { copyStore } from './copy-store.ts';

export interface BackupReport {
  store: string;
  /** Absolute. */
  file: string;
  jobs: number;
  rows: number;
  bytes: number;
}

/**
 * @param file made; an SQLite store that `--store` takes as it is. It has its name only once it is checked
 * @throws UsageError `no_such_store`, `backup_exists`; ShelfliftError `store_copy_differs`, and what openLedger throws
 */
export async function backupStore(location: string, file: string): Promise<BackupReport> {
  if (existsSync(file)) {
    throw new UsageError('backup_exists', `${file} is there already`, {
      remedy: 'Name another file; an older backup is never overwritten.',
    });
  }
  const part = `${file}.part`;
  rmSync(part, { force: true });
  try {
    if (isPostgresLocation(location)) await copyStore(location, part, { whileRunning: true });
    else await backupSqlite(location, part);
    const { ok, problems, jobs, rows, store } = await checkStore(part);
    if (!ok)
      throw new ShelfliftError('store_copy_differs', `the backup ${store} is not whole: ${problems[0]}`);
    renameSync(part, file);
    return { store: withoutPassword(location), file: resolve(file), jobs, rows, bytes: statSync(file).size };
  } catch (error) {
    for (const ending of ['', '-wal', '-shm']) rmSync(part + ending, { force: true });
    throw error;
  }
}
