import { createReadStream } from 'node:fs';
import { openAtomicFile } from '../sheets/atomic-file.ts';

/** Copies a file such that the copy is whole, and on the disk, or not there; one of that name is replaced. */
export async function copyWhole(from: string, to: string, signal?: AbortSignal): Promise<void> {
  const written = await openAtomicFile(to);
  try {
    for await (const chunk of createReadStream(from, { signal })) await written.write(chunk as Buffer);
    await written.commit();
  } finally {
    await written.abort();
  }
}
