/** Time as a dependency, so that pacing and settling can be tested on a simulated clock. */
import { uptime } from 'node:os';

export interface Clock {
  /** Milliseconds since the epoch. Used for waiting and displaying, never to order a server's events. */
  now(): number;
  /** Monotonic milliseconds, for durations. The clock may stop while the machine sleeps. */
  monotonic(): number;
  /** When this process began. */
  readonly begun: Moment;
  /** How long the machine has slept since this process began, ms, to within two seconds. */
  slept(): number;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls back after `ms`; the returned function cancels it. */
  after(ms: number, callback: () => void): () => void;
}

/** The longest delay of a Node timer (2^31 − 1 ms). Callers wait again for longer ones. */
const MAX_TIMER_MS = 2_147_483_647;

/** A moment of this process, for measurements that must not be too short (`msSince`). */
export interface Moment {
  now: number;
  monotonic: number;
}

/** If they are adjusted, the clocks of one machine drift apart by less than this between two readings. */
export const DRIFT_MS = 1_000;

/** @param agoMs how long ago the moment was */
export function momentOf(clock: Pick<Clock, 'now' | 'monotonic'>, agoMs = 0): Moment {
  return { now: clock.now() - agoMs, monotonic: clock.monotonic() - agoMs };
}

/**
 * At least the time that has passed since then, ms. The clock that went further counts: the monotonic one may stand
 * still while a machine sleeps or is paused, and the wall clock may be set back. If it was, all sleep of the process
 * counts.
 */
export function msSince(moment: Moment, clock: Pick<Clock, 'now' | 'monotonic' | 'slept'>): number {
  const awake = clock.monotonic() - moment.monotonic;
  const wall = clock.now() - moment.now;
  return wall < awake - DRIFT_MS ? awake + clock.slept() : Math.max(awake, wall);
}

/** The machine's uptime minus that of the process. Unlike the latter, the machine's continues during sleep. */
const uptimeAhead = () => uptime() * 1000 - performance.now();
const aheadAtStart = uptimeAhead();

/**
 * How long ago a time of the wall clock was, ms: lower and upper bound. If the clock was set since this process began,
 * the two differ; `at` itself may come from another process.
 */
export function ageOf(at: number, clock: Pick<Clock, 'now' | 'monotonic' | 'slept' | 'begun'>) {
  const { now, monotonic } = clock.begun;
  const ages = [clock.now() - at, now + clock.monotonic() - monotonic + clock.slept() - at];
  return { least: Math.min(...ages), most: Math.max(...ages) };
}

export const systemClock: Clock = {
  begun: { now: Date.now(), monotonic: performance.now() },
  now: () => Date.now(),
  monotonic: () => performance.now(),
  slept: () => Math.max(0, uptimeAhead() - aheadAtStart),
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
        Math.min(Math.max(0, ms), MAX_TIMER_MS),
      );
      signal?.addEventListener('abort', onAbort, { once: true });
    }),
  after: (ms, callback) => {
    const timer = setTimeout(callback, Math.min(Math.max(0, ms), MAX_TIMER_MS));
    return () => clearTimeout(timer);
  },
};
