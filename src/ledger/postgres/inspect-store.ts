import type { StoreInspection } from '../store-inspection.ts';
import { Database } from './database.ts';
import { parsePostgresLocation } from './location.ts';
import { migrate, storedVersion } from './migrate.ts';

const NO_FSYNC = {
  found: 'its server does not wait for the disk (fsync is off): a crash may lose what was sent',
  remedy: 'Let its administrator run: ALTER SYSTEM SET fsync = on',
};

/** @throws what openPostgresLedger throws, and UsageError `store_no_rights` where it may only be read */
export async function inspectPostgresStore(location: string): Promise<StoreInspection> {
  const database = new Database(parsePostgresLocation(location));
  try {
    await migrate(database);
    const { schema } = database;
    // Writes what is there already: a right that is missing is found here rather than in the middle of an import.
    await database.once({ text: `UPDATE ${schema}.store SET version = version` });
    const [found] = await database.repeatable<{ server: string; fsync: string; jobs: number }>({
      text: `SELECT current_setting('server_version') AS server, current_setting('fsync') AS fsync, (SELECT count(*) FROM ${schema}.jobs) AS jobs`,
    });
    return {
      server: `PostgreSQL ${found?.server ?? ''}`,
      version: (await storedVersion(database)) ?? 0,
      jobs: found?.jobs ?? 0,
      ...(found?.fsync === 'off' ? { warning: NO_FSYNC } : {}),
    };
  } finally {
    await database.close();
  }
}
