/** Stores chunks of UTF-8 text until an export is written: in a temporary file that nobody else can open. */
import { type FileHandle, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';

/** Chunks in the order in which they were put. The caller that opens the store closes it. */
export interface ChunkStore extends AsyncDisposable {
  /** Stores all or none, if chunks outlive the process; await it before any other call. */
  put(chunks: readonly Uint8Array[]): Promise<void>;
  all(): AsyncGenerator<string, void>;
  clear(): Promise<void>;
}

/**
 * Chunks on disk, in a file without a name if the system allows this: however the process ends, the file is removed.
 */
export class FileChunks implements ChunkStore {
  readonly #folder: string;
  #file: { handle: FileHandle; path: string } | undefined;
  #lengths: number[] = [];
  #end = 0;

  /** @param folder default: the system's folder for temporary files */
  constructor(folder: string = tmpdir()) {
    this.#folder = folder;
  }

  async put(chunks: readonly Uint8Array[]): Promise<void> {
    this.#file ??= await this.#open();
    for (const bytes of chunks) {
      await this.#file.handle.write(bytes, 0, bytes.byteLength, this.#end);
      this.#end += bytes.byteLength;
      this.#lengths.push(bytes.byteLength);
    }
  }

  async *all(): AsyncGenerator<string, void> {
    let at = 0;
    for (const length of this.#lengths) {
      const buffer = Buffer.allocUnsafe(length);
      await this.#file?.handle.read(buffer, 0, length, at);
      at += length;
      yield buffer.toString('utf8');
    }
  }

  async clear(): Promise<void> {
    this.#lengths = [];
    this.#end = 0;
    await this.#file?.handle.truncate(0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    if (file === undefined) return;
    await file.handle.close();
    await rm(file.path, { force: true });
  }

  async #open() {
    const path = join(this.#folder, `shelflift-export-${randomUUID()}.tmp`);
    // Nobody else may read the items, even on a shared machine.
    const handle = await open(path, 'wx+', 0o600);
    // Windows keeps the name of an open file; elsewhere no kill can leave the file behind.
    if (process.platform !== 'win32') await rm(path);
    return { handle, path };
  }
}
