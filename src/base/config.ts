/** shelflift's folders on this machine. Imports nothing else, because bin.ts loads this file first. */
import { homedir } from 'node:os';
import { join } from 'node:path';

type Environment = Record<string, string | undefined>;

/** The user's state folder: the ledger and the embedded sandbox. */
export function stateFolder(environment: Environment): string {
  return userFolder(environment['XDG_STATE_HOME'], environment['LOCALAPPDATA'], ['Local', '.local/state']);
}

/** The user's config folder: config.yaml and key files. */
export function configFolder(environment: Environment): string {
  return userFolder(environment['XDG_CONFIG_HOME'], environment['APPDATA'], ['Roaming', '.config']);
}

/** The user's cache folder: Node's cache of compiled modules. */
export function cacheFolder(environment: Environment): string {
  const chosen = environment['XDG_CACHE_HOME'];
  if (chosen !== undefined && chosen !== '') return join(chosen, 'shelflift');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'shelflift');
  if (process.platform === 'win32') return join(stateFolder(environment), 'Cache');
  return join(homedir(), '.cache', 'shelflift');
}

/** Follows the platform: XDG base directories, Apple's Application Support, Windows' AppData. */
function userFolder(
  chosen: string | undefined,
  appData: string | undefined,
  [windows, unix]: [string, string],
): string {
  const home = homedir();
  if (chosen !== undefined && chosen !== '') return join(chosen, 'shelflift');
  if (process.platform === 'darwin') return join(home, 'Library', 'Application Support', 'shelflift');
  if (process.platform === 'win32') return join(appData ?? join(home, 'AppData', windows), 'shelflift');
  return join(home, unix, 'shelflift');
}
