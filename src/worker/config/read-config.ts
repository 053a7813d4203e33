/** Reads shelflift.yaml. */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import { message } from '../../messages/message.ts';
import { parseYaml, plainValue, type YamlProblem } from '../../base/yaml-file.ts';
import { crossChecks, mapOf } from './cross-checks.ts';
import { namesInWords } from './names-in-words.ts';
import type { Timetable } from '../schedule/fire-times.ts';
import { type Schedule, Timetables, WorkerConfig } from './schema.ts';

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
    whole: 'the_configuration' as const,
    also: (value: unknown) => [...crossChecks(value, folder), ...more],
  };
  const config = text.trim() === '' ? WorkerConfig.parse({}) : parseYaml(text, WorkerConfig, about);
  return { ...config, folder };
}

/**
 * One schedule. The others and their profiles are checked only if there is a problem: checking 10,000 schedules takes
 * longer than the rest of a command.
 *
 * @throws UsageError `bad_config`, `config_unreadable`, `no_such_schedule`
 */
export function readSchedule(file: string, name: string): Schedule {
  const whole = mapOf(plainValue(configText(file))?.value);
  const schedule = mapOf(whole['schedules'])[name];
  const profile = String(mapOf(schedule)['profile']);
  const profiles = { [profile]: mapOf(whole['profiles'])[profile] };
  const part = { ...whole, profiles, schedules: { [name]: schedule } };
  const read = WorkerConfig.safeParse(part).data?.schedules[name];
  const isRight = read !== undefined && crossChecks(part, dirname(resolve(file))).length === 0;
  return isRight ? read : scheduleOf(readWorkerConfig(file), name);
}

/**
 * The times at which each schedule fires. As with `readSchedule`, the rest of the file is checked only if the times
 * cannot be read.
 *
 * @throws UsageError `bad_config`, `config_unreadable`
 */
export function readTimetables(file: string): Record<string, Timetable> {
  const read = Timetables.safeParse(plainValue(configText(file))?.value);
  return read.success ? read.data.schedules : readWorkerConfig(file).schedules;
}

function scheduleOf({ schedules }: ReadConfig, wanted: string): Schedule {
  const schedule = Object.hasOwn(schedules, wanted) ? schedules[wanted] : undefined;
  if (schedule !== undefined) return schedule;
  const names = Object.keys(schedules);
  throw new UsageError('no_such_schedule', message('no_such_schedule', { schedule: wanted }), {
    actions: [
      {
        do: 'byHand',
        label:
          names.length === 0
            ? message('no_schedules', {})
            : message('schedules_are', { names: namesInWords(names, wanted) }),
      },
    ],
  });
}

/** @throws UsageError `config_unreadable` */
export function configText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const missing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    throw new UsageError(
      'config_unreadable',
      message(missing ? 'config_missing' : 'config_unreadable', { file }),
      {
        cause,
        actions: [
          {
            do: 'setOption',
            label: message('to_name_config', {}),
            option: 'config',
            value: 'shelflift.yaml',
          },
        ],
      },
    );
  }
}
