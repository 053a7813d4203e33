/**
 * What cannot be reached is waited for; what answers and fails is tried again, and parked after some tries.
 *
 * A server that restarts, a network that is away, a full disk say nothing about the run that met them, and a job that
 * is to happen once a month must outlast them. So they use up no try until they have lasted for days.
 */
import { ApiError } from '../api/errors.ts';
import { ShelfliftError } from '../errors.ts';
import { isStoreAway } from '../ledger/store-away.ts';

/** Of Node and of nodemailer: nobody answers there, or there is no room. */
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
  'EPIPE',
  'ESTALE',
  'ENOSPC',
  'EDQUOT',
]);
/** RFC 9110, 15.6.3–5: the one who answers says that it is not the service. */
const GATEWAY: readonly (number | undefined)[] = [502, 503, 504];
/** RFC 5321, 4.2.3: the mail server closes. */
const SMTP_CLOSING = 421;
/** However long it has lasted: who is back is found soon. */
const LONGEST_WAIT_MS = 600_000;
/** A shorter outage is nobody's business. */
export const TOLD_AFTER_MS = 900_000;

export function isOutage(error: unknown): boolean {
  if (error instanceof ApiError && error.code === 'unexpected_response')
    return GATEWAY.includes(error.status);
  if (isStoreAway(error)) return true;
  if (error instanceof ShelfliftError && ['unreachable', 'timeout', 'disk_full'].includes(error.code))
    return true;
  if (!(error instanceof Error)) return false;
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  if (responseCode === SMTP_CLOSING || (typeof code === 'string' && AWAY.has(code))) return true;
  return error.cause !== undefined && isOutage(error.cause);
}

/** Another look after as long as it has lasted so far, ms: that doubles by itself. */
export function outageWait(since: number, now: number, leastMs: number): number {
  return Math.max(leastMs, Math.min(now - since, LONGEST_WAIT_MS));
}
