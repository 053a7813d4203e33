/** Delivery into a folder: whole or not there, replacing a file of the same name. */
import { dirname, join } from 'node:path';
import { makeFolder } from '../../make-folder.ts';
import { copyWhole } from '../copy-file.ts';

export async function deliverToFolder(
  file: string,
  folder: string,
  name: string,
  signal: AbortSignal,
): Promise<void> {
  const target = join(folder, name);
  makeFolder(dirname(target));
  await copyWhole(file, target, signal);
}
