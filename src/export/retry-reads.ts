/** Tries of a read that met an outage. 429s are the client's to wait out; a read may always be sent again. */
import { ApiError } from '../api/errors.ts';
import type { Clock } from '../clock.ts';

/** Sends of one read, the first among them. */
const MOST_TRIES = 5;
const FIRST_WAIT_MS = 250;

export interface RetryOptions {
  clock: Clock;
  signal?: AbortSignal;
  /** Told before each wait: which try comes next, and after how many ms. */
  onRetry?: (error: ApiError, tryNumber: number, waitMs: number) => void;
}

/**
 * Calls `read` until it succeeds, five times at most, waiting 250 ms, then 500 ms, 1 s and 2 s.
 * @throws the last error, or at once one that another try would not mend (401, 403, 400, a redirect)
 */
export async function retryRead<T>(read: () => Promise<T>, options: RetryOptions): Promise<T> {
  for (let tryNumber = 1; ; tryNumber += 1) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof ApiError) || !isOutage(error) || tryNumber === MOST_TRIES) throw error;
      const waitMs = FIRST_WAIT_MS * 2 ** (tryNumber - 1);
      options.onRetry?.(error, tryNumber + 1, waitMs);
      await options.clock.sleep(waitMs, options.signal);
    }
  }
}

/** No answer, a 5xx, or a 2xx that broke off; a 3xx will be the same next time. */
function isOutage(error: ApiError): boolean {
  if (error.code === 'unreachable' || error.code === 'timeout') return true;
  if (error.code !== 'unexpected_response') return false;
  return error.status === undefined || error.status >= 500 || error.status < 300;
}
