import { Writable } from 'node:stream';
import { callbackify } from 'node:util';
import type { NodeWritable } from './options.ts';

/**
 * A Node or Web stream as a Node stream. It is not ended, so the caller can continue to use a Web stream afterwards.
 */
export class StreamTarget implements Disposable {
  readonly writable: Writable;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array> | undefined;

  /** @param signal also ends a write that a Web stream does not accept */
  constructor(stream: NodeWritable | WritableStream<Uint8Array>, signal: AbortSignal) {
    if (!('getWriter' in stream)) {
      this.writable = stream as Writable;
      return;
    }
    const writer = stream.getWriter();
    this.#writer = writer;
    this.writable = new Writable({
      signal,
      write: (chunk: Uint8Array, _, done) => callbackify(() => writer.write(chunk))(done),
    });
  }

  [Symbol.dispose](): void {
    if (this.#writer === undefined) return;
    // From now on the stream ignores the signal.
    this.writable.destroy();
    this.#writer.releaseLock();
  }
}
