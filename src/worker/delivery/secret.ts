/** Passwords of mail and SFTP servers: from a variable or a file, as keys are. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '../../errors.ts';
import { readKeyFile } from '../../key-file.ts';
import type { Place } from './place.ts';

/** @throws UsageError `no_secret`, and those of key files */
export function secretOf(
  names: { passwordEnv?: string | undefined; passwordFile?: string | undefined },
  { environment, configFolder }: Place,
): string | undefined {
  if (names.passwordFile !== undefined) return readKeyFile(resolve(configFolder, names.passwordFile)).trim();
  if (names.passwordEnv === undefined) return undefined;
  const secret = environment[names.passwordEnv];
  if (secret !== undefined && secret !== '') return secret;
  throw new UsageError('no_secret', `the password is taken from ${names.passwordEnv}, which is not set`, {
    remedy: `Set ${names.passwordEnv}, or use passwordFile.`,
  });
}

/** A file named in the configuration; only its owner may read it where it is secret. */
export function readConfigured(file: string, { configFolder }: Place, secret: boolean): string {
  const path = resolve(configFolder, file);
  return secret ? readKeyFile(path) : readFileSync(path, 'utf8');
}
