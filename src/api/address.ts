/** Validates and normalises the base address. */
import { UsageError } from '../base/errors.ts';
import { API_PREFIX } from './schemas.ts';
import { byHand, message } from '../messages/message.ts';
import type { Message } from '../messages/params.ts';

/**
 * Checks and normalises a base address. The API's prefix at its end is removed.
 *
 * @returns the address without a trailing slash and without `/api/public/v1`
 * @throws UsageError `bad_address`, `insecure_address`
 */
export function normaliseAddress(text: string): string {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw bad(message('not_an_address', { text }));
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw bad(message('address_without_https', { protocol: url.protocol }));
  }
  if (url.username !== '' || url.password !== '') {
    throw bad(message('address_with_password', {}));
  }
  if (url.search !== '' || url.hash !== '') {
    throw bad(message('address_with_query', {}));
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new UsageError('insecure_address', message('insecure_address', { host: url.hostname }), {
      actions: [byHand('use_https', { host: url.host })],
    });
  }
  let path = url.pathname.replace(/\/+$/, '');
  if (path.endsWith(API_PREFIX)) path = path.slice(0, -API_PREFIX.length);
  return url.origin + path;
}

function bad(said: Message): UsageError {
  return new UsageError('bad_address', said, { actions: [byHand('give_base_address', {})] });
}

/** True for a host that is on this machine, where a secret may be sent unencrypted. */
export function isLoopback(host: string): boolean {
  return /^(localhost|::1|\[::1\]|127(\.\d{1,3}){3})$/i.test(host);
}
