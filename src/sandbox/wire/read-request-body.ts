import type { IncomingMessage } from 'node:http';
import { BODY_MAX_BYTES } from '../reading.ts';

/** What is read and thrown away of a body that is too large, so that its sender gets to see the answer. */
const DISCARD_MAX_BYTES = 64 * BODY_MAX_BYTES;
const EMPTY = Buffer.alloc(0);

/**
 * The request's body, or undefined where it is larger than BODY_MAX_BYTES.
 * Rejects where the connection ends before the body does, or sends far too much.
 */
export function readRequestBody(incoming: IncomingMessage): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let length = 0;
    incoming.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= BODY_MAX_BYTES) chunks.push(chunk);
      else if (length <= DISCARD_MAX_BYTES) chunks = [];
      else incoming.destroy();
    });
    incoming.on('end', () => {
      if (length > BODY_MAX_BYTES) resolve(undefined);
      else resolve(chunks.length === 1 ? chunks[0] : length === 0 ? EMPTY : Buffer.concat(chunks, length));
    });
    incoming.on('error', reject);
    incoming.on('close', () => {
      if (!incoming.complete) reject(new Error('The connection ended within the request body.'));
    });
  });
}
