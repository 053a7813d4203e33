/** What the server or the connection said, as one of our errors with its remedy; and what may be tried again. */
import { ERROR_CATALOGUE } from '../../error-catalogue.ts';
import { ShelfliftError, UsageError } from '../../errors.ts';

/** SQLSTATE of PostgreSQL, an errno of the system, or undefined where the driver says it in words only. */
export function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
}

/** The driver's own words for a connection that ended: it gives these no code. */
const LOST_WORDS =
  /^(Connection terminated|Client has encountered a connection error|Query read timeout|timeout expired|timeout exceeded when trying to connect|The server does not support SSL)/;

/**
 * True where the connection or the server went away, so that nobody knows whether the statement was committed.
 *
 * 57P01–57P03: shut down, crashed, starting up. 53300: no connection free. 25006: the server is a standby now.
 * 08…: the connection's own class. E…: the system's. The last four: TLS, before anything was said.
 */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error);
  if (code === undefined) return error instanceof Error && LOST_WORDS.test(error.message);
  return (
    /^(08|57P0[123]$|53300$|25006$|E[A-Z]{3,}$|ERR_TLS|ERR_SSL|UNABLE_TO_)/.test(code) ||
    code.includes('CERT')
  );
}

/** True where the server undid the whole statement because of another one, and asks to try again. */
export function isUndone(error: unknown): boolean {
  const code = codeOf(error);
  // Also the claim to an item by two at once: at the second try, the other's claim is there to be seen.
  return code === '40001' || code === '40P01' || isContestedItem(error);
}

function isContestedItem(error: unknown): boolean {
  return codeOf(error) === '23505' && (error as { constraint?: string }).constraint === 'rows_owned';
}

/** @param shown the store's address without its password */
export function postgresError(cause: unknown, shown: string): ShelfliftError {
  if (cause instanceof ShelfliftError) return cause;
  const code = codeOf(cause);
  const words = cause instanceof Error && cause.message !== '' ? cause.message : (code ?? String(cause));
  const usage = (ours: 'store_unauthorised' | 'store_no_database' | 'store_no_rights') =>
    new UsageError(ours, `the store ${shown}: ${words}`, { cause, remedy: ERROR_CATALOGUE[ours].remedy });
  switch (code) {
    case '28000':
    case '28P01':
      return usage('store_unauthorised');
    case '3D000':
      return usage('store_no_database');
    case '42501':
      return usage('store_no_rights');
    case '55P03':
      return new ShelfliftError('store_locked', `the store ${shown}: ${words}`, {
        cause,
        remedy: ERROR_CATALOGUE.store_locked.remedy,
      });
    case '53100':
      return new ShelfliftError('disk_full', `the disk of the store ${shown} is full`, {
        cause,
        remedy: ERROR_CATALOGUE.disk_full.remedy,
      });
    default:
  }
  if (isConnectionLost(cause)) {
    return new ShelfliftError('store_unreachable', `the store ${shown} cannot be reached: ${words}`, {
      cause,
      remedy: ERROR_CATALOGUE.store_unreachable.remedy,
    });
  }
  return new ShelfliftError('store_failed', `the store ${shown} failed: ${words}`, { cause });
}
