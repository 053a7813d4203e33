/**
 * Checks the parts of a configuration that depend on this machine: keys, passwords, folders. Something missing may
 * exist where the worker will run; something present but unusable is an error.
 */
import { existsSync, mkdtempSync, rmdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { getSystemErrorMessage } from 'node:util';
import { UsageError } from '../../base/errors.ts';
import { readKeyFile, variable } from '../../base/key-file.ts';
import type { YamlProblem } from '../../base/yaml-file.ts';
import { systemCode } from '../../sheets/file-error.ts';
import { message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';
import { awayProblem } from '../delivery/target-folder.ts';
import { listOf, mapOf } from './cross-checks.ts';
import type { FolderTarget } from './schema.ts';

export interface MachineProblem extends YamlProblem {
  /** True if it is only missing. */
  lacking: boolean;
}

/** @param around.folder where relative paths start */
export function machineProblems(
  value: unknown,
  around: { folder: string; environment: Record<string, string | undefined> },
): MachineProblem[] {
  const config = mapOf(value);
  return [
    ...secretsBelow(config, [], around),
    ...foldersOf(config, around.folder).flatMap(([path, place, delivery]): MachineProblem[] => {
      const unusable = notToBeSeen(place);
      if (unusable !== undefined) return [{ path, said: unusable, lacking: false }];
      const missing = delivery === undefined ? undefined : awayProblem(delivery, around.folder);
      if (missing !== undefined) return [{ path, said: missing, lacking: true }];
      const said = unwritable(place);
      return said === undefined ? [] : [{ path, said, lacking: false }];
    }),
  ];
}

/** Every folder that the worker writes to. */
function foldersOf(
  config: Record<string, unknown>,
  configFolder: string,
): [path: PropertyKey[], folder: string, delivery: FolderTarget | undefined][] {
  const schedules = Object.entries(mapOf(config['schedules'])).flatMap(
    ([name, schedule]): [PropertyKey[], unknown, FolderTarget?][] => {
      const { task, deliver } = mapOf(schedule);
      const { out } = mapOf(task);
      const deliveries = listOf(deliver).map(mapOf);
      // Most names have dates only in their last part; a folder name with dates is created when needed.
      const start = typeof out === 'string' ? dirname(out.split('{{')[0] + 'x') : undefined;
      return [
        ...(deliveries.length > 0
          ? []
          : [[['schedules', name, 'task', 'out'], start] as [PropertyKey[], unknown]]),
        [['schedules', name, 'task', 'import', 'outDir'], mapOf(mapOf(task)['import'])['outDir']],
        ...deliveries.map(({ folder, mounted }, index): [PropertyKey[], unknown, FolderTarget] => [
          ['schedules', name, 'deliver', index, 'folder'],
          folder,
          { folder: String(folder), mounted: mounted === true },
        ]),
      ];
    },
  );
  const watched = listOf(config['hotFolders']).map((each, index): [PropertyKey[], unknown] => [
    ['hotFolders', index, 'path'],
    mapOf(each)['path'],
  ]);
  return [...schedules, ...watched].flatMap(([path, folder, delivery]) =>
    typeof folder === 'string' ? [[path, resolve(configFolder, folder), delivery]] : [],
  );
}

/**
 * Why the system rejects the folder's name, for example because it is too long; undefined if the folder is only
 * missing.
 */
function notToBeSeen(folder: string): Message | undefined {
  try {
    statSync(folder, { throwIfNoEntry: false });
    return undefined;
  } catch (error) {
    const { errno } = error as NodeJS.ErrnoException;
    const detail = (errno === undefined ? systemCode(error) : getSystemErrorMessage(errno)) ?? '';
    return message('path_fails', { path: folder, detail });
  }
}

/**
 * Why this user cannot write to the folder, tested by writing, because modes, ACLs and mounts do not show
 * everything.
 */
function unwritable(folder: string): Message | undefined {
  let at = folder;
  while (!existsSync(at) && dirname(at) !== at) at = dirname(at);
  if (!statSync(at).isDirectory()) return message('file_not_folder', { path: at });
  try {
    rmdirSync(mkdtempSync(join(at, '.shelflift-')));
    return undefined;
  } catch (error) {
    const why = message(systemCode(error) === 'EROFS' ? 'it_is_read_only' : 'user_may_not_write', {});
    return at === folder
      ? message('folder_unwritable', { folder, why })
      : message('folder_not_made', { folder, at, why });
  }
}

/** Keys whose own keys are names of fields and columns. */
const NAMES = new Set(['map', 'default', 'rates']);

function secretsBelow(
  value: unknown,
  path: PropertyKey[],
  around: { folder: string; environment: Record<string, string | undefined> },
): MachineProblem[] {
  if (Array.isArray(value))
    return value.flatMap((each, index) => secretsBelow(each, [...path, index], around));
  const owner = mapOf(value);
  return [
    ...secretProblems(path, owner, around),
    ...Object.entries(owner).flatMap(([key, inner]) =>
      NAMES.has(key) ? [] : secretsBelow(inner, [...path, key], around),
    ),
  ];
}

function secretProblems(
  path: PropertyKey[],
  owner: Record<string, unknown>,
  { folder, environment }: { folder: string; environment: Record<string, string | undefined> },
): MachineProblem[] {
  const problems: MachineProblem[] = [];
  for (const key of ['keyEnv', 'passwordEnv', 'urlEnv', 'secretEnv']) {
    const name = owner[key];
    if (typeof name !== 'string') continue;
    const given = variable(name, environment);
    const from = given?.trim() === '' ? undefined : given;
    const file = variable(`${name}_FILE`, environment);
    if (from !== undefined) continue;
    const said = file === undefined ? message('is_not_set', { variable: name }) : fileProblem(file);
    if (said !== undefined)
      problems.push({ path: [...path, key], said, lacking: file === undefined || !existsSync(file) });
  }
  for (const key of ['keyFile', 'passwordFile', 'privateKeyFile', 'urlFile', 'secretFile']) {
    const name = owner[key];
    if (typeof name !== 'string' || name === '') continue;
    const file = resolve(folder, name);
    const said = existsSync(file) ? fileProblem(file) : message('is_not_there', { file });
    if (said !== undefined) problems.push({ path: [...path, key], said, lacking: !existsSync(file) });
  }
  return problems;
}

function fileProblem(file: string): Message | undefined {
  try {
    return readKeyFile(file).trim() === '' ? message('is_empty', { file }) : undefined;
  } catch (error) {
    if (error instanceof UsageError) return error.said;
    throw error;
  }
}
