/**
 * Flushes SQLite's write-ahead log outside the main thread. A commit with synchronous=FULL does this itself, and blocks
 * the process meanwhile: these flushes took between a third and a half of the time of an import without a rate limit.
 */
import { closeSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';

export type Flush = (descriptor: number) => Promise<void>;

export class LogFile {
  readonly #path: string;
  readonly #flush: Flush;
  #descriptor: number | undefined;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(path: string, flush: Flush = promisify(fdatasync)) {
    this.#path = `${path}-wal`;
    this.#flush = flush;
  }

  /**
   * Resolves once everything committed before the call is on the disk.
   *
   * @throws on every call after a failed flush: it has left a hole, and no commit behind the hole can be found again
   */
  flush(): Promise<void> {
    // Callers that come during a flush share the one after it.
    this.#next ??= this.#running.then(() => {
      this.#next = undefined;
      // SQLite made the file, and put its name on the disk, with the first commit. It stays until the last program closes the store.
      this.#descriptor ??= openSync(this.#path, 'r+');
      this.#running = this.#flush(this.#descriptor);
      return this.#running;
    });
    return this.#next;
  }

  /** Call this before the database is closed, which may delete the file. */
  async close(): Promise<void> {
    await Promise.allSettled([this.#next, this.#running]);
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }
}
