/** Returns freed space of a store to the disk, as far as its database can while others work. */
import { statSync } from 'node:fs';
import { isPostgresLocation, parsePostgresLocation } from '../postgres/location.ts';
import { Database as SqliteDatabase } from '../sqlite/database.ts';

/**
 * An SQLite file shrinks, unless another process is using it. PostgreSQL keeps the space for new rows: its files
 * shrink only at their ends.
 */
export async function compactStore(location: string): Promise<{ freedBytes: number }> {
  return isPostgresLocation(location) ? compactPostgres(location) : compactSqlite(location);
}

function compactSqlite(path: string): { freedBytes: number } {
  const before = statSync(path).size;
  const database = new SqliteDatabase(path);
  try {
    database.compact();
  } finally {
    database.close();
  }
  return { freedBytes: Math.max(0, before - statSync(path).size) };
}

async function compactPostgres(location: string): Promise<{ freedBytes: number }> {
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
    await database.repeatable({ text: `VACUUM (ANALYZE) ${database.schema}.rows` });
    return { freedBytes: Math.max(0, before - (await size())) };
  } finally {
    await database.close();
  }
}
