import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder with whatever is missing above it.
 *
 * One level at a time: mkdir with `recursive` never comes back below /proc (seen with Node 24), where a plain
 * one says what is wrong.
 *
 * @param mode of the folders that are made; default as the system has it
 */
export function makeFolder(folder: string, mode?: number): void {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) return;
  if (found !== undefined) {
    // As mkdir itself would say it.
    throw Object.assign(new Error(`${folder} is a file, not a folder`), {
      code: 'ENOTDIR',
      syscall: 'mkdir',
    });
  }
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent, mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another process was quicker.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
