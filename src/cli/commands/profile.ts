import type { CommandModule } from 'yargs';
import type { CommandBody } from '../command-body.ts';
import { examples } from '../examples.ts';
import { addFlags, type FlagsOf, type GlobalFlags } from '../flags.ts';
import { print, printJson } from '../show/output.ts';
import { english, message } from '../../messages/message.ts';
import { say } from '../show/say.ts';
import { table } from '../show/words.ts';

export const profileCommand: CommandBody<object> = {
  builder: (yargs) =>
    yargs
      .command(add)
      .command(list)
      .command(use)
      .demandCommand(1, 'Name what to do with profiles: add, list or use.')
      .strict()
      .epilogue(
        'Which address and key a command takes: those of --profile; else --api-url, then SHELFLIFT_API_URL, and ' +
          'SHELFLIFT_API_KEY, then SHELFLIFT_API_KEY_FILE; what these leave open comes from the default profile. ' +
          "A profile's own key is sent to the profile's own address only.",
      ),
  handler: () => undefined,
};

const add: CommandModule<object, FlagsOf<'profile add'>> = {
  command: 'add <name>',
  describe: 'Save an address, and its key in a file that only you can read.',
  builder: (yargs) =>
    addFlags(yargs, 'profile add').example(
      examples({
        '$0 profile add main --api-url https://inventory.example.com': 'asks for the key',
        '$0 profile add main < address-and-key.txt': 'from a file with one line for each',
        '$0 profile add nightly --api-url https://inventory.example.com --key-env NIGHTLY_KEY':
          'with a key that stays in the environment',
      }),
    ),
  handler: async (flags) => {
    const { addProfile } = await import('../add-profile.ts');
    const added = await addProfile({
      name: flags.name,
      apiUrl: flags['api-url'],
      keyEnv: flags['key-env'],
      replace: flags.yes === true,
    });
    const { profile, apiUrl: address, key } = added;
    if (flags.json === true) printJson({ ...added, key: english(key) });
    else {
      print(say(message('profile_added', { profile, address, key })));
      const use = { option: `--profile ${profile}`, command: `shelflift profile use ${profile}` };
      print(
        say(
          added.default
            ? message('profile_is_default', { command: 'shelflift doctor' })
            : message('to_use_profile', use),
        ),
      );
    }
  },
};

const list: CommandModule<object, GlobalFlags> = {
  command: 'list',
  describe: 'List the profiles, without their keys.',
  builder: (yargs) => yargs.example(examples({ '$0 profile list': 'the default has a star' })),
  handler: async (flags) => {
    const { configFile, defaultProfile, readConfig } = await import('../../account/profiles.ts');
    const config = readConfig(process.env);
    const chosen = defaultProfile(config);
    const profiles = Object.entries(config.profiles).map(([name, profile]) => ({
      name,
      default: name === chosen,
      apiUrl: profile.apiUrl,
      key:
        profile.keyFile === undefined
          ? message('key_in_variable', { variable: profile.keyEnv ?? '' })
          : message('key_in_file', { file: profile.keyFile }),
    }));
    if (flags.json === true)
      printJson({
        file: configFile(process.env),
        profiles: profiles.map((each) => ({ ...each, key: english(each.key) })),
      });
    else if (profiles.length === 0)
      print(say(message('no_profiles_yet', { command: 'shelflift profile add main' })));
    else
      print(table(profiles.map((each) => [each.default ? '*' : ' ', each.name, each.apiUrl, say(each.key)])));
  },
};

const use: CommandModule<object, FlagsOf<'profile use'>> = {
  command: 'use <name>',
  describe: 'Make a profile the default.',
  builder: (yargs) =>
    addFlags(yargs, 'profile use').example(
      examples({ '$0 profile use main': 'use it from now on, unless another profile is named' }),
    ),
  handler: async (flags) => {
    const { findProfile, readConfig, saveProfile } = await import('../../account/profiles.ts');
    const { apiUrl } = findProfile(flags.name, readConfig(process.env));
    await saveProfile(process.env, { useByDefault: flags.name });
    if (flags.json === true) printJson({ default: flags.name, apiUrl });
    else print(say(message('default_is_now', { profile: flags.name, address: apiUrl })));
  },
};
