/** A look at a store for `doctor`: it opens as every command opens it, and takes a write lock once. */
import { Database } from './database.ts';

/**
 * @returns the version of the store's tables, and how many jobs it has
 * @throws UsageError as openSqliteLedger does
 */
export function inspectStore(path: string): { version: number; jobs: number } {
  const database = new Database(path);
  try {
    // A transaction that writes nothing still needs the right and the lock to write.
    database.transaction(() => undefined);
    const { user_version: version } = database.prepare('PRAGMA user_version').get() as {
      user_version: number;
    };
    const { jobs } = database.prepare('SELECT count(*) AS jobs FROM jobs').get() as { jobs: number };
    return { version, jobs };
  } finally {
    database.close();
  }
}
