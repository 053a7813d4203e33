/** The store. */
import type { ErrorGroup } from './entry.ts';

export const STORE = {
  store_not_ours: {
    exit: 2,
    cause: 'The store is a file, or a schema, of another program; it was left as it is.',
    remedy: 'Name another one with --store.',
  },
  store_newer: {
    exit: 2,
    cause: 'The store was written by a newer shelflift.',
    remedy: 'Use that newer one, or another --store.',
  },
  store_locked: {
    exit: 6,
    cause: 'Another program has locked the store, and did not release it within the longest wait.',
    remedy: 'Wait until the other program has ended. To continue a job: shelflift jobs resume last',
  },
  store_damaged: {
    exit: 2,
    cause: 'Pages of the SQLite store are damaged: the disk or a copy made while jobs ran may be the reason.',
    remedy:
      'Stop all jobs and keep a copy of the file. List the damage with: shelflift store check. Then restore your newest backup, or recover what is readable: sqlite3 STORE .recover | sqlite3 NEW-STORE',
  },
  store_unwritable: {
    exit: 2,
    cause: 'The store cannot be opened for writing: its folder, its permissions or its disk do not allow it.',
    remedy: 'Check the folder and its permissions, or name another file with --store.',
  },
  bad_store_url: {
    exit: 2,
    cause: 'The address of the PostgreSQL store is not one.',
    remedy: 'Write it as postgres://user:password@host:5432/database, with %40 for an @ in the password.',
  },
  store_unreachable: {
    exit: 6,
    cause:
      'The PostgreSQL server of the store cannot be reached, or went away: nothing is sent that could not be recorded.',
    remedy: 'Start the server, or mend the address or the network; then: shelflift jobs resume last',
  },
  store_unauthorised: {
    exit: 2,
    cause: 'The PostgreSQL server of the store does not let this user in.',
    remedy: 'Check user and password of the address, PGPASSWORD or ~/.pgpass, and what pg_hba.conf allows.',
  },
  store_no_database: {
    exit: 2,
    cause: 'The PostgreSQL server of the store has no database of that name.',
    remedy: 'Check the name behind the last / of the address, or make it: createdb NAME',
  },
  store_no_rights: {
    exit: 2,
    cause: 'The user of the store may not use its schema, or not make it.',
    remedy: 'Let an administrator run: CREATE SCHEMA shelflift AUTHORIZATION user',
  },
  no_such_store: {
    exit: 2,
    cause: 'There is no store of that name to be copied, checked or backed up.',
    remedy: 'Check the name: a file, or postgres://… with its ?schema=',
  },
  store_not_empty: {
    exit: 2,
    cause: 'The store that was to be copied into holds something already; it was left as it is.',
    remedy: 'Copy into a new one: another file, or another ?schema=',
  },
  store_in_use: {
    exit: 2,
    cause: 'A job runs on the store, so a copy of it would be outdated at once; nothing was copied.',
    remedy: 'Wait until the job has ended, or stop it; then copy again. store backup works while jobs run.',
  },
  store_copy_differs: {
    exit: 1,
    cause: 'What was copied was read back, and is not what was there; nothing was copied.',
    remedy: 'Check the store that is copied: shelflift store check',
  },
  backup_exists: {
    exit: 2,
    cause: 'There is a file of that name already; it was left as it is.',
    remedy: 'Name another file for the backup.',
  },
  store_encoding: {
    exit: 2,
    cause: 'The database of the store cannot hold every character.',
    remedy: "Make one that can: CREATE DATABASE name ENCODING 'UTF8' TEMPLATE template0",
  },
  store_failed: {
    exit: 1,
    cause: 'The store failed in a way that nobody foresaw.',
    remedy: 'Keep the file, and tell us the message.',
  },
  disk_full: {
    exit: 6,
    cause: 'The disk is full, so nothing more is sent that could not be recorded.',
    remedy: 'Make room, then: shelflift jobs resume last',
  },
} as const satisfies ErrorGroup;
