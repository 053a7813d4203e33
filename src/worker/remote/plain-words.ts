/** Errors of the system and of connections, as an accountant reads them in a mail. */
import { ShelfliftError } from '../../errors.ts';
import { systemCode } from '../../sheets/file-error.ts';

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refuses the connection',
  ECONNRESET: 'broke the connection off',
  EPIPE: 'broke the connection off',
  ECONNECTION: 'did not answer',
  ETIMEDOUT: 'does not answer',
  EHOSTUNREACH: 'cannot be reached',
  EHOSTDOWN: 'cannot be reached',
  ENETUNREACH: 'cannot be reached',
  ENOTFOUND: 'is not known: check the spelling, and the network',
  EAI_AGAIN: 'cannot be looked up: check the network',
  EDNS: 'cannot be looked up: check the network',
  EAUTH: 'did not accept the name or the password',
  ENOENT: 'does not exist',
  ENOTDIR: 'is below a file, not a folder',
  EACCES: 'cannot be written: this user may not',
  EPERM: 'cannot be written: this user may not',
  EROFS: 'cannot be written: the disk is read-only',
  ENOSPC: 'cannot be written: the disk is full',
  EDQUOT: 'cannot be written: the quota is used up',
  EIO: 'cannot be written: the disk or share does not answer',
  ESTALE: 'cannot be written: the share was mounted anew',
  ENOTCONN: 'cannot be written: the share is not connected',
};

/** A sentence; with the system's own words only where we have none. */
export function plainWords(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  if (error instanceof ShelfliftError) {
    const { remedy } = error;
    return remedy === undefined ? message : `${message} ${remedy}`;
  }
  const code = systemCode(error) ?? '';
  // Only the system's own words, which hold its code, are put in others.
  const words = message === '' || message.includes(code) ? WORDS[code] : undefined;
  const { path, host, hostname, address } = error as { [key: string]: unknown } & Error;
  const where = [path, host, hostname, address].find((each) => typeof each === 'string');
  if (words !== undefined && typeof where === 'string') return `${where} ${words}.`;
  if (words !== undefined) return `The server ${words} (${message}).`;
  return message !== '' || cause === undefined ? message : plainWords(cause);
}
