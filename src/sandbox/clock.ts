/** The sandbox's two clocks. */
export interface Clock {
  /** For timestamps: ms since 1970, the machine's clock plus the offset. */
  wall(): number;
  /** For limiters and rates: monotonic ms. */
  steady(): number;
}

/** @param now replaces both of the machine's clocks */
export function createClock(now: (() => number) | undefined, offsetMs: number): Clock {
  if (now === undefined) {
    return { wall: () => Date.now() + offsetMs, steady: () => performance.now() };
  }
  let last = Number.NEGATIVE_INFINITY;
  return { wall: () => now() + offsetMs, steady: () => (last = Math.max(last, now())) };
}
