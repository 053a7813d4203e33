/** `profile add`: asks for missing values, checks them, and saves address and key in separate files. */
import { relative } from 'node:path';
import { createClient } from '../api/client.ts';
import { configFolder } from '../base/config.ts';
import { UsageError } from '../base/errors.ts';
import { openAsker } from './ask.ts';
import { writeKeyFile } from '../base/key-file.ts';
import type { Profile } from '../base/profile.ts';
import {
  checkProfileName,
  defaultProfile,
  keyFileFor,
  readConfig,
  saveProfile,
} from '../account/profiles.ts';
import { message } from '../messages/message.ts';
import type { Message } from '../messages/params.ts';
import { REPLACE } from './replace.ts';
import { say } from './show/say.ts';

export interface AddedProfile {
  profile: string;
  /** Normalised. */
  apiUrl: string;
  /** Where the key comes from; never the key itself. */
  key: Message;
  /** Whether it is now the default. */
  default: boolean;
}

/** @throws UsageError `bad_profile_name`, `profile_exists`, `bad_address`, `insecure_address`, `bad_key`, `no_key`, `bad_variable` */
export async function addProfile(
  request: { name: string; apiUrl: string | undefined; keyEnv: string | undefined; replace: boolean },
  environment: NodeJS.ProcessEnv = process.env,
): Promise<AddedProfile> {
  const { name, keyEnv } = request;
  checkProfileName(name);
  // Capitals only, so that a key passed by mistake does not end up in the configuration.
  if (keyEnv !== undefined && !/^[A-Z_][A-Z0-9_]*$/.test(keyEnv)) {
    const problem = message('expected_variable', {});
    throw new UsageError('bad_variable', message('option_problem', { option: '--key-env', problem }));
  }
  const config = readConfig(environment);
  if (config.profiles[name] !== undefined && !request.replace) {
    throw new UsageError('profile_exists', message('profile_exists', { name }), { actions: REPLACE });
  }
  using asker = openAsker();
  const address = request.apiUrl ?? (await asker.ask(`${say(message('ask_api_address', {}))} (https://…):`));
  // Check the address before asking for a key, using a placeholder key.
  let apiUrl = await checked(address.trim(), 'unused');
  let value: Profile;
  if (keyEnv === undefined) {
    const key = (await asker.askSecret(say(message('ask_api_key', {})))).trim();
    apiUrl = await checked(address.trim(), key);
    const file = keyFileFor(name, environment);
    writeKeyFile(file, key);
    value = { apiUrl, keyFile: relative(configFolder(environment), file) };
  } else value = { apiUrl, keyEnv };
  const chosen = defaultProfile(config);
  await saveProfile(environment, {
    profile: { name, value },
    ...(chosen === undefined ? { useByDefault: name } : {}),
  });
  return {
    profile: name,
    apiUrl,
    key:
      keyEnv === undefined
        ? message('key_in_file', { file: keyFileFor(name, environment) })
        : message('key_in_variable', { variable: keyEnv }),
    default: chosen === undefined || chosen === name,
  };
}

/** Runs the client's checks of address and key; sends nothing. */
async function checked(apiUrl: string, key: string): Promise<string> {
  await using client = createClient({ apiUrl, key });
  return client.apiUrl;
}
