/**
 * Checks what a configuration expects of this machine: keys, passwords, folders. Something missing may exist where the
 * worker will run; something present but unusable is an error.
 */
import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '../../errors.ts';
import { readKeyFile } from '../../key-file.ts';
import type { YamlProblem } from '../../yaml-file.ts';
import { listOf, mapOf } from './cross-checks.ts';

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
  const secrets: [PropertyKey[], unknown][] = [
    ...Object.entries(mapOf(config['profiles'])).map(([name, profile]): [PropertyKey[], unknown] => [
      ['profiles', name],
      profile,
    ]),
    [['smtp'], config['smtp']],
    [['notify', 'webhook'], mapOf(config['notify'])['webhook']],
    ...Object.entries(mapOf(config['schedules'])).flatMap(([name, schedule]): [PropertyKey[], unknown][] => {
      const at = ['schedules', name];
      const source = mapOf(mapOf(mapOf(schedule)['task'])['import']);
      return [
        [[...at, 'ping'], mapOf(schedule)['ping']],
        [[...at, 'task', 'import'], source],
        [[...at, 'task', 'import', 'sftp'], source['sftp']],
        ...listOf(mapOf(schedule)['deliver']).map((delivery, index): [PropertyKey[], unknown] => [
          [...at, 'deliver', index, 'sftp'],
          mapOf(delivery)['sftp'],
        ]),
      ];
    }),
  ];
  return [
    ...secrets.flatMap(([path, owner]) => secretProblems(path, mapOf(owner), around)),
    ...listOf(config['hotFolders']).flatMap((watched, index): MachineProblem[] => {
      const { path } = mapOf(watched);
      if (typeof path !== 'string') return [];
      const place = resolve(around.folder, path);
      const isFile = statSync(place, { throwIfNoEntry: false })?.isDirectory() === false;
      return isFile
        ? [
            {
              path: ['hotFolders', index, 'path'],
              message: `${place} is a file, not a folder`,
              lacking: false,
            },
          ]
        : [];
    }),
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
    if (typeof name === 'string' && (environment[name] ?? '').trim() === '')
      problems.push({ path: [...path, key], message: `${name} is not set`, lacking: true });
  }
  for (const key of ['keyFile', 'passwordFile', 'privateKeyFile', 'urlFile', 'secretFile']) {
    const name = owner[key];
    if (typeof name !== 'string' || name === '') continue;
    const file = resolve(folder, name);
    const message = existsSync(file) ? fileProblem(file) : `${file} is not there`;
    if (message !== undefined) problems.push({ path: [...path, key], message, lacking: !existsSync(file) });
  }
  return problems;
}

function fileProblem(file: string): string | undefined {
  try {
    return readKeyFile(file).trim() === '' ? `${file} is empty` : undefined;
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
}
