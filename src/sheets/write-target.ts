import { createHash } from 'node:crypto';
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
 * A stream, where given, wins over `file` and is not ended.
 *
 * @param mode rights of a file that is made
 */
export async function openWriteTarget(file: string, stream?: Writable, mode?: number): Promise<WriteTarget> {
  return stream === undefined ? openAtomicFile(file, mode) : streamTarget(stream);
}

/** Each write ends when the stream has passed its bytes on: one that only buffers them may still fail, or be let go. */
function streamTarget(stream: Writable): WriteTarget {
  const hash = createHash('sha256');
  let failure: Error | undefined;
  let fail: (error: Error) => void = () => undefined;
  const onError = (error: Error) => {
    failure ??= error;
    fail(failure);
  };
  stream.on('error', onError);
  return {
    write: (chunk) =>
      new Promise((resolve, reject) => {
        fail = reject;
        hash.update(chunk);
        stream.write(chunk, (error) => {
          if (error === null || error === undefined) resolve();
          else reject(failure ?? error);
        });
      }),
    async commit() {
      stream.off('error', onError);
      return { sha256: hash.digest('hex') };
    },
    async abort() {
      // Its last error may be on the way.
      if (failure === undefined && !stream.destroyed) stream.off('error', onError);
    },
  };
}
