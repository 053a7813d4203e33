/** The one rule for outages of the API: its definition, and how long each command waits for the end. */
import { ApiError, MisfitResponseError } from './errors.ts';

/** How long an outage may last (design §2, Waiting). */
export interface OutageWaits {
  /** Before the first answer of the API in this run. */
  neverReachedMs: number;
  /** After its first answer. */
  outageMs: number;
}

export interface Waits extends OutageWaits {
  /** Wait for the end of a rate limit, as asked by the server. */
  limitedMs: number;
}

export const WAITS: Waits = { neverReachedMs: 30_000, outageMs: 600_000, limitedMs: 86_400_000 };

/** @param waitMs `--wait`, which sets all waits */
export function waitsOf(waitMs?: number): Waits {
  return waitMs === undefined ? WAITS : { neverReachedMs: waitMs, outageMs: waitMs, limitedMs: waitMs };
}

/**
 * No answer, a 5xx, or a 2xx that cannot be read: a proxy's page, or a truncated body. Redirects and JSON that breaks
 * the contract do not count, because they would be the same next time.
 */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof ApiError) || error instanceof MisfitResponseError) return false;
  if (error.code === 'unreachable' || error.code === 'timeout') return true;
  if (error.code !== 'unexpected_response') return false;
  return error.status === undefined || error.status >= 500 || error.status < 300;
}

/** The failed tries of one read: a read whose answer breaks the contract is repeated once. */
export class ReadFailures {
  #misfit: string | undefined;

  /** True if another try may succeed. */
  mayPass(error: unknown): error is ApiError {
    const before = this.#misfit;
    // Without the position on the page, because entries move between two tries.
    this.#misfit = error instanceof MisfitResponseError ? error.message.replaceAll(/\d+/g, '#') : undefined;
    return isOutage(error) || (this.#misfit !== undefined && this.#misfit !== before);
  }
}
