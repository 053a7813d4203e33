/** Where things are kept on this machine, and durations as people write them. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from './errors.ts';

type Environment = Record<string, string | undefined>;

/** The user's state folder of shelflift: the ledger and the embedded sandbox live there. */
export function stateFolder(environment: Environment): string {
  return userFolder(environment['XDG_STATE_HOME'], environment['LOCALAPPDATA'], ['Local', '.local/state']);
}

/** The user's config folder of shelflift: config.yaml and key files live there. */
export function configFolder(environment: Environment): string {
  return userFolder(environment['XDG_CONFIG_HOME'], environment['APPDATA'], ['Roaming', '.config']);
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

const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * `500ms`, `10s`, `5m`, `24h` as milliseconds.
 *
 * @param flag for the message, `--wait`
 * @throws UsageError `bad_duration`
 */
export function parseDuration(text: string, flag: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text.trim());
  const unit = UNITS[match?.[2] ?? ''];
  if (match === null || unit === undefined) {
    throw new UsageError(
      'bad_duration',
      `${flag} is "${text}", expected a number with a unit: 500ms, 10s, 5m or 24h`,
    );
  }
  return Number(match[1]) * unit;
}
