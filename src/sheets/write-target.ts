import { createHash } from 'node:crypto';
import type { Writable } from 'node:stream';
import { openAtomicFile } from './atomic-file.ts';

/** The target of a writer: a file that appears when complete, or a stream that receives the bytes as they are written. */
export interface WriteTarget {
  write(chunk: string | Uint8Array): Promise<void>;
  /** SHA-256 of all bytes as lower-case hex. */
  commit(): Promise<{ sha256: string }>;
  abort(): Promise<void>;
}

/**
 * A stream, if given, is used instead of `file`, and is not ended.
 *
 * @param mode mode of a new file
 */
export async function openWriteTarget(file: string, stream?: Writable, mode?: number): Promise<WriteTarget> {
  return stream === undefined ? openAtomicFile(file, mode) : streamTarget(stream);
}

/** Each write ends when the stream has passed its bytes on: bytes that are only buffered may still fail, or be dropped. */
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
