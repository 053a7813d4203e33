/** The queue that goes with a store. */
import { systemClock } from '../../clock.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { isPostgresLocation, parsePostgresLocation } from '../../ledger/postgres/location.ts';
import type { Queue } from '../../worker/queue/queue.ts';
import type { GlobalFlags } from '../flags.ts';
import { storeOf } from '../../account/store-of.ts';

export async function openQueue(ledger: Ledger, flags: GlobalFlags): Promise<Queue> {
  const store = storeOf(flags, process.env);
  if (isPostgresLocation(store)) {
    const { GraphileQueue } = await import('../../worker/queue/graphile-queue.ts');
    return new GraphileQueue(ledger, parsePostgresLocation(store), systemClock);
  }
  const { StoreQueue } = await import('../../worker/queue/store-queue.ts');
  return new StoreQueue(ledger);
}
