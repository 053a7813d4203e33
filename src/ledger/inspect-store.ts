/** A look at a store for `doctor`: it opens as every command opens it, and shows that it can be written. */
import { isPostgresLocation } from './postgres/location.ts';

export interface StoreInspection {
  /** The database, where it is a server: `PostgreSQL 18.4`. */
  server?: string;
  /** Of the store's tables. */
  version: number;
  jobs: number;
  /** What is set such that a promise does not hold; with what to do. */
  warning?: { found: string; remedy: string };
}

/** @throws what openLedger throws */
export async function inspectStore(location: string): Promise<StoreInspection> {
  if (isPostgresLocation(location)) {
    const { inspectPostgresStore } = await import('./postgres/inspect-store.ts');
    return inspectPostgresStore(location);
  }
  const { inspectSqliteStore } = await import('./sqlite/inspect-store.ts');
  return inspectSqliteStore(location);
}
