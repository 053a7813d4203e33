/**
 * Keeps values in a private file until they are needed, each identified by its place; the file is removed at the end.
 */
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeError } from '../../sheets/atomic-file.ts';

const PIECE_BYTES = 1024 * 1024;

export class Spool<T> implements Disposable {
  /** Bytes so far: the place of the next value. */
  bytes = 0;
  readonly #folder: string;
  readonly #file: number;
  /** Pending texts: a small buffer for each would burden the garbage collector. */
  #pending: string[] = [];
  #pendingBytes = 0;

  constructor() {
    this.#folder = mkdtempSync(join(tmpdir(), 'shelflift-diff-'));
    this.#file = openSync(join(this.#folder, 'rows'), 'w+', 0o600);
  }

  /** @throws SheetError `disk_full` */
  add(value: T): void {
    const line = JSON.stringify(value);
    const bytes = Buffer.byteLength(line);
    this.#pending.push(line);
    this.#pendingBytes += bytes;
    this.bytes += bytes;
    if (this.#pendingBytes >= PIECE_BYTES) this.#flush();
  }

  /** @param to place of the value after it */
  read(from: number, to: number): T {
    this.#flush();
    const line = Buffer.allocUnsafe(to - from);
    readSync(this.#file, line, 0, line.length, from);
    return JSON.parse(line.toString('utf8')) as T;
  }

  [Symbol.dispose](): void {
    closeSync(this.#file);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #flush(): void {
    if (this.#pendingBytes === 0) return;
    const piece = Buffer.from(this.#pending.join(''));
    const from = this.bytes - piece.length;
    try {
      for (let done = 0; done < piece.length; )
        done += writeSync(this.#file, piece, done, piece.length - done, from + done);
    } catch (cause) {
      throw writeError(this.#folder, cause);
    }
    this.#pending = [];
    this.#pendingBytes = 0;
  }
}
