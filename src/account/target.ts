/**
 * Which API a command or the page talks to, and with which key.
 *
 * Either the sandbox or a profile. Otherwise address and key are found separately: in the flag, the environment, or the
 * default profile. A profile's own key only ever goes to the profile's own address.
 */
import { dirname, resolve } from 'node:path';
import { UsageError } from '../base/errors.ts';
import { sandboxFiles, SANDBOX_TARGET, startEmbeddedSandbox } from './embedded-sandbox.ts';
import { readKeyFile } from '../base/key-file.ts';
import { byHand, message } from '../messages/message.ts';
import type { Action, Message } from '../messages/params.ts';

/** The options that choose the API. Without any of them, the environment and then the default profile decide. */
export interface TargetChoice {
  sandbox?: boolean;
  profile?: string;
  'api-url'?: string;
}

export interface Target extends AsyncDisposable {
  /** The settings for createClient. */
  client: { apiUrl: string; key: string; target?: string };
  /** For people: `SHELFLIFT_API_KEY`, `key file …`, `profile main (key file …)`. Never the key. */
  addressFrom: string;
  keyFrom: string;
  /** Where a configuration finds the key; undefined for the sandbox. */
  keyPlace?: KeyPlace;
}

export type KeyPlace = { keyEnv: string } | { keyFile: string };

const USE_SANDBOX: Action = { do: 'setOption', option: 'sandbox', label: message('to_try_sandbox', {}) };

/** Variables that --sandbox ignores; it says so if they are set. */
const IGNORED_BY_SANDBOX = [
  'SHELFLIFT_API_URL',
  'SHELFLIFT_API_KEY',
  'SHELFLIFT_API_KEY_FILE',
  'SHELFLIFT_STORE',
] as const;

/**
 * @throws UsageError `two_targets`, `no_api_url`, `no_key`, errors of profiles, key files and the embedded sandbox
 */
export async function openTarget(
  flags: TargetChoice,
  environment: NodeJS.ProcessEnv,
  around: { say: (note: Message) => void; signal: AbortSignal },
): Promise<Target> {
  checkOneTarget(flags);
  if (flags.sandbox === true) return openSandbox(environment, around);
  const addressed = await resolveAddress(flags, environment);
  const keyed = await resolveKey(addressed, environment, flags.profile !== undefined);
  return {
    client: { apiUrl: addressed.apiUrl, key: keyed.key },
    addressFrom: addressed.from,
    keyFrom: keyed.from,
    keyPlace: keyed.place,
    [Symbol.asyncDispose]: async () => undefined,
  };
}

function checkOneTarget(flags: TargetChoice): void {
  const given = [
    flags.sandbox === true ? 'sandbox' : undefined,
    flags.profile === undefined ? undefined : 'profile',
    flags['api-url'] === undefined ? undefined : 'api-url',
  ].filter((option) => option !== undefined);
  if (given.length < 2) return;
  throw new UsageError('two_targets', message('two_targets', { given }), {
    actions: [byHand('give_one', {})],
  });
}

async function openSandbox(
  environment: NodeJS.ProcessEnv,
  around: { say: (note: Message) => void; signal: AbortSignal },
): Promise<Target> {
  const ignored = IGNORED_BY_SANDBOX.filter((name) => (environment[name] ?? '') !== '');
  if (ignored.length > 0) around.say(message('sandbox_ignores', { variables: ignored }));
  const sandbox = await startEmbeddedSandbox(environment, around);
  return {
    client: { apiUrl: sandbox.url, key: sandbox.key, target: SANDBOX_TARGET },
    addressFrom: `sandbox (${sandboxFiles(environment).data})`,
    keyFrom: 'sandbox',
    [Symbol.asyncDispose]: () => sandbox.close(),
  };
}

interface Address {
  apiUrl: string;
  from: string;
  /** The profile that the address comes from. */
  profile: string | undefined;
}

async function resolveAddress(flags: TargetChoice, environment: NodeJS.ProcessEnv): Promise<Address> {
  if (flags.profile !== undefined) return addressOfProfile(flags.profile, environment);
  const flag = flags['api-url'];
  if (flag !== undefined && flag !== '')
    return { apiUrl: flag, from: 'the option api-url', profile: undefined };
  const url = environment['SHELFLIFT_API_URL'];
  if (url !== undefined && url !== '') return { apiUrl: url, from: 'SHELFLIFT_API_URL', profile: undefined };
  const profiles = await import('./profiles.ts');
  const name = profiles.defaultProfile(profiles.readConfig(environment));
  if (name !== undefined) return addressOfProfile(name, environment);
  throw new UsageError('no_api_url', message('no_api_url', {}), {
    actions: [
      byHand('set_address_variable', {}),
      { do: 'setOption', option: 'api-url', value: 'https://…', label: message('to_name_address', {}) },
      profiles.addProfile('main'),
      USE_SANDBOX,
    ],
  });
}

async function addressOfProfile(name: string, environment: NodeJS.ProcessEnv): Promise<Address> {
  const { findProfile, readConfig } = await import('./profiles.ts');
  const { apiUrl } = findProfile(name, readConfig(environment));
  return { apiUrl, from: `profile ${name}`, profile: name };
}

/** There is no flag for a key, because other users can see flags. An explicit --profile brings its own key. */
async function resolveKey(
  { profile, from }: Address,
  environment: NodeJS.ProcessEnv,
  explicit: boolean,
): Promise<{ key: string; from: string; place: KeyPlace }> {
  if (!explicit) {
    const key = environment['SHELFLIFT_API_KEY'];
    if (key !== undefined && key.trim() !== '')
      return { key, from: 'SHELFLIFT_API_KEY', place: { keyEnv: 'SHELFLIFT_API_KEY' } };
    const file = environment['SHELFLIFT_API_KEY_FILE'];
    if (file !== undefined && file !== '')
      return {
        key: readKeyFile(file),
        from: `key file ${file} (SHELFLIFT_API_KEY_FILE)`,
        place: { keyFile: resolve(file) },
      };
  }
  if (profile !== undefined) {
    const [{ configFile, findProfile, readConfig }, { keyOfProfile }] = await Promise.all([
      import('./profiles.ts'),
      import('../base/profile.ts'),
    ]);
    const value = findProfile(profile, readConfig(environment));
    const { keyFile, keyEnv = '' } = value;
    const folder = dirname(configFile(environment));
    return {
      key: keyOfProfile(profile, value, folder, environment),
      from: `${keyFile === undefined ? keyEnv : `key file ${keyFile}`} (${from})`,
      place: keyFile === undefined ? { keyEnv } : { keyFile: resolve(folder, keyFile) },
    };
  }
  throw new UsageError('no_key', message('no_key', {}), {
    actions: [byHand('set_key_variable', {}), USE_SANDBOX],
  });
}
