import type { StoreInspection } from '../store-inspection.ts';
import { Database } from './database.ts';

/** Longer than another command's commit takes, ms. */
const LOCKED_MS = 5_000;

/** @throws what openSqliteLedger throws */
export async function inspectSqliteStore(path: string): Promise<StoreInspection> {
  const database = new Database(path);
  try {
    // A transaction that writes nothing still needs the right and the lock to write.
    await database.patiently(() => database.transaction(() => undefined), LOCKED_MS);
    const { user_version: version } = database.prepare('PRAGMA user_version').get() as {
      user_version: number;
    };
    const { jobs } = database.prepare('SELECT count(*) AS jobs FROM jobs').get() as { jobs: number };
    return { version, jobs };
  } finally {
    database.close();
  }
}
