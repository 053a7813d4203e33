/** Opens a store, whatever database it is in. A driver is loaded only when it is used. */
import type { Ledger, LedgerOptions } from './ledger.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { isPostgresLocation } from './postgres/location.ts';
import { isStoreAway, STORE_OPENING_MS } from './store-away.ts';

const OPENING_PAUSE_MS = 250;

/**
 * @param location `postgres://…`, or else the path of an SQLite file, which is made where there is none
 * @throws what openPostgresLedger and openSqliteLedger throw
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
      if (!isStoreAway(error) || performance.now() >= givingUp) throw error;
    }
    await sleep(OPENING_PAUSE_MS);
  }
}
