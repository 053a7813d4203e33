/** Opens the sandbox's SQLite database, in a file or in memory. */
import { DatabaseSync } from 'node:sqlite';
import { UsageError } from '../../base/errors.ts';
import { byHand, message } from '../../messages/message.ts';

/** In the file's header, so that another program's file is recognised. */
const APPLICATION_ID = 0x53_4c_46_42;
const VERSION = 1;

/** How long a closing sandbox may take to release its file. */
const LOCK_WAIT_MS = 1000;
/** https://www.sqlite.org/rescode.html#busy */
const SQLITE_BUSY = 5;

/**
 * An item's `body` is the JSON text of the API's answer: a page is a concatenation of texts, and no value is changed by
 * being stored in columns (key order, odd code units). The other columns are for lists. Times are ms since 1970.
 */
const TABLES = `
  CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE teams (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, currency TEXT NOT NULL, sales TEXT NOT NULL
  ) STRICT;
  CREATE TABLE keys (
    secret TEXT PRIMARY KEY, team INTEGER NOT NULL REFERENCES teams (id), scopes TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE collections (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, team INTEGER NOT NULL REFERENCES teams (id),
    created INTEGER NOT NULL, body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX collections_of_team ON collections (team, created, seq);
  CREATE TABLE items (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, team INTEGER NOT NULL, status TEXT NOT NULL,
    created INTEGER NOT NULL, updated INTEGER NOT NULL, body TEXT NOT NULL
  ) STRICT;
`;

/** The column that "newest first" sorts by. */
export type SortColumn = 'created' | 'updated';

/**
 * Opens or creates the database.
 *
 * A file is in WAL mode with synchronous=NORMAL: answered requests survive the process, but not a power failure. Lists
 * need one index for each of their filters, in the chosen order only, because each index slows down every create.
 *
 * @param file a path, or undefined for memory
 * @throws UsageError `not_a_sandbox_file`, `sandbox_file_newer`, `sandbox_file_in_use`, `sandbox_file_unusable`
 */
export function openDatabase(file: string | undefined, sort: SortColumn): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file ?? ':memory:', { timeout: LOCK_WAIT_MS });
    if (file !== undefined) lock(database);
    prepare(database, file, sort);
    return database;
  } catch (error) {
    database?.close();
    if (error instanceof UsageError || file === undefined) throw error;
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) {
      throw new UsageError('sandbox_file_in_use', message('sandbox_file_in_use', { file }), {
        cause: error,
        position: { file },
        actions: [byHand('wait_for_other_sandbox', {})],
      });
    }
    throw new UsageError('sandbox_file_unusable', message('sandbox_file_unusable', { file }), {
      cause: error,
      position: { file },
      actions: [byHand('name_sandbox_file', {})],
    });
  }
}

/** Keeps other processes out: counts, keys and collections are held in memory, so a file can serve only one sandbox. */
function lock(database: DatabaseSync): void {
  database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT');
}

function prepare(database: DatabaseSync, file: string | undefined, sort: SortColumn): void {
  const version = pragma(database, 'user_version');
  if (pragma(database, 'application_id') === APPLICATION_ID) {
    if (version > VERSION) {
      throw new UsageError('sandbox_file_newer', message('sandbox_file_newer', { file: file ?? '' }), {
        actions: [byHand('use_newer_program', {})],
      });
    }
  } else {
    const tables = database.prepare('SELECT count(*) AS n FROM sqlite_schema').get()?.['n'];
    if (tables !== 0) {
      throw new UsageError('not_a_sandbox_file', message('store_of_other_program', { store: file ?? '' }), {
        actions: [byHand('name_sandbox_file', {})],
      });
    }
    database.exec(`BEGIN; ${TABLES} PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${VERSION};
      COMMIT`);
  }
  database.exec(
    file === undefined
      ? 'PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF'
      : 'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL',
  );
  database.exec(`
    CREATE INDEX IF NOT EXISTS items_by_${sort} ON items (team, ${sort}, seq);
    CREATE INDEX IF NOT EXISTS items_by_status_${sort} ON items (team, status, ${sort}, seq);
    CREATE INDEX IF NOT EXISTS items_listed_${sort} ON items (team, ${sort}, seq)
      WHERE status IN ('sell', 'trade');
  `);
}

function pragma(database: DatabaseSync, name: string): number {
  return Number(database.prepare(`PRAGMA ${name}`).get()?.[name]);
}
