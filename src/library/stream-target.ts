import { Writable } from 'node:stream';
import { callbackify } from 'node:util';
import type { NodeWritable } from './options.ts';

/**
 * A Node or Web stream as a Node stream that a stopped run does not wait for. It is not ended, so the caller can continue
 * to use it afterwards.
 */
export class StreamTarget implements Disposable {
  readonly writable: Writable;
  readonly #leave: () => void;

  /** @param signal also ends a write that the stream does not accept */
  constructor(stream: NodeWritable | WritableStream<Uint8Array>, signal: AbortSignal) {
    if ('getWriter' in stream) {
      const writer = stream.getWriter();
      this.#leave = () => writer.releaseLock();
      this.writable = new Writable({
        signal,
        write: (chunk: Uint8Array, _, done) => callbackify(() => writer.write(chunk))(done),
      });
      return;
    }
    const target = stream as Writable;
    this.writable = new Writable({
      signal,
      write: (chunk: Uint8Array, _, done) => void target.write(chunk, done),
    });
    const fail = (error: Error) => void this.writable.destroy(error);
    target.on('error', fail);
    this.#leave = () => {
      // Its last error may be on the way.
      if (!target.destroyed) target.off('error', fail);
    };
  }

  [Symbol.dispose](): void {
    // From now on the stream ignores the signal.
    this.writable.destroy();
    this.#leave();
  }
}
