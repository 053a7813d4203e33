/**
 * Time as something that is handed in, so that pacing and settling can be tested on a simulated clock.
 */
export interface Clock {
  /** Milliseconds since the epoch. Never used to order what a server did: only to wait, and to show. */
  now(): number;
  /** Milliseconds that never jump, for measuring how long something took. */
  monotonic(): number;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls back after `ms`; the returned function takes that back. */
  after(ms: number, callback: () => void): () => void;
}

/** The longest that one timer of Node can run (2^31 − 1 ms); longer waits are made of several. */
const LONGEST_TIMER_MS = 2_147_483_647;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason as Error);
        return;
      }
      const onAbort = () => {
        clearTimeout(timer);
        reject(signal?.reason as Error);
      };
      const timer = setTimeout(
        () => {
          signal?.removeEventListener('abort', onAbort);
          resolve();
        },
        Math.min(Math.max(0, ms), LONGEST_TIMER_MS),
      );
      signal?.addEventListener('abort', onAbort, { once: true });
    }),
  after: (ms, callback) => {
    const timer = setTimeout(callback, Math.min(Math.max(0, ms), LONGEST_TIMER_MS));
    return () => clearTimeout(timer);
  },
};
