import type { Ledger } from '../../ledger/ledger.ts';
import type { PostgresLedger } from '../../ledger/postgres/postgres-ledger.ts';
import type { Queue } from './queue.ts';
import { StoreQueue } from './store-queue.ts';

/**
 * The queue for a store: graphile-worker's on PostgreSQL, the store's own elsewhere.
 *
 * @param warn called if the role may not make graphile-worker's schema: then the store's own, slower queue is used
 * @throws UsageError `store_no_rights` if others use graphile-worker's schema and this role may not; errors of the store
 */
export async function openQueue(
  ledger: Ledger,
  warn: (message: string) => void = () => undefined,
): Promise<Queue> {
  if (!isOnPostgres(ledger)) return new StoreQueue(ledger);
  const { GraphileQueue } = await import('./graphile-queue.ts');
  return (await GraphileQueue.open(ledger, warn)) ?? new StoreQueue(ledger);
}

function isOnPostgres(ledger: Ledger): ledger is PostgresLedger {
  return 'database' in ledger;
}
