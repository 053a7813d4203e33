/**
 * Checks of shelflift.yaml that involve several of its parts, or the machine's folders; the schemas check each part.
 * They read the YAML as written, so that they report problems even if other parts are invalid.
 */
import { realpathSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { message } from '../../messages/message.ts';
import type { YamlProblem } from '../../base/yaml-file.ts';
import { OWN_FOLDERS } from '../hot-folders/own-folders.ts';
import { namesInWords } from './names-in-words.ts';

const SECRETS = new Set(['key', 'apikey', 'token', 'secret', 'password', 'pass', 'authorization']);

/** @param folder where relative paths start */
export function crossChecks(value: unknown, folder: string): YamlProblem[] {
  const config = mapOf(value);
  const profiles = mapOf(config['profiles']);
  return [
    ...Object.entries(mapOf(config['schedules'])).flatMap(([name, schedule]) =>
      scheduleProblems(name, mapOf(schedule), config),
    ),
    ...listOf(config['hotFolders']).flatMap((folder, index) => [
      ...unknownProfile(['hotFolders', index], mapOf(folder), profiles),
      ...unattended(['hotFolders', index, 'import'], mapOf(mapOf(folder)['import'])),
    ]),
    ...watchedTwice(listOf(config['hotFolders']), folder),
    ...(mapOf(config['notify'])['email'] !== undefined && config['smtp'] === undefined
      ? [{ path: ['notify'], said: message('needs_smtp', {}) }]
      : []),
    ...secretProblems(value, []),
  ];
}

/**
 * Two watchers of one folder would take each other's files; a watcher of another folder's archive would
 * take its archived files.
 */
function watchedTwice(folders: readonly unknown[], configFolder: string): YamlProblem[] {
  const paths = folders
    .map((folder) => mapOf(folder)['path'])
    .map((path) => (typeof path === 'string' ? realPath(resolve(configFolder, path)) : undefined));
  return paths.flatMap((path, index) => {
    if (path === undefined) return [];
    const at = ['hotFolders', index, 'path'];
    if (paths.indexOf(path) < index) return [{ path: at, said: message('watched_already', {}) }];
    const owner = paths.find((other) =>
      OWN_FOLDERS.some((own) => other !== undefined && `${path}${sep}`.startsWith(join(other, own, sep))),
    );
    return owner === undefined
      ? []
      : [{ path: at, said: message('in_own_folder', { owner, folders: OWN_FOLDERS }) }];
  });
}

/** The path with links resolved. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function scheduleProblems(
  name: string,
  schedule: Record<string, unknown>,
  config: Record<string, unknown>,
): YamlProblem[] {
  const path = ['schedules', name];
  const problems = [
    ...unknownProfile(path, schedule, mapOf(config['profiles'])),
    ...unattended([...path, 'task'], mapOf(schedule['task'])),
    ...unattended([...path, 'task', 'import'], mapOf(mapOf(schedule['task'])['import'])),
  ];
  const deliveries = listOf(schedule['deliver']);
  if (config['smtp'] === undefined) {
    for (const [index, delivery] of deliveries.entries()) {
      if (mapOf(delivery)['email'] !== undefined)
        problems.push({
          path: [...path, 'deliver', index],
          said: message('needs_smtp', {}),
        });
    }
  }
  return problems;
}

/** An incomplete file would archive items that it does not contain, so a person must review each plan. */
function unattended(path: PropertyKey[], options: Record<string, unknown>): YamlProblem[] {
  return Object.hasOwn(options, 'missing')
    ? [{ path: [...path, 'missing'], said: message('missing_by_hand', {}) }]
    : [];
}

function unknownProfile(
  path: PropertyKey[],
  entry: Record<string, unknown>,
  profiles: Record<string, unknown>,
): YamlProblem[] {
  const wanted = entry['profile'];
  if (typeof wanted !== 'string' || Object.hasOwn(profiles, wanted)) return [];
  const names = Object.keys(profiles);
  const known = names.length === 0 ? message('none', {}) : namesInWords(names, wanted);
  return [{ path: [...path, 'profile'], said: message('profile_unknown', { name: wanted, known }) }];
}

/** Finds secrets by their key; never repeats the value. */
function secretProblems(value: unknown, path: PropertyKey[]): YamlProblem[] {
  if (Array.isArray(value)) return value.flatMap((each, index) => secretProblems(each, [...path, index]));
  return Object.entries(mapOf(value)).flatMap(([key, inner]) =>
    SECRETS.has(key.toLowerCase().replaceAll(/[-_]/g, '')) && typeof inner !== 'object' && isSetting(path)
      ? [
          {
            path: [...path, key],
            said: message('secret_in_config', {}),
          },
        ]
      : secretProblems(inner, [...path, key]),
  );
}

/** False for keys below a task, which may be names of columns and fields. */
function isSetting(path: PropertyKey[]): boolean {
  return !path.includes('task') && !path.includes('import');
}

export function mapOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
