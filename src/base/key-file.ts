/** The key file: it contains one API key, and only its owner may read it. */
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { UsageError } from './errors.ts';
import { makeFolder } from './make-folder.ts';
import { message } from '../messages/message.ts';
import type { Action } from '../messages/params.ts';

const OTHERS = 0o077;
/**
 * systemd provides credentials as root's files with an ACL for the service's user, which appears as a right of the
 * group.
 */
const OTHERS_OF_CREDENTIAL = 0o037;

/** @throws UsageError `key_file_unreadable`, `key_file_open_to_others` */
export function readKeyFile(file: string): string {
  try {
    const { mode, uid, gid } = statSync(file);
    const isCredential = uid === 0 && gid === 0 && process.geteuid?.() !== 0;
    const others = isCredential ? OTHERS_OF_CREDENTIAL : OTHERS;
    // On Windows, the mode that Node shows does not reflect the file's permissions.
    if (process.platform !== 'win32' && (mode & others) !== 0) {
      throw new UsageError('key_file_open_to_others', message('key_file_open_to_others', { file }), {
        actions: [{ do: 'byHand', label: message('make_key_file_private', { file }) }],
      });
    }
    return readFileSync(file, 'utf8');
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    throw new UsageError('key_file_unreadable', message('key_file_unreadable', { file }), {
      cause,
      actions: [{ do: 'byHand', label: message('check_path', {}) }, saveKey('NAME')],
    });
  }
}

/**
 * A secret that the configuration takes from a variable. Instead, `NAME_FILE` may name a file that contains it, as with
 * containers and systemd.
 *
 * @returns undefined if neither is set
 * @throws UsageError as readKeyFile
 */
export function variableOrFile(
  name: string,
  environment: Record<string, string | undefined>,
): string | undefined {
  const value = variable(name, environment);
  if (value !== undefined && value.trim() !== '') return value;
  const file = variable(`${name}_FILE`, environment);
  const held = file === undefined || file === '' ? '' : readKeyFile(file).trim();
  return held === '' ? undefined : held;
}

/** A variable that a configuration names. `toString` is a property of every object, but not a variable. */
export function variable(name: string, environment: Record<string, string | undefined>): string | undefined {
  return Object.hasOwn(environment, name) ? environment[name] : undefined;
}

/** Writes the file with mode 600, in a folder of mode 700. Replaces an existing file and sets its mode. */
export function writeKeyFile(file: string, key: string): void {
  makeFolder(dirname(file), 0o700);
  writeFileSync(file, `${key}\n`, { mode: 0o600 });
  chmodSync(file, 0o600);
}

/** Saves a key for a profile. */
export function saveKey(profile: string): Action {
  return { do: 'run', command: 'profile add', args: [profile], label: message('to_save_key', {}) };
}
