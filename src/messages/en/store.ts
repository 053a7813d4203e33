import type { STORE } from '../params/store.ts';
import type { TextsOf } from '../texts.ts';

export const EN_STORE: TextsOf<typeof STORE> = {
  stored_unreadable: ({ what }) => `The store has ${what} that this version cannot read.`,
  restore_store: () => 'Restore a copy of the store.',
  to_check_store: () => 'To look at it',
  wait_for_program: () => 'Wait until the other program has finished.',
  keep_damaged_store: () =>
    'Stop all jobs and keep a copy of the file. Then restore your newest backup, or recover what is readable: sqlite3 STORE .recover | sqlite3 NEW-STORE',
  to_list_damage: () => 'To list the damage',
  start_database: () => 'Start the server, or correct the address or the network.',
  check_database_user: () =>
    'Check the user and password in the address, PGPASSWORD or ~/.pgpass, and the rules in pg_hba.conf.',
  check_database_name: () => 'Check the name after the last / of the address, or create it: createdb NAME',
  grant_schema: () => 'Ask an administrator to run: CREATE SCHEMA shelflift AUTHORIZATION user',
  create_utf8_database: () =>
    "Create one that can hold every character: CREATE DATABASE name ENCODING 'UTF8' TEMPLATE template0",
  free_disk: () => 'Free some space.',
  to_continue_job: () => 'To continue a job',
};
