/** Creates the schema, one process at a time. */
import type { PoolClient } from 'pg';
import { UsageError } from '../../base/errors.ts';
import type { Database } from './database.ts';
import { codeOf, isConnectionLost, postgresError } from './errors.ts';
import { checkVersion, STORE_VERSION } from '../store-version.ts';
import { storeActions } from '../store-actions.ts';
import { postgresTables } from './schema.ts';
import { byHand, message } from '../../messages/message.ts';

/**
 * Costs one read if the store is up to date.
 *
 * @throws UsageError `store_newer`, `store_older`, `store_not_ours`, `store_no_rights`, `store_encoding`, and errors of
 *   connecting
 */
export async function migrate(database: Database): Promise<void> {
  const { schema, location } = database;
  const version = await storedVersion(database);
  if (version === STORE_VERSION) return;
  if (version !== undefined && version > 0) checkVersion(version, location.shown);
  await database.transaction(async (client) => {
    // Held until the commit: other processes wait, and then find the work done.
    await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `shelflift ${location.schema}`,
    ]);
    await makeSchema(client, database);
    const { rows } = await client.query<{ version: number }>(`SELECT version FROM ${schema}.store`);
    const now = rows[0]?.version ?? 0;
    if (now > 0) return checkVersion(now, location.shown);
    await client.query(postgresTables(schema));
    await client.query(`UPDATE ${schema}.store SET version = $1`, [STORE_VERSION]);
  });
}

/** The version of the store's tables; undefined if there are no tables yet. */
export async function storedVersion(database: Database): Promise<number | undefined> {
  const { schema, location, pool } = database;
  const statement = `SELECT version FROM ${schema}.store WHERE product = 'shelflift'`;
  for (let starting = 0; ; starting += 1) {
    try {
      const { rows } = await pool.query<{ version: number }>(statement);
      return rows[0]?.version;
    } catch (error) {
      const code = codeOf(error);
      // No such table, no such schema, or a table of that name with other columns.
      if (code === '42P01' || code === '3F000' || code === '42703') return undefined;
      // Waits for a server that is just starting; one that is down is reported at once.
      if (code === '57P03' && isConnectionLost(error) && starting < 100) {
        await new Promise((resolve) => setTimeout(resolve, 100));
        continue;
      }
      throw postgresError(error, location.shown);
    }
  }
}

/** Creates the schema and the table that marks it as shelflift's; refuses a schema of another program. */
async function makeSchema(client: PoolClient, { schema, location }: Database): Promise<void> {
  const { rows } = await client.query<{ exists: boolean; tables: number; ours: boolean; encoding: string }>(
    `SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = $1) AS exists,
       (SELECT count(*)::integer FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1) AS tables,
       EXISTS (SELECT FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE n.nspname = $1 AND c.relname = 'store' AND a.attname = 'product') AS ours,
       current_setting('server_encoding') AS encoding`,
    [location.schema],
  );
  const [found] = rows;
  if (found === undefined || found.ours) return;
  if (found.encoding !== 'UTF8') {
    const said = message('store_encoding', { store: location.shown, encoding: found.encoding });
    throw new UsageError('store_encoding', said, { actions: storeActions('store_encoding') });
  }
  if (found.tables > 0) {
    const said = message('schema_not_ours', { store: location.shown, schema: location.schema });
    throw new UsageError('store_not_ours', said, { actions: [byHand('name_other_schema', {})] });
  }
  try {
    // Only if it is missing: a role that owns no more than its schema may not even try.
    if (!found.exists) await client.query(`CREATE SCHEMA ${schema}`);
    await client.query(`CREATE TABLE ${schema}.store (product text NOT NULL, version integer NOT NULL)`);
  } catch (error) {
    if (codeOf(error) !== '42501') throw error;
    const wanted = { schema: location.schema, role: (await roleOf(client)) ?? 'ROLE' };
    const said = message('schema_not_creatable', { store: location.shown, ...wanted });
    throw new UsageError('store_no_rights', said, {
      cause: error,
      actions: [byHand('have_schema_created', wanted)],
    });
  }
  await client.query(`INSERT INTO ${schema}.store VALUES ('shelflift', 0)`);
}

async function roleOf(client: PoolClient): Promise<string | undefined> {
  await client.query('ROLLBACK');
  const { rows } = await client.query<{ role: string }>('SELECT quote_ident(current_user) AS role');
  return rows[0]?.role;
}
