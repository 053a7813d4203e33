/**
 * `worker --check`: reports all problems of a configuration, and everything that it needs but this machine does not
 * have.
 */
import { dirname, resolve } from 'node:path';
import { openYaml } from '../../base/yaml-file.ts';
import type { Message } from '../../messages/params.ts';
import { machineProblems } from './machine-checks.ts';
import { optionProblems } from './option-checks.ts';
import { configText, type ReadConfig, readWorkerConfig } from './read-config.ts';

/** Something that is missing on this machine, but may exist on the worker's machine. */
export interface Lacking {
  /** `profiles.main.keyEnv` */
  path: string;
  line: number;
  column: number;
  said: Message;
}

/** @throws UsageError `bad_config` with file:line:column for each problem, `config_unreadable` */
export async function checkWorkerConfig(
  file: string,
  environment: Record<string, string | undefined>,
): Promise<{ config: ReadConfig; warnings: Lacking[] }> {
  const { value, placeOf } = openYaml(configText(file));
  const folder = dirname(resolve(file));
  const machine = machineProblems(value, { folder, environment });
  const wrong = machine.filter(({ lacking }) => !lacking);
  const config = readWorkerConfig(file, [...wrong, ...(await optionProblems(value, folder))]);
  const warnings = machine
    .filter(({ lacking }) => lacking)
    .map(({ path, said }) => ({ path: path.join('.'), ...placeOf(path), said }));
  return { config, warnings };
}
