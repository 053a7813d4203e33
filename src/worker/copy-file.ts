import { createReadStream } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { openAtomicFile } from '../sheets/atomic-file.ts';

/** Copies a file atomically: the copy is complete and on the disk, or absent. Replaces an existing file of that name. */
export async function copyWhole(from: string | FileHandle, to: string, signal?: AbortSignal): Promise<void> {
  const written = await openAtomicFile(to);
  try {
    const stream =
      typeof from === 'string'
        ? createReadStream(from, { signal })
        : from.createReadStream({ start: 0, autoClose: false, signal });
    for await (const chunk of stream) await written.write(chunk as Buffer);
    await written.commit();
  } finally {
    await written.abort();
  }
}
