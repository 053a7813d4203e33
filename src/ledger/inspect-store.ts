/** A look at a store for `doctor`: it opens as every command opens it, and shows that it can be written. */
import { isPostgresLocation } from './postgres/location.ts';
import type { StoreInspection } from './store-inspection.ts';

/** @throws what openLedger throws */
export async function inspectStore(location: string): Promise<StoreInspection> {
  if (isPostgresLocation(location)) {
    const { inspectPostgresStore } = await import('./postgres/inspect-store.ts');
    return inspectPostgresStore(location);
  }
  const { inspectSqliteStore } = await import('./sqlite/inspect-store.ts');
  return inspectSqliteStore(location);
}
