/** The address of a PostgreSQL store, in the forms for the driver and for messages. */
import { UsageError } from '../../base/errors.ts';
import { byHand, message } from '../../messages/message.ts';
import type { ByHand, Message } from '../../messages/params.ts';

export interface PostgresLocation {
  /** For the driver: without shelflift's own parameters. It contains the password. */
  url: string;
  /** Schema of the tables (`?schema=`; default shelflift). */
  schema: string;
  /**
   * How long a statement waits for a lost server, ms (`?reconnect=` in seconds); absent if the address does not say.
   */
  reconnectMs?: number;
  /** The address without its secrets, for messages. */
  shown: string;
}

const DEFAULT_SCHEMA = 'shelflift';
const SECRETS = ['password', 'sslpassword'];

export function isPostgresLocation(location: string): boolean {
  return /^postgres(ql)?:/i.test(location);
}

/** The location without its password: safe in messages, logs and files. A path is returned unchanged. */
export function withoutPassword(location: string): string {
  if (!isPostgresLocation(location)) return location;
  const url = parse(location);
  // If it cannot be parsed, the secret may be anywhere.
  if (url === undefined) return 'postgres://…';
  url.password = '';
  for (const name of SECRETS) url.searchParams.delete(name);
  return url.href;
}

/** @throws UsageError `bad_store_url`; its message never repeats the password */
export function parsePostgresLocation(location: string): PostgresLocation {
  const shown = withoutPassword(location);
  const url = parse(location);
  if (url === undefined) {
    throw bad(message('store_address_unreadable', {}), byHand('escape_in_address', {}));
  }
  const schema = url.searchParams.get('schema') ?? DEFAULT_SCHEMA;
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) {
    throw bad(message('bad_schema', { store: shown, schema }), byHand('name_schema_or_none', {}));
  }
  const reconnect = url.searchParams.get('reconnect');
  const seconds = Number(reconnect ?? 0);
  if (!Number.isFinite(seconds) || seconds < 0) {
    throw bad(message('bad_reconnect', { store: shown }), byHand('write_reconnect', {}));
  }
  url.searchParams.delete('schema');
  url.searchParams.delete('reconnect');
  return { url: url.href, schema, shown, ...(reconnect === null ? {} : { reconnectMs: seconds * 1000 }) };
}

/**
 * Also undefined if an @ follows the host: then the password contains an unescaped / ? # or @, and the text parsed as
 * the host, which would be shown, is part of the password.
 */
function parse(location: string): URL | undefined {
  const url = URL.parse(location) ?? undefined;
  const behindHost = location.replace(/^[^:]*:\/*[^/?#]*/, '');
  return behindHost.includes('@') ? undefined : url;
}

function bad(said: Message, advice: ByHand): UsageError {
  return new UsageError('bad_store_url', said, { actions: [advice, byHand('form_of_store_address', {})] });
}
