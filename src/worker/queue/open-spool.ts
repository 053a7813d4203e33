import type { Ledger } from '../../ledger/ledger.ts';
import { isPostgresLocation } from '../../ledger/postgres/location.ts';
import { FolderSpool, type Spool } from './spool.ts';
import { StoreSpool } from './store-spool.ts';

/**
 * Where files wait: beside an SQLite store, or in the database itself.
 *
 * @param fetched folder of this machine for what is fetched from a database
 */
export function openSpool(ledger: Ledger, fetched: string): Spool {
  return isPostgresLocation(ledger.location)
    ? new StoreSpool(ledger, fetched)
    : new FolderSpool(spoolFolderOf(ledger.location));
}

/** Of an SQLite store, by its file. */
export function spoolFolderOf(store: string): string {
  return `${store}.spool`;
}
