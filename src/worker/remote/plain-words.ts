/** Explains errors of the system and of connections to the reader of an e-mail. */
import { ShelfliftError } from '../../base/errors.ts';
import { adviceOf, english, message } from '../../messages/message.ts';
import type { Action, Message } from '../../messages/params.ts';
import type { Say } from '../../messages/texts.ts';
import { systemCode } from '../../sheets/file-error.ts';

const CODES = {
  ECONNREFUSED: 'net_refused',
  ECONNRESET: 'net_broken',
  EPIPE: 'net_broken',
  ECONNECTION: 'net_silent',
  ETIMEDOUT: 'net_silent',
  EHOSTUNREACH: 'net_unreachable',
  EHOSTDOWN: 'net_unreachable',
  ENETUNREACH: 'net_unreachable',
  ENOTFOUND: 'net_unknown',
  EAI_AGAIN: 'net_no_lookup',
  EDNS: 'net_no_lookup',
  EAUTH: 'net_login',
  ENOENT: 'net_missing',
  ENOTDIR: 'net_below_file',
  EACCES: 'net_not_allowed',
  EPERM: 'net_not_allowed',
  EROFS: 'net_read_only',
  ENOSPC: 'net_disk_full',
  EDQUOT: 'net_quota',
  EIO: 'net_disk_silent',
  ESTALE: 'net_remounted',
  ENOTCONN: 'net_not_connected',
} as const;

/** Why something failed, and what can be done. */
export interface Reason {
  said: Message;
  actions: readonly Action[];
}

/** Explains an error; uses the system's own words only if shelflift has no text for it. */
export function reasonOf(error: unknown): Reason {
  if (!(error instanceof Error)) return plain(String(error));
  const { message: text, cause } = error;
  if (error instanceof ShelfliftError) {
    const { said, actions } = error;
    return { said, actions };
  }
  const code = systemCode(error) ?? '';
  // Only the system's own words, which contain its code, are replaced.
  const known = Object.hasOwn(CODES, code) && (text === '' || text.includes(code));
  const { path, host, hostname, address, syscall } = error as { [key: string]: unknown } & Error;
  if (code === 'ENOTDIR' && syscall === 'mkdir')
    return { said: message('file_not_folder', { path: String(path) }), actions: [] };
  const where = [path, host, hostname, address].find((each) => typeof each === 'string');
  if (known) {
    const place = typeof where === 'string' ? verbatim(where) : message('the_server', { detail: text });
    return { said: message(CODES[code as keyof typeof CODES], { where: place }), actions: [] };
  }
  return text !== '' || cause === undefined ? plain(text) : reasonOf(cause);
}

/** The same in English sentences. */
export function plainWords(error: unknown): string {
  return reasonText(reasonOf(error));
}

/** A reason and what can be done, in sentences. */
export function reasonText({ said, actions }: Reason, say: Say = english): string {
  const advice = adviceOf(actions, say);
  return advice === undefined ? say(said) : `${say(said)} ${advice}`;
}

function plain(text: string): Reason {
  return { said: verbatim(text), actions: [] };
}

function verbatim(text: string): Message {
  return message('verbatim', { text });
}
