/** Writes a snapshot of a store to a file while jobs continue. */
import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { ShelfliftError, UsageError } from '../../base/errors.ts';
import { isPostgresLocation, withoutPassword } from '../postgres/location.ts';
import { checkStore } from './check-store.ts';
import { copyStore } from './copy-store.ts';
import { backupSqlite } from '../sqlite/database.ts';
import { byHand, message } from '../../messages/message.ts';

export interface BackupReport {
  store: string;
  /** Absolute. */
  file: string;
  jobs: number;
  rows: number;
  bytes: number;
}

/**
 * @param file the file to create: an SQLite store that `--store` accepts. It gets this name only after a check
 * @throws UsageError `no_such_store`, `backup_exists`; ShelfliftError `store_copy_differs`, and the errors of
 *   openLedger
 */
export async function backupStore(location: string, file: string): Promise<BackupReport> {
  if (existsSync(file)) {
    throw new UsageError('backup_exists', message('file_exists', { file }), {
      actions: [byHand('name_other_backup', {})],
    });
  }
  const part = `${file}.part`;
  rmSync(part, { force: true });
  try {
    if (isPostgresLocation(location)) await copyStore(location, part, { whileRunning: true });
    else await backupSqlite(location, part);
    const { problems, jobs, rows, store } = await checkStore(part);
    const [problem] = problems;
    if (problem !== undefined) {
      const said = message('backup_incomplete', { store, problem });
      throw new ShelfliftError('store_copy_differs', said);
    }
    renameSync(part, file);
    return { store: withoutPassword(location), file: resolve(file), jobs, rows, bytes: statSync(file).size };
  } catch (error) {
    for (const ending of ['', '-wal', '-shm']) rmSync(part + ending, { force: true });
    throw error;
  }
}
