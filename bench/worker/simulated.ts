/** The same 20 keys on simulated time: what the pacing itself leaves unused, however busy this machine is. */
import { simulateLanes } from '../../test/api/simulated-server.ts';
import type { LimiterKind } from '../../src/sandbox/settings.ts';

const KEYS = 20;
const SLOW_MS = 3_000;

export interface SimulatedShares {
  mean: number;
  slowest: number;
  /** Of all answers from the first on. */
  limited: number;
}

/** @param workMs of the process for each request, and again for each answer */
export function simulated(limiter: LimiterKind, workMs: number): SimulatedShares {
  const outcomes = simulateLanes(
    {
      limiter,
      headers: 'draft3',
      rate: { limit: 5, windowMs: 1000 },
      latencyMs: 5,
      slowStart: { untilMs: SLOW_MS, byMs: 300 },
      measureFromMs: SLOW_MS + 2000,
      durationMs: 60_000,
    },
    { lanes: KEYS, workMs },
  );
  const shares = outcomes.map(({ share }) => share);
  const limited = outcomes.reduce((sum, { total }) => sum + total.limited, 0);
  const admitted = outcomes.reduce((sum, { total }) => sum + total.admitted, 0);
  return {
    mean: shares.reduce((sum, share) => sum + share, 0) / KEYS,
    slowest: Math.min(...shares),
    limited: limited / (limited + admitted),
  };
}
