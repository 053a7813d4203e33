/** Sends a file of shelflift as a download. Its path comes from the ledger, never from the browser. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { problem } from '../problem.ts';
import type { UiContext } from '../ui.ts';

export async function sendFile(c: UiContext, path: string, name: string): Promise<Response> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined || !found.isFile()) return problem(c, 'notFound', 404);
  return c.body(Readable.toWeb(createReadStream(path)) as ReadableStream, 200, attachment(name, found.size));
}

/** @param bytes of the file, if they are known */
export function attachment(name: string, bytes?: number): Record<string, string> {
  const ascii = name.replaceAll(/[^\w.-]/g, '_');
  return {
    'Content-Type': 'application/octet-stream',
    ...(bytes === undefined ? {} : { 'Content-Length': String(bytes) }),
    // RFC 6266: the plain name for old browsers, the true one for all others.
    'Content-Disposition': `attachment; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(name)}`,
  };
}
