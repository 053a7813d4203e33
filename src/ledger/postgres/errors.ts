/** Turns errors of the server and the connection into shelflift's errors, and says which statements may be retried. */
import { ShelfliftError, UsageError } from '../../base/errors.ts';
import { message } from '../../messages/message.ts';
import { storeActions } from '../store-actions.ts';

/** PostgreSQL's SQLSTATE or the system's errno; undefined if the driver gives only a message. */
export function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
}

/** The driver's messages for a lost connection, which have no code. */
const LOST_WORDS =
  /^(Connection terminated|Client has encountered a connection error|Query read timeout|timeout expired|timeout exceeded when trying to connect|The server does not support SSL)/;

/**
 * True if the connection or the server was lost, so that nobody knows whether the statement was committed.
 *
 * 57P01–57P03: shut down, crashed, starting up. 53300: no connection free. 25006: the server is a standby now. 08…: the
 * class of connection errors. E…: the system's. The last four: TLS, before any statement was sent.
 */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error);
  if (code === undefined) return error instanceof Error && LOST_WORDS.test(error.message);
  return (
    /^(08|57P0[123]$|53300$|25006$|E[A-Z]{3,}$|ERR_TLS|ERR_SSL|UNABLE_TO_)/.test(code) ||
    code.includes('CERT')
  );
}

/** True if the server aborted the whole statement because of a concurrent one: retry it. */
export function isUndone(error: unknown): boolean {
  const code = codeOf(error);
  // This includes two rows that claim an item at once: the retry sees the other row's claim.
  return code === '40001' || code === '40P01' || isContestedItem(error);
}

function isContestedItem(error: unknown): boolean {
  return codeOf(error) === '23505' && (error as { constraint?: string }).constraint === 'rows_owned';
}

/** @param store the store's address without its password */
export function postgresError(cause: unknown, store: string): ShelfliftError {
  if (cause instanceof ShelfliftError) return cause;
  const code = codeOf(cause);
  const words = cause instanceof Error && cause.message !== '' ? cause.message : (code ?? String(cause));
  const usage = (ours: 'store_unauthorized' | 'store_no_database' | 'store_no_rights') =>
    new UsageError(ours, message('store_says', { store, words }), { cause, actions: storeActions(ours) });
  switch (code) {
    case '28000':
    case '28P01':
      return usage('store_unauthorized');
    case '3D000':
      return usage('store_no_database');
    case '42501':
      return usage('store_no_rights');
    case '55P03':
      return new ShelfliftError('store_locked', message('store_says', { store, words }), {
        cause,
        actions: storeActions('store_locked'),
      });
    case '53100':
      return new ShelfliftError('disk_full', message('store_disk_full', { store }), {
        cause,
        actions: storeActions('disk_full'),
      });
    default:
  }
  if (isConnectionLost(cause)) {
    return new ShelfliftError('store_unreachable', message('store_unreachable', { store, words }), {
      cause,
      actions: storeActions('store_unreachable'),
    });
  }
  return new ShelfliftError('store_failed', message('store_failed', { store, words }), { cause });
}
