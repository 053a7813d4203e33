import type { Ledger } from '../../ledger/ledger.ts';
import { isPostgresLocation } from '../../ledger/postgres/location.ts';
import { FolderSpool, type Spool } from './spool.ts';
import { StoreSpool } from './store-spool.ts';

/**
 * Opens the place where files wait: beside an SQLite store, or in the database itself.
 *
 * @param fetched local folder for files that are fetched from a database
 */
export function openSpool(ledger: Ledger, fetched: string): Spool {
  return isPostgresLocation(ledger.location)
    ? new StoreSpool(ledger, fetched)
    : new FolderSpool(spoolFolderOf(ledger.location));
}

/** The spool of an SQLite store, by the path of its file. */
export function spoolFolderOf(store: string): string {
  return `${store}.spool`;
}
