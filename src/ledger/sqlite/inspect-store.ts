import type { StoreInspection } from '../store-inspection.ts';
import { Database } from './database.ts';

/** @throws UsageError as openSqliteLedger does */
export function inspectSqliteStore(path: string): StoreInspection {
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
