/**
 * A store that is away for a while: an SQLite file that another program has locked, or a PostgreSQL server out of
 * reach. One rule for both: nothing is sent meanwhile, it is waited for, and then the run parks.
 */
import { ShelfliftError } from '../errors.ts';

/** An outage in the middle of a run (design §2, Waiting), ms. */
export const STORE_OUTAGE_MS = 10 * 60_000;
/** A store that was never reached in this run, ms. */
export const STORE_OPENING_MS = 30_000;

/** A shorter wait is nobody's business, ms. */
export const OUTAGE_TOLD_AFTER_MS = 2_000;

export interface StoreOutageOptions {
  /** How long a store that is away is waited for, ms. Default 10 minutes; while it is opened 30 seconds at most. */
  outageMs?: number;
  /** Called once an outage has lasted for some seconds, with a sentence for people. */
  onOutage?: (message: string) => void;
}

/** True where the store works again by itself, sooner or later. */
export function isStoreAway(error: unknown): error is ShelfliftError {
  return (
    error instanceof ShelfliftError && (error.code === 'store_locked' || error.code === 'store_unreachable')
  );
}
