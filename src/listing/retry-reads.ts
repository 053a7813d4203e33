/** Retries reads during an outage. The client itself waits out 429s; a read can always be sent again. */
import type { ApiError } from '../api/errors.ts';
import { type OutageWaits, ReadFailures } from '../api/outage.ts';
import type { Clock } from '../base/clock.ts';

const FIRST_WAIT_MS = 250;
const MAX_WAIT_MS = 15_000;

export interface RetryOptions {
  clock: Clock;
  patience: OutageWaits;
  signal?: AbortSignal;
  /** Called before each wait: the number of the next try, and the wait in ms. */
  onRetry?: (error: ApiError, tryNumber: number, waitMs: number) => void;
}

/** The reads of one run: how long each is retried depends on whether any was ever answered. */
export class RetriedReads {
  readonly #options: RetryOptions;
  #reached = false;

  constructor(options: RetryOptions) {
    this.#options = options;
  }

  /**
   * Calls `read` until it succeeds, waiting 250 ms, 500 ms … 15 s.
   *
   * @throws the last error once it has failed for too long; at once, an error that another try would not change
   * (401, 403, 400, a redirect), such as a response that breaks the contract in the same way as the one before
   */
  async read<T>(read: () => Promise<T>): Promise<T> {
    const { clock, patience, signal, onRetry } = this.#options;
    let failingSince: number | undefined;
    const failures = new ReadFailures();
    for (let tryNumber = 1; ; tryNumber += 1) {
      try {
        const value = await read();
        this.#reached = true;
        return value;
      } catch (error) {
        if (!failures.mayPass(error)) throw error;
        const now = clock.monotonic();
        failingSince ??= now;
        const most = this.#reached ? patience.outageMs : patience.neverReachedMs;
        const left = most - (now - failingSince);
        if (left <= 0) throw error;
        const waitMs = Math.min(FIRST_WAIT_MS * 2 ** Math.min(tryNumber - 1, 10), MAX_WAIT_MS, left);
        onRetry?.(error, tryNumber + 1, waitMs);
        await clock.sleep(waitMs, signal);
      }
    }
  }
}
