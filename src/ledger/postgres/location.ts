/** A PostgreSQL store's address: what the driver is given, which schema is ours, and what people may see. */
import { UsageError } from '../../errors.ts';

export interface PostgresLocation {
  /** For the driver: without parameters of ours. Holds the password. */
  url: string;
  /** Our tables live in a schema of their own (`?schema=`; default shelflift). */
  schema: string;
  /** How long a statement waits for a server that went away, ms (`?reconnect=` in seconds), where the address says it. */
  reconnectMs?: number;
  /** The same address without its secrets, for messages. */
  shown: string;
}

const DEFAULT_SCHEMA = 'shelflift';
const SECRETS = ['password', 'sslpassword'];

export function isPostgresLocation(location: string): boolean {
  return /^postgres(ql)?:/i.test(location);
}

/** The location without its password: safe in messages, logs and files. A path is given back as it is. */
export function withoutPassword(location: string): string {
  if (!isPostgresLocation(location)) return location;
  const url = parse(location);
  // What cannot be read as an address might hold a secret anywhere.
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
    throw bad(
      'the address of the PostgreSQL store cannot be read',
      'A user, password or parameter with characters such as @ : / # ? is written with %40 %3A %2F %23 %3F.',
    );
  }
  const schema = url.searchParams.get('schema') ?? DEFAULT_SCHEMA;
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) {
    throw bad(
      `${shown}: the schema is "${schema}", expected small letters, digits and _, such as shelflift`,
      'Name another schema, or leave it out.',
    );
  }
  const reconnect = url.searchParams.get('reconnect');
  const seconds = Number(reconnect ?? 0);
  if (!Number.isFinite(seconds) || seconds < 0) {
    throw bad(`${shown}: reconnect is no number of seconds`, 'Write ?reconnect=30, or leave it out.');
  }
  url.searchParams.delete('schema');
  url.searchParams.delete('reconnect');
  return { url: url.href, schema, shown, ...(reconnect === null ? {} : { reconnectMs: seconds * 1000 }) };
}

/**
 * Undefined also where an @ comes after the host: then a password holds / ? # or @ as they are, what was read as the
 * host is a part of it, and so is whatever would be shown.
 */
function parse(location: string): URL | undefined {
  const url = URL.parse(location) ?? undefined;
  const behindHost = location.replace(/^[^:]*:\/*[^/?#]*/, '');
  return behindHost.includes('@') ? undefined : url;
}

function bad(message: string, remedy: string): UsageError {
  return new UsageError('bad_store_url', message, {
    remedy: `${remedy} The form is postgres://user:password@host:5432/database`,
  });
}
