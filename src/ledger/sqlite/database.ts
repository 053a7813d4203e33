/**
 * Opens the SQLite file: in WAL mode, so that a command can read while a worker writes; with synchronous=FULL, because
 * an intent must be on disk before its request is sent.
 */
import { closeSync, existsSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { backup, DatabaseSync, type StatementSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, systemClock } from '../../base/clock.ts';
import { ShelfliftError, UsageError } from '../../base/errors.ts';
import { machineOf } from '../process-identity.ts';
import { OUTAGE_TOLD_AFTER_MS, outageWait, STORE_OUTAGE_MS, type StoreOutageOptions } from '../store-away.ts';
import { type Flush, LogFile } from './log-file.ts';
import { checkVersion, STORE_VERSION } from '../store-version.ts';
import { noSuchStore, storeActions } from '../store-actions.ts';
import { SCHEMA, sqliteStatement, sqliteValue } from './dialect.ts';
import type { ChangeOptions, Insertion, Line, Session, Statement, Steps } from '../sql/session.ts';
import { makeFolder } from '../../base/make-folder.ts';
import { message } from '../../messages/message.ts';

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const BUSY = 5;
const DAMAGED = 11;
const NOT_A_DATABASE = 26;
/** "Shlf": marks the file as a shelflift store. */
const APPLICATION_ID = 0x53686c66;
/** During opening nothing else runs in this process, so SQLite may block while another process creates the store. */
const OPENING_BUSY_MS = 1_000;
/** SQLite blocks the thread while it waits. `patiently` handles longer waits between two tries. */
const BUSY_MS = 20;
const FIRST_PAUSE_MS = 10;
const MAX_PAUSE_MS = 250;
/** A refusal older than this belongs to an earlier outage. */
const SAME_OUTAGE_MS = 60_000;
/**
 * Checkpoint every 32 MB instead of SQLite's 4 MB: each checkpoint waits for the disk twice, which took a fifth of the
 * time for staging a million rows. Durability does not change.
 */
const CHECKPOINT_PAGES = 8000;

/** Statements are prepared once: preparing them for each row would cost more than half of the speed. */
export class Database implements Session {
  readonly path: string;
  readonly schema = 'main';
  readonly now = 'now_ms()';
  readonly isFile = true;
  readonly machineOf = machineOf;
  readonly #db: DatabaseSync;
  readonly #log: LogFile;
  readonly #statements = new Map<string, StatementSync>();
  readonly #outageMs: number;
  readonly #onOutage: NonNullable<StoreOutageOptions['onOutage']>;
  readonly #signal: AbortSignal | undefined;
  /** The current outage of writes (reads may work meanwhile). Monotonic ms. */
  #refused: { since: number; last: number } | undefined;
  #outageReported = false;

  /**
   * @param options.outageMs how long to wait for a store that another program has locked
   * @param options.flush replaced in tests
   * @throws UsageError `store_not_ours`, `store_newer`, `store_older`, `store_unwritable`, `store_damaged`; ShelfliftError `store_locked`
   */
  constructor(
    path: string,
    {
      outageMs = STORE_OUTAGE_MS,
      onOutage = () => undefined,
      signal,
      flush,
      clock = systemClock,
    }: StoreOutageOptions & { flush?: Flush; clock?: Clock } = {},
  ) {
    this.path = path;
    this.#log = new LogFile(path, flush);
    this.#outageMs = outageMs;
    this.#onOutage = onOutage;
    this.#signal = signal;
    try {
      const fresh = path === ':memory:' || !existsSync(path);
      if (fresh && path !== ':memory:') {
        makeFolder(dirname(path), 0o700);
        makePrivate(path);
      }
      this.#db = new DatabaseSync(path, { timeout: OPENING_BUSY_MS });
      this.#db.function('now_ms', () => clock.now());
      // Checked before anything is written, so that a file of someone else stays as it was.
      if (!fresh) this.#checkOwner();
      this.#useLog();
      this.#db.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;');
      this.#db.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
      this.#migrate();
      this.#db.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
    } catch (cause) {
      throw openingError(cause, path);
    }
  }

  /** SQLite itself does not wait for a program that changes the journal mode at the same moment. */
  #useLog(): void {
    for (const until = performance.now() + OPENING_BUSY_MS; ; ) {
      try {
        this.#db.exec('PRAGMA journal_mode = WAL');
        return;
      } catch (cause) {
        if (primaryCode(cause) !== BUSY || performance.now() >= until) throw cause;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
      }
    }
  }

  prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#db.prepare(sqliteStatement(sql));
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  read<Row>(statement: Statement, withinMs?: number): Promise<Row[]> {
    return this.patiently(() => this.#perform(statement) as Row[], withinMs);
  }

  change<Row>(statement: Statement | Insertion, options: ChangeOptions = {}): Promise<Row[]> {
    return this.#change(() => this.#perform(statement) as Row[], options);
  }

  together<T>(steps: () => Steps<T>, options: ChangeOptions = {}): Promise<T> {
    return this.#change(() => {
      const going = steps();
      let step = going.next();
      while (step.done !== true) step = going.next(this.#perform(step.value));
      return step.value;
    }, options);
  }

  among(query: string): string {
    return `IN (${query})`;
  }

  json(column: string, ...path: string[]): string {
    return `json_extract(${column}, '$.${path.join('.')}')`;
  }

  /** SQLite's texts can contain every character. */
  toText(text: string): string {
    return text;
  }

  fromText(text: string): string {
    return text;
  }

  #perform(step: Statement | Insertion): Line[] {
    if (!('lines' in step))
      return this.prepare(step.text).all(...(step.values ?? []).map(sqliteValue)) as Line[];
    const names = Object.keys(step.columns);
    const marks = names.map(() => '?').join(', ');
    const statement = this.prepare(
      `INSERT INTO ${step.table} (${names.join(', ')}) VALUES (${marks}) ON CONFLICT ${step.onConflict}`,
    );
    for (const line of step.lines) statement.run(...line);
    return [];
  }

  #change<T>(work: () => T, { durable = 'now', withinMs }: ChangeOptions): Promise<T> {
    return this.patiently(() => (durable === 'now' ? this.transaction(work) : this.relaxed(work)), withinMs);
  }

  /**
   * A text that changes whenever anybody changes the store. Do not call it within a transaction, because a rolled-back
   * transaction leaves no trace.
   */
  version(): string {
    const { others, own } = this.prepare(
      'SELECT data_version AS others, total_changes() AS own FROM pragma_data_version',
    ).get() as { others: number; own: number };
    return `${others} ${own}`;
  }

  /**
   * Runs `work` at once if possible. While another program holds the lock, tries again without blocking the process.
   *
   * @param work synchronous: it is completed, or starts again
   * @throws ShelfliftError `store_locked` once the outage has lasted for the longest allowed time
   */
  async patiently<T>(work: () => T, withinMs = this.#outageMs): Promise<T> {
    let since: number | undefined;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
      const triedAt = performance.now();
      try {
        return work();
      } catch (cause) {
        if (primaryCode(cause) === undefined && !(cause instanceof ShelfliftError)) throw cause;
        const error = sqliteError(cause, this.path);
        if (error.code !== 'store_locked') throw error;
        const now = performance.now();
        since ??= now;
        // A write that joins an outage does not start its own wait.
        const isWrite = this.#refused !== undefined && this.#refused.last >= triedAt;
        const waited = now - (isWrite ? Math.min(since, this.#refused?.since ?? since) : since);
        if (waited >= outageWait(withinMs, this.#signal)) throw error;
        if (waited >= OUTAGE_TOLD_AFTER_MS && !this.#outageReported) {
          this.#outageReported = true;
          const seconds = Math.round(withinMs / 1000);
          this.#onOutage(message('store_locked_waiting', { store: this.path, seconds }));
        }
      }
      await sleep(pauseMs);
    }
  }

  /**
   * A transaction that is on the disk when this resolves, like `transaction`, but other work continues during the wait
   * for the disk. Others may see the change earlier.
   */
  async durably<T>(work: () => T): Promise<T> {
    const result = await this.patiently(() => this.relaxed(work));
    try {
      if (this.path !== ':memory:') await this.#log.flush();
    } catch (error) {
      throw sqliteError(error, this.path);
    }
    return result;
  }

  /**
   * A transaction that a power cut may undo as a whole. For staging, where only the durable commit at the end counts,
   * and where waiting for the disk took half of the time.
   */
  relaxed<T>(work: () => T): T {
    this.#db.exec('PRAGMA synchronous = NORMAL');
    try {
      return this.transaction(work);
    } finally {
      this.#db.exec('PRAGMA synchronous = FULL');
    }
  }

  /** One transaction; IMMEDIATE, so that two writers queue instead of failing halfway. */
  transaction<T>(work: () => T): T {
    try {
      this.#db.exec('BEGIN IMMEDIATE');
    } catch (cause) {
      const error = sqliteError(cause, this.path);
      if (error.code === 'store_locked') this.#noteRefusal(performance.now());
      throw error;
    }
    this.#refused = undefined;
    this.#outageReported = false;
    try {
      const result = work();
      this.#db.exec('COMMIT');
      return result;
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw error instanceof ShelfliftError ? error : sqliteError(error, this.path);
    }
  }

  /**
   * Shrinks the file by the freed space, which locks it while it is rewritten. So nothing is done while anybody else
   * has the store open. Close the store afterwards.
   *
   * @returns false if anybody has the store open
   */
  compact(): boolean {
    try {
      this.#db.exec('PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE');
      // Only the sole user of the file may leave the WAL mode, and from then on nobody else can open it.
      this.#db.exec('PRAGMA journal_mode = DELETE; VACUUM; PRAGMA journal_mode = WAL');
      return true;
    } catch (error) {
      const failure = sqliteError(error, this.path);
      if (failure.code !== 'store_locked') throw failure;
      return false;
    }
  }

  async close(): Promise<void> {
    await this.#log.close();
    this.#statements.clear();
    if (this.#db.isOpen) this.#db.close();
  }

  #noteRefusal(now: number): void {
    const isSame = this.#refused !== undefined && now - this.#refused.last < SAME_OUTAGE_MS;
    this.#refused = { since: isSame ? (this.#refused?.since ?? now) : now, last: now };
  }

  #checkOwner(): void {
    // Count first: another process may be creating the store, and tables and owner appear together.
    const tables = this.#db.prepare('SELECT count(*) AS count FROM sqlite_schema').get() as { count: number };
    const { application_id: owner } = this.#db.prepare('PRAGMA application_id').get() as {
      application_id: number;
    };
    if (owner !== APPLICATION_ID && tables.count > 0) {
      throw new UsageError('store_not_ours', message('store_of_other_program', { store: this.path }), {
        actions: storeActions('store_of_other_program'),
      });
    }
  }

  #migrate(): void {
    if (this.#version() === 0)
      this.transaction(() => {
        // Read again: another process may have made the tables while this one waited.
        if (this.#version() !== 0) return;
        this.#db.exec(SCHEMA);
        this.#db.exec(`PRAGMA user_version = ${STORE_VERSION}`);
        this.#db.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
      });
    checkVersion(this.#version(), this.path);
  }

  #version(): number {
    const row = this.#db.prepare('PRAGMA user_version').get() as { user_version: number };
    return row.user_version;
  }
}

/** SQLite gives a new file the mode 0644, and gives the accompanying files the mode of the database. */
function makePrivate(path: string): void {
  closeSync(openSync(path, 'a', 0o600));
}

/** The error of opening a file: nothing shows that a file which is not a database was ever a shelflift store. */
function openingError(cause: unknown, path: string): ShelfliftError {
  if (primaryCode(cause) !== NOT_A_DATABASE) return sqliteError(cause, path);
  return new UsageError('store_not_ours', message('store_not_sqlite', { store: path }), {
    cause,
    actions: storeActions('store_not_sqlite'),
  });
}

/** SQLite's own message with the remedy. A full disk has its own code, which parks the job. */
export function sqliteError(cause: unknown, store: string): ShelfliftError {
  if (cause instanceof ShelfliftError) return cause;
  const words = cause instanceof Error ? cause.message : String(cause);
  const primary = primaryCode(cause);
  const { code, syscall } = (cause ?? {}) as NodeJS.ErrnoException;
  if (primary === 13 || code === 'ENOSPC' || code === 'EDQUOT') return new StoreFullError(store, cause);
  if (primary === BUSY || primary === 6) {
    return new ShelfliftError('store_locked', message('store_locked', { store }), {
      cause,
      actions: storeActions('store_locked'),
    });
  }
  if (primary === DAMAGED || primary === NOT_A_DATABASE) {
    return new UsageError('store_damaged', message('store_damaged', { store, words }), {
      cause,
      actions: storeActions('store_damaged'),
    });
  }
  if (primary === 8 || primary === 14 || (syscall !== undefined && syscall !== 'fdatasync')) {
    return new UsageError('store_unwritable', message('store_unwritable', { store, words }), {
      cause,
      actions: storeActions('store_unwritable'),
    });
  }
  return new ShelfliftError('store_failed', message('store_failed', { store, words }), { cause });
}

/** SQLite's primary result code; undefined for other errors. */
function primaryCode(cause: unknown): number | undefined {
  const errcode = (cause as { errcode?: unknown } | null)?.errcode;
  return typeof errcode === 'number' ? errcode & 0xff : undefined;
}

/** The disk is full: nothing may be sent that cannot be recorded. */
export class StoreFullError extends ShelfliftError {
  constructor(store: string, cause: unknown) {
    super('disk_full', message('store_disk_full', { store }), {
      cause,
      actions: storeActions('disk_full'),
    });
  }
}

/**
 * Copies pages while others write, and copies the changed pages again.
 *
 * @throws UsageError `no_such_store`, and the errors of openSqliteLedger
 */
export async function backupSqlite(from: string, to: string): Promise<void> {
  if (!existsSync(from)) throw noSuchStore(from);
  // Opens it as every command does, to refuse another program's file.
  await new Database(from).close();
  const source = new DatabaseSync(from);
  try {
    makePrivate(to);
    await backup(source, to);
  } catch (error) {
    throw sqliteError(error, to);
  } finally {
    source.close();
  }
}
