/** Reads shelflift.yaml. */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { UsageError } from '../../errors.ts';
import { parseYaml, type YamlProblem } from '../../yaml-file.ts';
import { crossChecks } from './cross-checks.ts';
import { WorkerConfig } from './schema.ts';

export interface ReadConfig extends WorkerConfig {
  /** Folder of the file: where its relative paths start. */
  folder: string;
}

/**
 * @param more problems found elsewhere, reported together with the file's own
 * @throws UsageError `bad_config` with file:line:column for each problem of the file, `config_unreadable`
 */
export function readWorkerConfig(file: string, more: readonly YamlProblem[] = []): ReadConfig {
  return parseWorkerConfig(configText(file), { file, folder: dirname(resolve(file)) }, more);
}

/**
 * @param place.file for messages only
 * @throws UsageError `bad_config`
 */
export function parseWorkerConfig(
  text: string,
  { file, folder }: { file: string; folder: string },
  more: readonly YamlProblem[] = [],
): ReadConfig {
  const about = {
    file,
    code: 'bad_config' as const,
    whole: 'the configuration',
    also: (value: unknown) => [...crossChecks(value, folder), ...more],
  };
  const config = text.trim() === '' ? WorkerConfig.parse({}) : parseYaml(text, WorkerConfig, about);
  return { ...config, folder };
}

/** @throws UsageError `config_unreadable` */
export function configText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const missing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    throw new UsageError('config_unreadable', `${file} ${missing ? 'is not there' : 'cannot be read'}`, {
      cause,
      remedy: 'Name the file of profiles and schedules: --config shelflift.yaml',
    });
  }
}
