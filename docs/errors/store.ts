/** Errors of the store. */
import type { CodeGroup } from './entry.ts';

export const STORE = {
  store_not_ours: {
    cause: 'The store is a file or schema that belongs to another program. It was not changed.',
    remedy: 'Choose another store: --store FILE',
  },
  store_newer: {
    cause: 'A newer version of shelflift wrote the store.',
    remedy: 'Use that version, or another store: --store FILE',
  },
  store_older: {
    cause: 'A pre-release version of shelflift wrote the store.',
    remedy: 'Finish its jobs with that version, or choose another store: --store FILE',
  },
  store_locked: {
    cause: 'Another program kept the store locked for too long.',
    remedy: 'Wait until the other program has finished. To continue a job: shelflift jobs resume last',
  },
  store_damaged: {
    cause:
      'Pages of the SQLite store are damaged, by the disk or because the file was copied while jobs were running; or the store contains text in a form that shelflift does not write.',
    remedy:
      'Stop all jobs and keep a copy of the file. To list the damage: shelflift store check. Then restore your newest backup, or recover the readable data: sqlite3 STORE .recover | sqlite3 NEW-STORE',
  },
  store_unwritable: {
    cause: 'The store cannot be opened for writing because of its folder, permissions or disk.',
    remedy: 'Check the folder and its permissions, or choose another file: --store FILE',
  },
  bad_store_url: {
    cause: 'The address of the PostgreSQL store is not valid.',
    remedy: 'Write it as postgres://user:password@host:5432/database. Write an @ in the password as %40.',
  },
  store_unreachable: {
    cause:
      'The PostgreSQL server of the store cannot be reached. shelflift sends nothing that it cannot record.',
    remedy: 'Start the server, or correct the address or the network. Then: shelflift jobs resume last',
  },
  store_unauthorized: {
    cause: 'The PostgreSQL server of the store rejected the user or password.',
    remedy:
      'Check the user and password in the address, PGPASSWORD or ~/.pgpass, and the rules in pg_hba.conf.',
  },
  store_no_database: {
    cause: 'The PostgreSQL server has no database of that name.',
    remedy: 'Check the name after the last / of the address, or create the database: createdb NAME',
  },
  store_no_rights: {
    cause: 'The database user may not use or create the schema of the store.',
    remedy: 'Ask an administrator to run: CREATE SCHEMA shelflift AUTHORIZATION user',
  },
  no_such_store: {
    cause: 'There is no store of that name.',
    remedy: 'Check the name: a path, or postgres://… with ?schema=',
  },
  store_not_empty: {
    cause: 'The target of the copy is not empty. It was not changed.',
    remedy: 'Copy into a new store: another file, or another ?schema=',
  },
  store_in_use: {
    cause: 'A job is running on the store, so a copy would be outdated at once. Nothing was copied.',
    remedy:
      'Wait until the job has finished, or stop it, then copy again. To make a copy while jobs run: shelflift store backup FILE',
  },
  store_copy_differs: {
    cause: 'The copy was read back and differs from the original. The target was left unchanged.',
    remedy: 'Check the original: shelflift store check',
  },
  backup_exists: {
    cause: 'A file of that name already exists. It was not changed.',
    remedy: 'Choose another name for the backup.',
  },
  store_encoding: {
    cause: 'The database of the store cannot hold every character.',
    remedy: "Create a database that can: CREATE DATABASE name ENCODING 'UTF8' TEMPLATE template0",
  },
  store_failed: {
    cause: 'The store failed in an unexpected way.',
    remedy: 'Keep the file and report the message.',
  },
  disk_full: {
    cause: 'The disk is full. shelflift sends nothing that it cannot record.',
    remedy: 'Free some space, then: shelflift jobs resume last',
  },
} as const satisfies CodeGroup;
