/**
 * The folder to which a file is delivered. If it is on a share or disk that is not mounted, this counts
 * as an outage: a file written into the empty mount point would be hidden once the disk is mounted.
 */
import { statSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, relative, resolve, sep } from 'node:path';
import { ShelfliftError } from '../../base/errors.ts';
import { message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';
import type { KeyValues } from '../../ledger/key-values.ts';
import { makeFolder } from '../../base/make-folder.ts';
import type { FolderTarget } from '../config/schema.ts';

/** Host and folder → mount point of the file system that received the last delivery. */
const SPACE = 'mounts';

/**
 * Creates the folder: within the configuration's folder all missing levels, elsewhere only the last level.
 *
 * @param configFolder where relative paths start
 * @returns the absolute path
 * @throws ShelfliftError `folder_away`; errors of the system
 */
export async function openTargetFolder(
  { folder, mounted }: FolderTarget,
  configFolder: string,
  values: KeyValues,
): Promise<string> {
  const path = resolve(configFolder, folder);
  const key = `${hostname()} ${path}`;
  const before = mounted === false ? undefined : await values.get(SPACE, key);
  const problem = awayProblem({ folder, mounted }, configFolder, before);
  if (problem !== undefined) throw new ShelfliftError('folder_away', problem);
  makeFolder(path);
  const now = mountOf(path);
  if (now !== before) await values.put(SPACE, [{ key, value: now }]);
  return path;
}

/**
 * Why nothing can be delivered now; undefined if something can.
 * @param before mount point of the file system at the last delivery
 */
export function awayProblem(
  { folder, mounted }: FolderTarget,
  configFolder: string,
  before?: string,
): Message | undefined {
  const path = resolve(configFolder, folder);
  const mount = mountOf(path);
  if (mounted === true && mount === mountOf('/')) return message('folder_not_mounted', { folder: path });
  if (before !== undefined && isBelow(before, mount))
    return message('folder_unmounted', { folder: path, mount: before });
  const isOurs = isBelow(path, resolve(configFolder));
  return isOurs || exists(path) || exists(dirname(path))
    ? undefined
    : message('folder_missing', { folder: path });
}

/**
 * The folder at which the file system of a path is mounted.
 *
 * @param path the last folders of the path may be missing
 */
function mountOf(path: string): string {
  let at = path;
  while (!exists(at) && dirname(at) !== at) at = dirname(at);
  for (const { dev } = statSync(at); ; at = dirname(at)) {
    const parent = dirname(at);
    if (parent === at || statSync(parent).dev !== dev) return at;
  }
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** True for a folder in the other one, at any depth. */
function isBelow(path: string, above: string): boolean {
  const way = relative(above, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`);
}
