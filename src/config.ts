/** Where things are kept on this machine. It imports nothing of ours: bin.ts asks it before anything else is loaded. */
import { homedir } from 'node:os';
import { join } from 'node:path';

type Environment = Record<string, string | undefined>;

/** The user's state folder of shelflift: the ledger and the embedded sandbox live there. */
export function stateFolder(environment: Environment): string {
  return userFolder(environment['XDG_STATE_HOME'], environment['LOCALAPPDATA'], ['Local', '.local/state']);
}

/** The user's config folder of shelflift: config.yaml and key files live there. */
export function configFolder(environment: Environment): string {
  return userFolder(environment['XDG_CONFIG_HOME'], environment['APPDATA'], ['Roaming', '.config']);
}

/** The user's folder for what may be lost at any time: what Node keeps of compiled modules. */
export function cacheFolder(environment: Environment): string {
  const chosen = environment['XDG_CACHE_HOME'];
  if (chosen !== undefined && chosen !== '') return join(chosen, 'shelflift');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'shelflift');
  if (process.platform === 'win32') return join(stateFolder(environment), 'Cache');
  return join(homedir(), '.cache', 'shelflift');
}

/** As the platform has it (XDG base directories, Apple's Application Support, Windows' AppData). */
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
