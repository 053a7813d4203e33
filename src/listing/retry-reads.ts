/** Tries of reads that met an outage. 429s are the client's to wait out; a read may always be sent again. */
import { ApiError, MisfitResponseError } from '../api/errors.ts';
import type { Clock } from '../clock.ts';

/** How long an outage may last, ms (design §2, Waiting). */
export interface Patience {
  /** While nothing was ever answered in this run. Default 30 s. */
  neverReachedMs: number;
  /** In the middle. Default 10 minutes. */
  outageMs: number;
}

export const DEFAULT_PATIENCE: Patience = { neverReachedMs: 30_000, outageMs: 600_000 };

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 15_000;

export interface RetryOptions {
  clock: Clock;
  patience: Patience;
  signal?: AbortSignal;
  /** Told before each wait: which try comes next, and after how many ms. */
  onRetry?: (error: ApiError, tryNumber: number, waitMs: number) => void;
}

/** The reads of one run: whether any of them was ever answered decides how long the others wait. */
export class RetriedReads {
  readonly #options: RetryOptions;
  #reached = false;

  constructor(options: RetryOptions) {
    this.#options = options;
  }

  /**
   * Calls `read` until it succeeds, after 250 ms, 500 ms … 15 s.
   * @throws the last error once it has failed for too long, or at once one that another try would not mend (401,
   * 403, 400, a redirect), such as an answer that does not fit the contract in the same way as the one before it
   */
  async read<T>(read: () => Promise<T>): Promise<T> {
    const { clock, patience, signal, onRetry } = this.#options;
    let failingSince: number | undefined;
    let misfit: string | undefined;
    for (let tryNumber = 1; ; tryNumber += 1) {
      try {
        const value = await read();
        this.#reached = true;
        return value;
      } catch (error) {
        if (!(error instanceof ApiError) || !isOutage(error)) throw error;
        const before = misfit;
        misfit = misfitOf(error);
        if (misfit !== undefined && misfit === before) throw error;
        const now = clock.monotonic();
        failingSince ??= now;
        const most = this.#reached ? patience.outageMs : patience.neverReachedMs;
        const left = most - (now - failingSince);
        if (left <= 0) throw error;
        const waitMs = Math.min(FIRST_WAIT_MS * 2 ** Math.min(tryNumber - 1, 10), LONGEST_WAIT_MS, left);
        onRetry?.(error, tryNumber + 1, waitMs);
        await clock.sleep(waitMs, signal);
      }
    }
  }
}

/** What does not fit, wherever on the page it stands: entries move between two tries. */
function misfitOf(error: ApiError): string | undefined {
  return error instanceof MisfitResponseError ? error.message.replaceAll(/\d+/g, '#') : undefined;
}

/** No answer, a 5xx, or a 2xx that broke off; a 3xx will be the same next time. */
function isOutage(error: ApiError): boolean {
  if (error.code === 'unreachable' || error.code === 'timeout') return true;
  if (error.code !== 'unexpected_response') return false;
  return error.status === undefined || error.status >= 500 || error.status < 300;
}
