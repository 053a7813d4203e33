/** A profile: a named address and where its key is. Used in a user's config.yaml and a worker's shelflift.yaml. */
import { resolve } from 'node:path';
import { z } from 'zod';
import { UsageError } from './errors.ts';
import { message } from '../messages/message.ts';
import { problem } from './schema-words.ts';
import { readKeyFile, saveKey, variableOrFile } from './key-file.ts';

/** The key is in an environment variable or a file, never here. Relative paths start at the configuration's folder. */
export const ProfileFields = z.strictObject({
  apiUrl: z.string({ error: problem('expected_base_address', {}) }),
  keyEnv: z
    .string()
    .regex(/^[A-Za-z_]\w*$/, problem('expected_variable', {}))
    .optional(),
  keyFile: z.string().min(1, problem('expected_path', {})).optional(),
});

export const Profile = ProfileFields.refine(
  ({ keyEnv, keyFile }) => (keyEnv === undefined) !== (keyFile === undefined),
  { message: problem('expected_either', { one: 'keyEnv', other: 'keyFile' }) },
);
export type Profile = z.infer<typeof Profile>;

/**
 * @param folder base of relative key files
 * @throws UsageError `no_key`, and those of the key file
 */
export function keyOfProfile(
  name: string,
  profile: Profile,
  folder: string,
  environment: Record<string, string | undefined>,
): string {
  if (profile.keyFile !== undefined) return readKeyFile(resolve(folder, profile.keyFile));
  const key = variableOrFile(profile.keyEnv ?? '', environment);
  if (key !== undefined) return key;
  const variable = profile.keyEnv ?? '';
  throw new UsageError('no_key', message('key_variable_unset', { profile: name, variable }), {
    actions: [{ do: 'byHand', label: message('set_variable', { variable }) }, saveKey(name)],
  });
}
