/**
 * Opens the SQLite file: WAL so that a CLI call can read while a worker writes, synchronous=FULL because an
 * intent must be on disk before its request leaves.
 */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { ShelfliftError, UsageError } from '../../errors.ts';
import { MIGRATIONS } from './migrations.ts';
import { makeFolder } from '../../make-folder.ts';

/** "Shlf": tells a store of ours from any other SQLite file. */
const APPLICATION_ID = 0x53686c66;
const BUSY_TIMEOUT_MS = 15_000;
/**
 * The log is moved into the file each 32 MB, not each 4 MB as SQLite does by itself: the disk is waited for twice
 * at each move, which was a fifth of the time of staging a million rows. What is durable when stays as it was.
 */
const CHECKPOINT_PAGES = 8000;

/** Prepared once, used often: preparing again for each row costs more than half of the speed. */
export class Database {
  readonly path: string;
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  /** @throws UsageError `store_not_ours`, `store_newer`, `store_unreadable`, `store_locked` */
  constructor(path: string) {
    this.path = path;
    try {
      if (path !== ':memory:') makeFolder(dirname(path), 0o700);
      const fresh = path === ':memory:' || !existsSync(path);
      this.#db = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
      // Checked before anything is written, so that a file of someone else stays as it was.
      if (!fresh) this.#checkOwner();
      this.#db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;');
      this.#db.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
      this.#migrate();
    } catch (cause) {
      throw sqliteError(cause, path);
    }
  }

  prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#db.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /**
   * A transaction that a power cut may take back (never one half of it): for staging, where nothing counts
   * before the durable commit that ends it, and where waiting for the disk was half of the time.
   */
  relaxed<T>(work: () => T): T {
    this.#db.exec('PRAGMA synchronous = NORMAL');
    try {
      return this.transaction(work);
    } finally {
      this.#db.exec('PRAGMA synchronous = FULL');
    }
  }

  /** One transaction; IMMEDIATE, so that two writers queue instead of failing half way. */
  transaction<T>(work: () => T): T {
    try {
      this.#db.exec('BEGIN IMMEDIATE');
    } catch (cause) {
      throw sqliteError(cause, this.path);
    }
    try {
      const result = work();
      this.#db.exec('COMMIT');
      return result;
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw error instanceof ShelfliftError ? error : sqliteError(error, this.path);
    }
  }

  /** Makes the file smaller by what was removed; left for another time while somebody else uses the store. */
  compact(): void {
    try {
      this.#db.exec('PRAGMA busy_timeout = 0');
      this.#db.exec('VACUUM');
      this.#db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch (error) {
      const failure = sqliteError(error, this.path);
      if (failure.code !== 'store_locked') throw failure;
    } finally {
      this.#db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    }
  }

  close(): void {
    this.#statements.clear();
    if (this.#db.isOpen) this.#db.close();
  }

  #checkOwner(): void {
    // In this order: another process may be making the store, and tables and owner appear together.
    const tables = this.#db.prepare('SELECT count(*) AS count FROM sqlite_schema').get() as { count: number };
    const { application_id: owner } = this.#db.prepare('PRAGMA application_id').get() as {
      application_id: number;
    };
    if (owner !== APPLICATION_ID && tables.count > 0) {
      throw new UsageError('store_not_ours', `${this.path} is a database of another program`, {
        remedy: 'Name another file with --store.',
      });
    }
  }

  #migrate(): void {
    const version = this.#version();
    if (version > MIGRATIONS.length) {
      throw new UsageError(
        'store_newer',
        `${this.path} was written by a newer shelflift (version ${version})`,
        {
          remedy: 'Use that newer shelflift, or another --store.',
        },
      );
    }
    if (version === MIGRATIONS.length) return;
    this.transaction(() => {
      // Read again: another process may have migrated while this one waited.
      for (let step = this.#version(); step < MIGRATIONS.length; step += 1) {
        this.#db.exec(MIGRATIONS[step] ?? '');
        this.#db.exec(`PRAGMA user_version = ${step + 1}`);
      }
      this.#db.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    });
  }

  #version(): number {
    const row = this.#db.prepare('PRAGMA user_version').get() as { user_version: number };
    return row.user_version;
  }
}

/** SQLite's own words, with what to do about it. A full disk keeps its own code: the job parks. */
export function sqliteError(cause: unknown, path: string): ShelfliftError {
  if (cause instanceof ShelfliftError) return cause;
  const message = cause instanceof Error ? cause.message : String(cause);
  const errcode = (cause as { errcode?: unknown } | null)?.errcode;
  const primary = typeof errcode === 'number' ? errcode & 0xff : undefined;
  if (primary === 13) return new StoreFullError(path, cause);
  if (primary === 5 || primary === 6) {
    return new UsageError('store_locked', `the store ${path} is locked by another program`, {
      cause,
      remedy: 'Wait until the other command has ended, or name another --store.',
    });
  }
  if (primary === 26 || primary === 11) {
    return new UsageError('store_not_ours', `${path} is not a store of shelflift: ${message}`, {
      cause,
      remedy: 'Name another file with --store.',
    });
  }
  if (primary === 8 || primary === 14 || (cause as NodeJS.ErrnoException | null)?.syscall !== undefined) {
    return new UsageError('store_unwritable', `the store ${path} cannot be opened for writing: ${message}`, {
      cause,
      remedy: 'Check the folder and its permissions, or name another file with --store.',
    });
  }
  return new ShelfliftError('store_failed', `the store ${path} failed: ${message}`, { cause });
}

/** The disk is full: nothing more may be sent that cannot be recorded. */
export class StoreFullError extends ShelfliftError {
  constructor(path: string, cause: unknown) {
    super('disk_full', `the disk of the store ${path} is full`, {
      cause,
      remedy: 'Make room; then resume the job, or import the file again where none was made yet.',
    });
  }
}
