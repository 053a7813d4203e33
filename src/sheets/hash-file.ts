import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { fileError } from './file-error.ts';

/** SHA-256 of a file's content as lower-case hex, read in pieces. Throws a SheetError if it cannot be read. */
export async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 })) hash.update(chunk);
  } catch (cause) {
    throw fileError(file, cause);
  }
  return hash.digest('hex');
}
