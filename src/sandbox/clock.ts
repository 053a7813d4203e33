/** The two times of a sandbox. */
export interface Clock {
  /** Of timestamps: ms since 1970, apart from the machine's clock by the offset. */
  wall(): number;
  /** Of limiters and rates: ms from any start, never backwards. */
  steady(): number;
}

/** @param now an own clock, for both; without one the machine's are taken */
export function createClock(now: (() => number) | undefined, offsetMs: number): Clock {
  if (now === undefined) {
    return { wall: () => Date.now() + offsetMs, steady: () => performance.now() };
  }
  let last = Number.NEGATIVE_INFINITY;
  return { wall: () => now() + offsetMs, steady: () => (last = Math.max(last, now())) };
}
