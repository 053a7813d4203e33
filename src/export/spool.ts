/**
 * Keeps rows until all of them are read: the columns of a table are known only then, and a list may have to be read
 * again. In memory up to a number of rows, past that in a temporary file of NDJSON, so that memory stays flat.
 */
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const DEFAULT_MEMORY_ROWS = 5000;
const BATCH_ROWS = 500;
/** Some hundred rows at a time. */
const READING = { encoding: 'utf8', highWaterMark: 256 * 1024 } as const;

/** Rows are JSON values. Whoever opens it closes it; the temporary file goes with it. */
export class Spool<T> {
  readonly #memoryRows: number;
  readonly #folder: string;
  #memory: T[] = [];
  #file: { handle: FileHandle; folder: string; path: string } | undefined;
  #rows = 0;

  /**
   * @param memoryRows default 5,000
   * @param folder where the temporary file goes; default the operating system's
   */
  constructor(memoryRows: number = DEFAULT_MEMORY_ROWS, folder: string = tmpdir()) {
    this.#memoryRows = memoryRows;
    this.#folder = folder;
  }

  get rows(): number {
    return this.#rows;
  }

  /** Await it before the next call. */
  async add(rows: readonly T[]): Promise<void> {
    this.#rows += rows.length;
    for (const row of rows) this.#memory.push(row);
    if (this.#file === undefined && this.#rows <= this.#memoryRows) return;
    this.#file ??= await this.#create();
    if (this.#memory.length >= BATCH_ROWS) await this.#flush();
  }

  async clear(): Promise<void> {
    this.#memory = [];
    this.#rows = 0;
    await this.#file?.handle.truncate(0);
  }

  /** All rows in the order in which they came. */
  async *batches(): AsyncGenerator<T[], void> {
    if (this.#file === undefined) {
      for (let from = 0; from < this.#memory.length; from += BATCH_ROWS) {
        yield this.#memory.slice(from, from + BATCH_ROWS);
      }
      return;
    }
    await this.#flush();
    let rest = '';
    // By LF alone: node:readline also ends a line at U+2028, which JSON texts may hold.
    for await (const chunk of createReadStream(this.#file.path, READING) as AsyncIterable<string>) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      if (lines.length > 0) yield lines.map((line) => JSON.parse(line) as T);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#memory = [];
    const file = this.#file;
    this.#file = undefined;
    if (file === undefined) return;
    await file.handle.close();
    await rm(file.folder, { recursive: true, force: true });
  }

  async #flush(): Promise<void> {
    if (this.#file === undefined || this.#memory.length === 0) return;
    const text = this.#memory.map((row) => `${JSON.stringify(row)}\n`).join('');
    this.#memory = [];
    await this.#file.handle.appendFile(text);
  }

  async #create() {
    const folder = await mkdtemp(join(this.#folder, 'shelflift-export-'));
    const path = join(folder, 'rows.ndjson');
    // Items are nobody else's business, on a shared machine too.
    return { handle: await open(path, 'ax', 0o600), folder, path };
  }
}
