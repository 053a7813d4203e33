/**
 * Outages: the API, the store, a mail server or room on a disk is unavailable.
 *
 * An outage is not the run's fault, so it does not count as a try until it has lasted for days. A monthly job has to
 * survive it.
 */
import { isOutage } from '../api/outage.ts';
import { ShelfliftError } from '../base/errors.ts';
import { isStoreAway } from '../ledger/store-away.ts';

/** Codes of Node and nodemailer for a server that does not answer, or a full disk. */
const AWAY = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNECTION',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EDNS',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTCONN',
  // A share whose server is gone, and a disk that was removed.
  'EIO',
  'ENODEV',
  'EPIPE',
  'ESTALE',
  'ENOSPC',
  'EDQUOT',
]);
const AWAY_OURS = new Set<string>(['disk_full', 'remote_away', 'folder_away', 'changes_undelivered']);
/** RFC 5321, 4.2.3: the mail server is shutting down. */
const SMTP_CLOSING = 421;
/** Maximum interval of retries, so that a run continues soon after the outage ends. */
const MAX_WAIT_MS = 600_000;
/** Shorter outages are not reported. */
export const REPORTED_AFTER_MS = 300_000;

export function isAway(error: unknown): boolean {
  if (isOutage(error) || isStoreAway(error)) return true;
  if (error instanceof ShelfliftError && AWAY_OURS.has(error.code)) return true;
  if (!(error instanceof Error)) return false;
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  if (responseCode === SMTP_CLOSING || (typeof code === 'string' && AWAY.has(code))) return true;
  return error.cause !== undefined && isAway(error.cause);
}

/** Waits as long as the outage has lasted so far, which doubles the wait each time. @returns ms */
export function outageWait(sinceMs: number, nowMs: number, leastMs: number): number {
  return Math.max(leastMs, Math.min(nowMs - sinceMs, MAX_WAIT_MS));
}
