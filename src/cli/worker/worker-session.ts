/** What the worker's commands share: its configuration and its spool. */
import { join } from 'node:path';
import { existsSync } from 'node:fs';
import { stateFolder } from '../../base/config.ts';
import { UsageError } from '../../base/errors.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { ReadConfig } from '../../worker/config/read-config.ts';
import type { Spool } from '../../worker/queue/spool.ts';
import type { FlagsOf } from '../flags.ts';
import { message } from '../../messages/message.ts';

export type ConfigFlags = FlagsOf<'schedule'>;

export const CONFIG_FILE = 'shelflift.yaml';

/** undefined if none is named and this folder has none. */
export async function configOf(flags: ConfigFlags): Promise<ReadConfig | undefined> {
  const file = configFileOf(flags);
  if (file === undefined) return undefined;
  const { readWorkerConfig } = await import('../../worker/config/read-config.ts');
  return readWorkerConfig(file);
}

/** @throws UsageError `config_unreadable` where there is none */
export async function needConfig(flags: ConfigFlags): Promise<ReadConfig> {
  const { readWorkerConfig } = await import('../../worker/config/read-config.ts');
  return readWorkerConfig(needConfigFile(flags));
}

/** @throws UsageError `config_unreadable` where there is none */
export function needConfigFile(flags: ConfigFlags): string {
  const file = configFileOf(flags);
  if (file !== undefined) return file;
  throw new UsageError('config_unreadable', message('no_config_here', { file: CONFIG_FILE }), {
    actions: [
      { do: 'run', command: 'worker init', label: message('to_write_config', {}) },
      { do: 'setOption', option: 'config', value: 'FILE', label: message('to_name_config', {}) },
    ],
  });
}

export function configFileOf(flags: ConfigFlags): string | undefined {
  return flags.config ?? (existsSync(CONFIG_FILE) ? CONFIG_FILE : undefined);
}

export async function spoolOf(ledger: Ledger): Promise<Spool> {
  const { Spool } = await import('../../worker/queue/spool.ts');
  return Spool.of(ledger, join(stateFolder(process.env), 'spool'));
}
