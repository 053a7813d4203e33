/**
 * Flushes SQLite's write-ahead log aside from the main thread: what a commit with synchronous=FULL does itself, and
 * blocks the process for. Those flushes were a third to a half of the time of an import without a limit.
 */
import { closeSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';

/** Puts a file's content on the disk. */
export type Flush = (descriptor: number) => Promise<void>;

export class LogFile {
  readonly #path: string;
  readonly #flush: Flush;
  #descriptor: number | undefined;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  /** @param path of the database */
  constructor(path: string, flush: Flush = promisify(fdatasync)) {
    this.#path = `${path}-wal`;
    this.#flush = flush;
  }

  /**
   * Resolves once everything that was committed before the call is on the disk.
   *
   * @throws for good once a flush has failed: what it left out is a hole, behind which no later commit is found again
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

  /** Before the database is closed, which may delete the file. */
  async close(): Promise<void> {
    await Promise.allSettled([this.#next, this.#running]);
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }
}
