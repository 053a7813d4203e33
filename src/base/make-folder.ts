import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder and its missing parents.
 *
 * It creates one level at a time, because mkdir with `recursive` never returns below /proc (Node 24), where a plain
 * mkdir fails properly.
 *
 * @param mode of the created folders; default: the system's
 */
export function makeFolder(folder: string, mode?: number): void {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) return;
  if (found !== undefined) {
    // The same error as mkdir's.
    throw Object.assign(new Error(`ENOTDIR: not a directory, mkdir '${folder}'`), {
      code: 'ENOTDIR',
      syscall: 'mkdir',
      path: folder,
    });
  }
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent, mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another process created it first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
