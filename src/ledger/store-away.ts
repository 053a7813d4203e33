/**
 * A store in an outage: an SQLite file that another program has locked, or a PostgreSQL server that cannot be reached.
 * In both cases, nothing is sent: the run waits for the store, and then parks.
 */
import { ShelfliftError } from '../base/errors.ts';
import type { Message } from '../messages/params.ts';

/** Longest outage in the middle of a run (design §2, Waiting). */
export const STORE_OUTAGE_MS = 10 * 60_000;
/** Longest wait for a store that this run has never reached. */
export const STORE_OPENING_MS = 30_000;

/** Longest wait once the run is stopped: a resume looks up everything that a lost write would have recorded. */
const STOPPING_MS = 1_000;

/** Shorter outages are not reported. */
export const OUTAGE_TOLD_AFTER_MS = 2_000;

export interface StoreOutageOptions {
  /** How long to wait for a store in an outage, ms. Default 10 minutes; at most 30 seconds while opening it. */
  outageMs?: number;
  /** Signal of the run: once it aborts, the wait for a store ends after a second at most. */
  signal?: AbortSignal;
  /** Called once per outage that lasts for some seconds. */
  onOutage?: (said: Message) => void;
}

/** How long to wait for a store now, ms. */
export function outageWait(withinMs: number, signal: AbortSignal | undefined): number {
  return signal?.aborted === true ? Math.min(withinMs, STOPPING_MS) : withinMs;
}

/** True if the store may work again without anybody's help. */
export function isStoreAway(error: unknown): error is ShelfliftError {
  return (
    error instanceof ShelfliftError && (error.code === 'store_locked' || error.code === 'store_unreachable')
  );
}
