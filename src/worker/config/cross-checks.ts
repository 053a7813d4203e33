/**
 * Checks of shelflift.yaml that involve several fields. They read the YAML as written, not as parsed by the schema, so
 * that they report problems even if other fields are invalid.
 */
import { realpathSync } from 'node:fs';
import { extname, join, resolve, sep } from 'node:path';
import type { YamlProblem } from '../../yaml-file.ts';
import { OWN_FOLDERS } from '../hot-folders/own-folders.ts';
import { withoutDashes } from './spellings.ts';
import { EXPORT_ENDINGS, ONLY_REPORT_KEYS, REPORT_ENDINGS, REPORT_KEYS } from './task-options.ts';

const SECRETS = new Set(['key', 'apikey', 'token', 'secret', 'password', 'pass', 'authorization']);

/** @param folder where relative paths start */
export function crossChecks(value: unknown, folder: string): YamlProblem[] {
  const config = mapOf(value);
  const profiles = mapOf(config['profiles']);
  return [
    ...Object.entries(profiles).flatMap(([name, profile]) => profileProblems(name, profile)),
    ...Object.entries(mapOf(config['schedules'])).flatMap(([name, schedule]) =>
      scheduleProblems(name, mapOf(schedule), config),
    ),
    ...listOf(config['hotFolders']).flatMap((folder, index) => [
      ...unknownProfile(['hotFolders', index], mapOf(folder), profiles),
    ]),
    ...watchedTwice(listOf(config['hotFolders']), folder),
    ...(config['notify'] !== undefined && config['smtp'] === undefined
      ? [{ path: ['notify'], message: 'needs smtp: the server that sends the mail' }]
      : []),
    ...secretProblems(value, []),
  ];
}

/** Two watchers of one folder would take each other's files, as would one that watches another's archive. */
function watchedTwice(folders: readonly unknown[], configFolder: string): YamlProblem[] {
  const paths = folders
    .map((folder) => mapOf(folder)['path'])
    .map((path) => (typeof path === 'string' ? realPath(resolve(configFolder, path)) : undefined));
  return paths.flatMap((path, index) => {
    if (path === undefined) return [];
    const at = ['hotFolders', index, 'path'];
    if (paths.indexOf(path) < index) return [{ path: at, message: 'this folder is watched already' }];
    const owner = paths.find((other) =>
      OWN_FOLDERS.some((own) => other !== undefined && `${path}${sep}`.startsWith(join(other, own, sep))),
    );
    return owner === undefined
      ? []
      : [{ path: at, message: `lies in what ${owner} keeps for itself: ${OWN_FOLDERS.join(', ')}` }];
  });
}

/** With links resolved. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function profileProblems(name: string, written: unknown): YamlProblem[] {
  const profile = mapOf(written);
  if (profile !== written) return [];
  const places = ['keyEnv', 'keyFile'].filter((key) => profile[key] !== undefined);
  return places.length === 1
    ? []
    : [{ path: ['profiles', name], message: 'expected either keyEnv or keyFile' }];
}

function scheduleProblems(
  name: string,
  schedule: Record<string, unknown>,
  config: Record<string, unknown>,
): YamlProblem[] {
  const path = ['schedules', name];
  const problems = unknownProfile(path, schedule, mapOf(config['profiles']));
  const task = mapOf(schedule['task']);
  if (schedule['task'] !== undefined) problems.push(...taskProblems([...path, 'task'], task));
  const deliveries = listOf(schedule['deliver']);
  const out = task['out'];
  if (
    deliveries.length > 0 &&
    typeof out === 'string' &&
    /^([\\/]|[A-Za-z]:)|(^|[\\/])\.\.([\\/]|$)/.test(out)
  ) {
    problems.push({
      path: [...path, 'task', 'out'],
      message: 'with deliver, expected a name within the folder it is delivered to',
    });
  }
  if (config['smtp'] === undefined) {
    for (const [index, delivery] of deliveries.entries()) {
      if (mapOf(delivery)['email'] !== undefined)
        problems.push({
          path: [...path, 'deliver', index],
          message: 'needs smtp: the server that sends the mail',
        });
    }
  }
  return problems;
}

function taskProblems(path: PropertyKey[], written: Record<string, unknown>): YamlProblem[] {
  const problems: YamlProblem[] = [];
  const task = withoutDashes(written);
  const isReport = task['report'] !== undefined;
  if ((task['export'] !== undefined) === isReport)
    problems.push({ path, message: 'expected either export or report' });
  for (const key of Object.keys(written)) {
    const [plain = ''] = Object.keys(withoutDashes({ [key]: '' }));
    const wrong = isReport ? !REPORT_KEYS.includes(plain) : ONLY_REPORT_KEYS.includes(plain);
    if (wrong && (task['export'] === undefined) === isReport)
      problems.push({ path: [...path, key], message: `is no option of ${isReport ? 'report' : 'export'}` });
  }
  const { out, format } = task;
  if (out === undefined) problems.push({ path, message: 'needs out' });
  const endings = isReport ? REPORT_ENDINGS : EXPORT_ENDINGS;
  if (
    typeof out === 'string' &&
    format === undefined &&
    !endings.includes(extname(out).slice(1).toLowerCase())
  )
    problems.push({
      path: [...path, 'out'],
      message: `expected a name that ends in .${endings.join(', .')}`,
    });
  return problems;
}

function unknownProfile(
  path: PropertyKey[],
  entry: Record<string, unknown>,
  profiles: Record<string, unknown>,
): YamlProblem[] {
  const wanted = entry['profile'];
  if (typeof wanted !== 'string' || Object.hasOwn(profiles, wanted)) return [];
  const names = Object.keys(profiles);
  const known = names.length === 0 ? 'there are none' : `there are ${names.join(', ')}`;
  return [{ path: [...path, 'profile'], message: `there is no profile "${wanted}": ${known}` }];
}

/** Finds secrets by their key; never repeats the value. */
function secretProblems(value: unknown, path: PropertyKey[]): YamlProblem[] {
  if (Array.isArray(value)) return value.flatMap((each, index) => secretProblems(each, [...path, index]));
  return Object.entries(mapOf(value)).flatMap(([key, inner]) =>
    SECRETS.has(key.toLowerCase().replaceAll(/[-_]/g, '')) && typeof inner !== 'object' && isSetting(path)
      ? [
          {
            path: [...path, key],
            message: 'a secret does not belong in this file: name the variable or the file that holds it',
          },
        ]
      : secretProblems(inner, [...path, key]),
  );
}

/** Keys below a task may be names of columns and fields. */
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
