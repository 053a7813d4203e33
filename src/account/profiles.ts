/** Profiles: named addresses with the place of their key, in config.yaml of the user's config folder (design §9). */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseDocument } from 'yaml';
import { z } from 'zod';
import { configFolder } from '../base/config.ts';
import { UsageError } from '../base/errors.ts';
import { parseYaml } from '../base/yaml-file.ts';
import { problem } from '../base/schema-words.ts';
import { makeFolder } from '../base/make-folder.ts';
import { Profile } from '../base/profile.ts';
import { byHand, message } from '../messages/message.ts';
import type { Action } from '../messages/params.ts';

const NAME = /^[A-Za-z0-9][\w.-]*$/;

const Config = z
  .strictObject({
    /** The profile of commands that name none. */
    defaultProfile: z.string().optional(),
    profiles: z.record(z.string().regex(NAME, problem('expected_name', {})), Profile).default({}),
  })
  .superRefine(({ defaultProfile, profiles }, context) => {
    if (defaultProfile !== undefined && profiles[defaultProfile] === undefined) {
      context.addIssue({
        code: 'custom',
        path: ['defaultProfile'],
        message: problem('profile_unknown', { name: defaultProfile }),
      });
    }
  });
export type Config = z.infer<typeof Config>;

export function configFile(environment: NodeJS.ProcessEnv): string {
  return join(configFolder(environment), 'config.yaml');
}

export function keyFileFor(name: string, environment: NodeJS.ProcessEnv): string {
  return join(configFolder(environment), 'keys', `${name}.key`);
}

/**
 * The saved profiles; none if there is no file.
 *
 * @throws UsageError `bad_config` with file:line:column for each problem, `config_unreadable`
 */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const file = configFile(environment);
  const text = readText(file);
  if (text.trim() === '') return { profiles: {} };
  return parseYaml(text, Config, { file, code: 'bad_config', whole: 'the_configuration' });
}

/** @throws UsageError `no_such_profile`, with the existing names */
export function findProfile(name: string, config: Config): Profile {
  const profile = Object.hasOwn(config.profiles, name) ? config.profiles[name] : undefined;
  if (profile !== undefined) return profile;
  const names = Object.keys(config.profiles);
  throw new UsageError('no_such_profile', message('no_such_profile', { name }), {
    actions: [
      names.length === 0
        ? addProfile(NAME.test(name) ? name : 'main')
        : byHand('profiles_are', { profiles: names }),
    ],
  });
}

/** The profile of commands that name none: the one that `profile use` chose, or the only one there is. */
export function defaultProfile(config: Config): string | undefined {
  const names = Object.keys(config.profiles);
  return config.defaultProfile ?? (names.length === 1 ? names[0] : undefined);
}

/** Saves an address and its key under a name. */
export function addProfile(name: string): Action {
  return { do: 'run', command: 'profile add', args: [name], label: message('to_add_profile', {}) };
}

/** @throws UsageError `bad_profile_name` */
export function checkProfileName(name: string): void {
  if (NAME.test(name)) return;
  throw new UsageError('bad_profile_name', message('bad_profile_name', { name }));
}

/** Writes one profile, and makes it the default if requested; comments and the rest of the file stay unchanged. */
export async function saveProfile(
  environment: NodeJS.ProcessEnv,
  change: { profile?: { name: string; value: Profile }; useByDefault?: string },
): Promise<void> {
  const { openAtomicFile } = await import('../sheets/atomic-file.ts');
  const file = configFile(environment);
  const document = parseDocument(readText(file));
  if (change.profile !== undefined) document.setIn(['profiles', change.profile.name], change.profile.value);
  if (change.useByDefault !== undefined) document.set('defaultProfile', change.useByDefault);
  makeFolder(dirname(file), 0o700);
  const written = await openAtomicFile(file);
  await written.write(document.toString());
  await written.commit();
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw new UsageError('config_unreadable', message('config_unreadable', { file }), { cause });
  }
}
