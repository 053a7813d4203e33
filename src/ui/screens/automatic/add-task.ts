/**
 * A schedule or a watched folder, written into shelflift.yaml from a form; and the findings of `worker --check
 * --connect`.
 */
import type { Connection } from '../../../worker/config/connection-checks.ts';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { UsageError } from '../../../base/errors.ts';
import { writeFileAtomic } from '../../../sheets/atomic-file.ts';
import { checkWorkerConfig, type Lacking } from '../../../worker/config/check-config.ts';
import { checkConnections } from '../../../worker/config/connection-checks.ts';
import { type Answers, PRESETS, withMore } from '../../../worker/config/new-config.ts';
import { configText, parseWorkerConfig, readWorkerConfig } from '../../../worker/config/read-config.ts';
import type { Workspace } from '../../jobs/workspace.ts';
import type { Ui } from '../../ui.ts';

/** Presets that the page offers. */
export const OFFERED = ['items', 'month'] as const;

const CHECK_WITHIN_MS = 30_000;

export interface Checks {
  warnings: Lacking[];
  connections: Connection[];
}

/** The time zone of this machine, in which people here give times. */
export function ownTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** @returns the missing fields of the form @throws UsageError `bad_config` if the existing file has a mistake */
export async function addTask(
  form: URLSearchParams,
  { connection: { apiUrl }, keyPlace }: Pick<Workspace, 'connection' | 'keyPlace'>,
  { configFile: file }: Pick<Ui, 'configFile'>,
): Promise<'practiceOnly' | 'folderNeeded' | 'timeNeeded' | undefined> {
  if (keyPlace === undefined) return 'practiceOnly';
  const task = taskOf(form);
  if (typeof task === 'string') return task;
  const folder = dirname(file);
  const before = existsSync(file) ? configText(file) : '';
  if (before !== '') readWorkerConfig(file);
  const answers = { apiUrl, key: keyPlace, timeZone: ownTimeZone(), smtp: undefined, notify: undefined };
  const text = withMore(before, { ...answers, ...task }, folder);
  parseWorkerConfig(text, { file, folder });
  await writeFileAtomic(file, text);
  return undefined;
}

function taskOf(form: URLSearchParams): Pick<Answers, 'schedules' | 'drop'> | 'folderNeeded' | 'timeNeeded' {
  const path = (form.get('folder') ?? '').trim();
  const preset = OFFERED.find((each) => each === form.get('kind'));
  if (path === '') return 'folderNeeded';
  if (preset === undefined)
    return { schedules: [], drop: { path, collection: (form.get('collection') ?? '').trim() } };
  const [, hour, minute] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(form.get('time') ?? '') ?? [];
  if (hour === undefined) return 'timeNeeded';
  const schedule = { preset, hour: Number(hour), minute: Number(minute), target: { folder: path } };
  return { schedules: [schedule], drop: undefined };
}

/** Usual time of a preset, for the form. */
export function usualTime(preset: (typeof OFFERED)[number]): string {
  return PRESETS[preset].time;
}

/** @returns nothing if the file has a mistake, which the screen shows anyway */
export async function checksOf({
  configFile,
  environment,
  signal,
}: Pick<Ui, 'configFile' | 'environment' | 'signal'>): Promise<Checks | undefined> {
  try {
    const { config, warnings } = await checkWorkerConfig(configFile, environment);
    const until = AbortSignal.any([signal, AbortSignal.timeout(CHECK_WITHIN_MS)]);
    const connections = await checkConnections(config, environment, until);
    return { warnings, connections };
  } catch (error) {
    if (error instanceof UsageError && error.code === 'bad_config') return undefined;
    throw error;
  }
}
