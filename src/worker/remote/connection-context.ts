/** The context of connections to other machines: paths, variables, passwords, the mail server. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import { message } from '../../messages/message.ts';
import { readKeyFile, variableOrFile } from '../../base/key-file.ts';
import type { Smtp } from '../config/schema.ts';

export interface ConnectionContext {
  /** Relative paths start here. */
  configFolder: string;
  environment: Record<string, string | undefined>;
  smtp: Smtp | undefined;
}

/**
 * A secret, from a variable or a file.
 * @throws UsageError `no_secret`, and the errors of key files
 */
export function secretFrom(
  { variable, file }: { variable?: string | undefined; file?: string | undefined },
  { environment, configFolder }: Omit<ConnectionContext, 'smtp'>,
): string | undefined {
  if (file !== undefined) return readKeyFile(resolve(configFolder, file)).trim();
  if (variable === undefined) return undefined;
  const secret = variableOrFile(variable, environment);
  if (secret !== undefined) return secret.trim();
  throw new UsageError('no_secret', message('secret_missing', { variable }), {
    actions: [{ do: 'byHand', label: message('set_secret', { variable }) }],
  });
}

/** The password of a mail or SFTP server. @throws UsageError as `secretFrom` */
export function passwordOf(
  names: { passwordEnv?: string | undefined; passwordFile?: string | undefined },
  context: ConnectionContext,
): string | undefined {
  return secretFrom({ variable: names.passwordEnv, file: names.passwordFile }, context);
}

/** Reads a file named in the configuration. Only its owner may have access to a secret file. */
export function readConfigured(
  file: string,
  { configFolder }: Pick<ConnectionContext, 'configFolder'>,
  secret: boolean,
): string {
  const path = resolve(configFolder, file);
  return secret ? readKeyFile(path) : readFileSync(path, 'utf8');
}
