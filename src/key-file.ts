/** The key file: it contains one API key, and only its owner may read it. */
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { UsageError } from './errors.ts';
import { makeFolder } from './make-folder.ts';

const OTHERS = 0o077;

/** @throws UsageError `key_file_unreadable`, `key_file_open_to_others` */
export function readKeyFile(file: string): string {
  try {
    const { mode } = statSync(file);
    // On Windows, the mode that Node shows does not reflect the file's permissions.
    if (process.platform !== 'win32' && (mode & OTHERS) !== 0) {
      throw new UsageError('key_file_open_to_others', `The key file ${file} can be read by others.`, {
        remedy: `Make it private: chmod 600 ${file}. If others use this machine, also create a new key.`,
      });
    }
    return readFileSync(file, 'utf8');
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    throw new UsageError('key_file_unreadable', `The key file ${file} cannot be read.`, {
      cause,
      remedy: 'Check the path, or save the key again: shelflift profile add NAME',
    });
  }
}

/** Writes the file with mode 600, in a folder of mode 700. Replaces an existing file and sets its mode. */
export function writeKeyFile(file: string, key: string): void {
  makeFolder(dirname(file), 0o700);
  writeFileSync(file, `${key}\n`, { mode: 0o600 });
  chmodSync(file, 0o600);
}
