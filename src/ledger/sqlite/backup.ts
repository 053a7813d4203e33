/** SQLite's own backup: pages are copied while others write, and copied again where they changed. */
import { existsSync } from 'node:fs';
import { backup, DatabaseSync } from 'node:sqlite';
import { UsageError } from '../../errors.ts';
import { Database, sqliteError } from './database.ts';

/** @throws UsageError `no_such_store`, and what openSqliteLedger throws */
export async function backupSqlite(from: string, to: string): Promise<void> {
  if (!existsSync(from)) throw new UsageError('no_such_store', `there is no store at ${from}`);
  // Opened as every command does, so that a file of another program is refused.
  new Database(from).close();
  const source = new DatabaseSync(from);
  try {
    await backup(source, to);
  } catch (error) {
    throw sqliteError(error, to);
  } finally {
    source.close();
  }
}
