/** What deliveries need from outside: paths, variables, passwords, the mail server. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '../../errors.ts';
import { readKeyFile } from '../../key-file.ts';
import type { Smtp } from '../config/schema.ts';
import type { Period } from '../schedule/file-pattern.ts';

export interface Place {
  /** Relative paths start here. */
  configFolder: string;
  environment: Record<string, string | undefined>;
  smtp: Smtp | undefined;
}

/** A file to deliver, with its manifest. */
export interface Parcel {
  /** The name at the target; it may contain folders. The manifest goes beside it. */
  name: string;
  /** Absolute paths on this machine: the file first, then its manifest. */
  files: string[];
  /** Unique to this run and delivery. A repeated delivery has the same key. */
  key: string;
  /** For the subject of an e-mail. */
  schedule: string;
  period: Period;
}

/**
 * The password of a mail or SFTP server, from a variable or a file.
 * @throws UsageError `no_secret`, and the errors of key files
 */
export function secretOf(
  names: { passwordEnv?: string | undefined; passwordFile?: string | undefined },
  { environment, configFolder }: Place,
): string | undefined {
  if (names.passwordFile !== undefined) return readKeyFile(resolve(configFolder, names.passwordFile)).trim();
  if (names.passwordEnv === undefined) return undefined;
  const secret = environment[names.passwordEnv];
  if (secret !== undefined && secret !== '') return secret;
  throw new UsageError(
    'no_secret',
    `The configuration takes a password from ${names.passwordEnv}, which is not set.`,
    {
      remedy: `Set ${names.passwordEnv}, or use passwordFile.`,
    },
  );
}

/** Reads a file named in the configuration. Only its owner may have access to a secret file. */
export function readConfigured(file: string, { configFolder }: Place, secret: boolean): string {
  const path = resolve(configFolder, file);
  return secret ? readKeyFile(path) : readFileSync(path, 'utf8');
}
