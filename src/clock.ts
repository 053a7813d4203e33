/**
 * Time as a dependency, so that pacing and settling can be tested on a simulated clock.
 */
export interface Clock {
  /** Milliseconds since the epoch. Used to wait and to display, never to order what a server did. */
  now(): number;
  /** Monotonic milliseconds, for measuring durations. */
  monotonic(): number;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls back after `ms`; the returned function cancels it. */
  after(ms: number, callback: () => void): () => void;
}

/** The longest delay of a Node timer (2^31 − 1 ms). Callers wait again for longer ones. */
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
