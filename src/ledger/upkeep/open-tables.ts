/**
 * A store's tables for its upkeep, through one query builder for both databases: speed does not matter here, and with
 * the same code for reading and writing, a copy has only one meaning.
 */
import { existsSync } from 'node:fs';
import { Kysely, PostgresDialect, SqliteDialect, type SqliteStatement, sql, type Transaction } from 'kysely';
import { postgresError } from '../postgres/errors.ts';
import { isPostgresLocation, parsePostgresLocation } from '../postgres/location.ts';
import { Database as SqliteDatabase, sqliteError } from '../sqlite/database.ts';
import type { Tables } from './tables.ts';
import { noSuchStore } from '../store-actions.ts';

export interface OpenTables extends AsyncDisposable {
  /** Without a password. */
  location: string;
  kind: 'sqlite' | 'postgres';
  /**
   * Reads page by page, each page in its current state. On PostgreSQL no transaction stays open, because a long
   * transaction would keep the server from reusing the space of every changed row.
   */
  look<T>(work: (db: Kysely<Tables>) => Promise<T>): Promise<T>;
  /** Reads one state of the store, even while others write. */
  read<T>(work: (db: Transaction<Tables>) => Promise<T>): Promise<T>;
  /** Writes all or nothing. */
  write<T>(work: (db: Transaction<Tables>) => Promise<T>): Promise<T>;
}

/**
 * @param options.make creates the store if it does not exist
 * @throws the errors of openLedger, and UsageError `no_such_store`
 */
export async function openTables(location: string, options: { make: boolean }): Promise<OpenTables> {
  return isPostgresLocation(location)
    ? openPostgres(location, options.make)
    : openSqlite(location, options.make);
}

function openSqlite(path: string, make: boolean): OpenTables {
  if (!make && !existsSync(path)) throw noSuchStore(path);
  const database = new SqliteDatabase(path);
  const db = new Kysely<Tables>({
    dialect: new SqliteDialect({
      database: { prepare: (text) => statementOf(database, text), close: () => undefined },
    }),
  });
  const run = <T>(work: (db: Transaction<Tables>) => Promise<T>) =>
    db
      .transaction()
      .execute(work)
      .catch((error: unknown) => {
        throw sqliteError(error, path);
      });
  return {
    location: path,
    kind: 'sqlite',
    look: run,
    read: run,
    write: run,
    async [Symbol.asyncDispose]() {
      await db.destroy();
      await database.close();
    },
  };
}

function statementOf(database: SqliteDatabase, text: string): SqliteStatement {
  const statement = database.prepare(text);
  type Values = Parameters<typeof statement.all>;
  return {
    reader: statement.columns().length > 0,
    all: (values) => statement.all(...(values as Values)),
    run: (values) => statement.run(...(values as Values)),
    iterate: (values) => statement.iterate(...(values as Values)),
  };
}

async function openPostgres(location: string, make: boolean): Promise<OpenTables> {
  const { Database } = await import('../postgres/database.ts');
  const { migrate, storedVersion } = await import('../postgres/migrate.ts');
  // No timeout: counting a large store may take long.
  const database = new Database(parsePostgresLocation(location), { answerTimeoutMs: 0 });
  const { shown } = database.location;
  try {
    if (!make && (await storedVersion(database)) === undefined) throw noSuchStore(shown);
    await migrate(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: database.pool }) });
  const run = <T>(mode: 'read only' | 'read write', work: (db: Transaction<Tables>) => Promise<T>) =>
    db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode(mode)
      .execute(async (transaction) => {
        // So that queries name the tables as in SQLite.
        await sql`SET LOCAL search_path TO ${sql.id(database.location.schema)}`.execute(transaction);
        // One side of a copy may wait long for the other.
        await sql`SET LOCAL idle_in_transaction_session_timeout TO 0`.execute(transaction);
        return work(transaction);
      })
      .catch((error: unknown) => {
        throw postgresError(error, shown);
      });
  const look = <T>(work: (db: Kysely<Tables>) => Promise<T>) =>
    db
      .connection()
      .execute(async (connection) => {
        await sql`SET search_path TO ${sql.id(database.location.schema)}`.execute(connection);
        return work(connection);
      })
      .catch((error: unknown) => {
        throw postgresError(error, shown);
      });
  return {
    location: shown,
    kind: 'postgres',
    look,
    read: (work) => run('read only', work),
    write: (work) => run('read write', work),
    [Symbol.asyncDispose]: () => database.close(),
  };
}
