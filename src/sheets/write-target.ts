import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { openAtomicFile } from './atomic-file.ts';

/** Where a writer's bytes go: a file that appears when complete, or a stream that takes them as they come. */
export interface WriteTarget {
  write(chunk: string | Uint8Array): Promise<void>;
  /** SHA-256 of all bytes as lower-case hex. */
  commit(): Promise<{ sha256: string }>;
  abort(): Promise<void>;
}

/**
 * `-` is standard output; a stream, where given, wins over `file` and is not ended.
 *
 * @param mode rights of a file that is made
 */
export async function openWriteTarget(file: string, stream?: Writable, mode?: number): Promise<WriteTarget> {
  if (stream !== undefined) return streamTarget(stream);
  return file === '-' ? streamTarget(process.stdout) : openAtomicFile(file, mode);
}

function streamTarget(stream: Writable): WriteTarget {
  const hash = createHash('sha256');
  return {
    async write(chunk) {
      hash.update(chunk);
      if (!stream.write(chunk)) await once(stream, 'drain');
    },
    async commit() {
      return { sha256: hash.digest('hex') };
    },
    async abort() {},
  };
}
