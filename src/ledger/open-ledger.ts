/** Opens a store in either database. A driver is loaded only when it is needed. */
import type { Ledger, LedgerOptions, StoreInspection } from './ledger.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { isPostgresLocation } from './postgres/location.ts';
import { isStoreAway, STORE_OPENING_MS } from './store-away.ts';

const OPENING_PAUSE_MS = 250;

/**
 * @param location `postgres://…`, or the path of an SQLite file, which is created if it does not exist
 * @throws the errors of openPostgresLedger and openSqliteLedger
 */
export async function openLedger(location: string, options: LedgerOptions = {}): Promise<Ledger> {
  if (isPostgresLocation(location)) {
    const { openPostgresLedger } = await import('./postgres/postgres-ledger.ts');
    return openPostgresLedger(location, options);
  }
  const { openSqliteLedger } = await import('./sqlite/sqlite-ledger.ts');
  const givingUp = performance.now() + Math.min(options.outageMs ?? STORE_OPENING_MS, STORE_OPENING_MS);
  for (;;) {
    try {
      return openSqliteLedger(location, options);
    } catch (error) {
      const isOver = performance.now() >= givingUp || options.signal?.aborted === true;
      if (!isStoreAway(error) || isOver) throw error;
    }
    await sleep(OPENING_PAUSE_MS);
  }
}

/** Inspects a store for `doctor`: opens it as every command does, and proves that it is writable. */
export async function inspectStore(location: string): Promise<StoreInspection> {
  if (isPostgresLocation(location)) {
    const { inspectPostgresStore } = await import('./postgres/postgres-ledger.ts');
    return inspectPostgresStore(location);
  }
  const { inspectSqliteStore } = await import('./sqlite/sqlite-ledger.ts');
  return inspectSqliteStore(location);
}
