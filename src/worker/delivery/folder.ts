/** Delivery into a folder: whole or not there, replacing a file of the same name. */
import { createReadStream } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../make-folder.ts';
import { openAtomicFile } from '../../sheets/atomic-file.ts';

/** @returns the absolute path */
export async function deliverToFolder(
  file: string,
  folder: string,
  name: string,
  signal: AbortSignal,
): Promise<string> {
  const target = join(folder, name);
  makeFolder(dirname(target));
  const written = await openAtomicFile(target);
  try {
    for await (const chunk of createReadStream(file, { signal })) await written.write(chunk as Buffer);
    await written.commit();
  } catch (error) {
    await written.abort();
    throw error;
  }
  return written.file;
}
