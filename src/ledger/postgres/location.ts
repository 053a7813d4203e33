/** The address of a PostgreSQL store: for the driver, the schema, and for messages. */
import { UsageError } from '../../errors.ts';

export interface PostgresLocation {
  /** For the driver: without shelflift's own parameters. Contains the password. */
  url: string;
  /** Schema of the tables (`?schema=`; default shelflift). */
  schema: string;
  /** How long a statement waits for a lost server, ms (`?reconnect=` in seconds), if the address says so. */
  reconnectMs?: number;
  /** The same address without its secrets, for messages. */
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
    throw bad(
      'The address of the PostgreSQL store cannot be read.',
      'In user, password and parameters, write @ : / # ? as %40 %3A %2F %23 %3F.',
    );
  }
  const schema = url.searchParams.get('schema') ?? DEFAULT_SCHEMA;
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) {
    throw bad(
      `${shown}: the schema is "${schema}", expected lower-case letters, digits and _, such as shelflift.`,
      'Name another schema, or leave it out.',
    );
  }
  const reconnect = url.searchParams.get('reconnect');
  const seconds = Number(reconnect ?? 0);
  if (!Number.isFinite(seconds) || seconds < 0) {
    throw bad(`${shown}: reconnect is not a number of seconds.`, 'Write ?reconnect=30, or leave it out.');
  }
  url.searchParams.delete('schema');
  url.searchParams.delete('reconnect');
  return { url: url.href, schema, shown, ...(reconnect === null ? {} : { reconnectMs: seconds * 1000 }) };
}

/**
 * Undefined also if an @ comes after the host: then the password contains / ? # or @ unescaped, and what was parsed as
 * the host, and would be shown, is part of it.
 */
function parse(location: string): URL | undefined {
  const url = URL.parse(location) ?? undefined;
  const behindHost = location.replace(/^[^:]*:\/*[^/?#]*/, '');
  return behindHost.includes('@') ? undefined : url;
}

function bad(message: string, remedy: string): UsageError {
  return new UsageError('bad_store_url', message, {
    remedy: `${remedy} The form is postgres://user:password@host:5432/database.`,
  });
}
