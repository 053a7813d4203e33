/** The file that holds an API key and nothing else; only its owner may read it. */
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { UsageError } from './errors.ts';
import { makeFolder } from './make-folder.ts';

const OTHERS = 0o077;

/** @throws UsageError `key_file_unreadable`, `key_file_open_to_others` */
export function readKeyFile(file: string): string {
  try {
    const { mode } = statSync(file);
    // Windows keeps its rights elsewhere: what Node shows there as mode is not them.
    if (process.platform !== 'win32' && (mode & OTHERS) !== 0) {
      throw new UsageError('key_file_open_to_others', `the key file ${file} can be read by others`, {
        remedy: `It is not used before this is mended: chmod 600 ${file} (and if others use this machine, make a new key)`,
      });
    }
    return readFileSync(file, 'utf8');
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    throw new UsageError('key_file_unreadable', `the key file ${file} cannot be read`, {
      cause,
      remedy: 'Check the path, or store the key again: shelflift profile add NAME',
    });
  }
}

/** Made with mode 600 in a folder of mode 700; a file that was there is replaced, and its mode set. */
export function writeKeyFile(file: string, key: string): void {
  makeFolder(dirname(file), 0o700);
  writeFileSync(file, `${key}\n`, { mode: 0o600 });
  chmodSync(file, 0o600);
}
