/** Opens a store, whatever database it is in. A driver is loaded only when it is used. */
import type { Ledger, LedgerOptions } from './ledger.ts';
import { isPostgresLocation } from './postgres/location.ts';

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
  return openSqliteLedger(location, options);
}
