import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { UsageError } from '../../errors.ts';
import { makeFolder } from '../../make-folder.ts';

/** Checks, before anything is sent, that the results can be written to a folder, which is made if it does not exist. */
export async function checkFolder(folder: string): Promise<void> {
  try {
    makeFolder(folder);
    await access(folder, constants.W_OK);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError('out_dir_unwritable', `The results cannot be written to ${folder}: ${why}.`, {
      cause,
      remedy: 'Nothing was sent. Name a folder that you may write to: --out-dir DIR',
    });
  }
}
