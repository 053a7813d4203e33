/** Returns freed space of a store to the disk, as far as its database can do so while others work. */
import { statSync } from 'node:fs';
import { postgresError } from '../postgres/errors.ts';
import { isPostgresLocation, parsePostgresLocation } from '../postgres/location.ts';
import { Database as SqliteDatabase } from '../sqlite/database.ts';

export interface Compacted {
  /** Bytes returned to the disk. */
  freedBytes: number;
  /** Nothing was done because somebody else has the SQLite file open, whose work would have to wait. */
  inUse?: true;
}

/**
 * An SQLite file shrinks, unless another process has it open. PostgreSQL keeps the space for new rows: its files
 * shrink only at their ends.
 */
export async function compactStore(location: string): Promise<Compacted> {
  return isPostgresLocation(location) ? compactPostgres(location) : compactSqlite(location);
}

async function compactSqlite(path: string): Promise<Compacted> {
  const before = statSync(path).size;
  const database = new SqliteDatabase(path);
  try {
    if (!database.compact()) return { freedBytes: 0, inUse: true };
  } finally {
    await database.close();
  }
  return { freedBytes: Math.max(0, before - statSync(path).size) };
}

async function compactPostgres(location: string): Promise<Compacted> {
  const { Database } = await import('../postgres/database.ts');
  const database = new Database(parsePostgresLocation(location), { answerTimeoutMs: 0 });
  const size = async () => {
    const [found] = await database.repeatable<{ bytes: number }>({
      text: `SELECT pg_total_relation_size('${database.schema}.rows') AS bytes`,
    });
    return found?.bytes ?? 0;
  };
  try {
    const before = await size();
    const client = await database.pool.connect();
    try {
      // With pauses, like the server's own vacuum, so that a concurrent import is not slowed down.
      await client.query(`SET vacuum_cost_delay = '2ms'`);
      for (const table of ['rows', 'seen_items', 'runs'])
        await client.query(`VACUUM (ANALYZE) ${database.schema}.${table}`);
    } catch (error) {
      throw postgresError(error, database.location.shown);
    } finally {
      client.release(true);
    }
    return { freedBytes: Math.max(0, before - (await size())) };
  } finally {
    await database.close();
  }
}
