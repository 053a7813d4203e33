/** Validates and normalises the base address. */
import { UsageError } from '../errors.ts';
import { API_PREFIX } from './schemas.ts';

/**
 * Checks and normalises a base address. The API's prefix at its end is removed.
 *
 * @returns the address without a trailing slash and without `/api/public/v1`
 * @throws UsageError `bad_address`, `insecure_address`
 */
export function normaliseAddress(text: string): string {
  const remedy = 'Give the base address, such as https://inventory.example.com (without /api/public/v1).';
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new UsageError('bad_address', `"${text}" is not an address.`, { remedy });
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new UsageError('bad_address', `The address begins with "${url.protocol}"; expected https:.`, {
      remedy,
    });
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError('bad_address', 'The address contains a user name or password.', { remedy });
  }
  if (url.search !== '' || url.hash !== '') {
    throw new UsageError('bad_address', 'The address contains a query or a fragment.', { remedy });
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new UsageError(
      'insecure_address',
      `http:// would send the key to ${url.hostname} unencrypted. shelflift accepts only https beyond this machine.`,
      { remedy: `Use https://${url.host} instead.` },
    );
  }
  let path = url.pathname.replace(/\/+$/, '');
  if (path.endsWith(API_PREFIX)) path = path.slice(0, -API_PREFIX.length);
  return url.origin + path;
}

/** True for a host that is this machine, where a secret may be sent unencrypted. */
export function isLoopback(host: string): boolean {
  return /^(localhost|::1|\[::1\]|127(\.\d{1,3}){3})$/i.test(host);
}
