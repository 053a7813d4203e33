import type { STORE } from '../params/store.ts';
import type { TextsOf } from '../texts.ts';
import { count, counted } from './format.ts';

export const EN_STORE: TextsOf<typeof STORE> = {
  stored_reference_missing: ({ table }) => `a row of the table ${table} refers to a row that does not exist`,
  stored_job_state: ({ job, state }) => `job ${job} is in the state ${state}`,
  stored_job_unreadable: ({ job }) => `the record of job ${job} cannot be read`,
  stored_row_state: ({ state, ...place }) => `${rowOfJob(place)} is in the state ${state}`,
  stored_row_action: ({ action, ...place }) => `${rowOfJob(place)} has the action ${action}`,
  stored_row_without_item: (place) => `${rowOfJob(place)} is done without an item`,
  stored_row_never_sent: ({ state, ...place }) => `${rowOfJob(place)} is ${state} but was never sent`,
  stored_row_unreadable: ({ part, ...place }) => `${part} of ${rowOfJob(place)} cannot be read`,
  stored_value_unreadable: ({ space, key }) => `the ${space} of ${key} cannot be read`,
  stored_rows_missing: ({ job, rows, last }) =>
    `job ${job} has ${counted(rows, 'row')}, and the last is number ${last}`,
  stored_item_of_several: ({ item, owners }) =>
    `the item ${item} belongs to ${owners} rows that create items`,
  stored_intent_out_of_order: ({ intent, address }) =>
    `intent number ${intent} of ${address} was assigned twice, or is greater than the last number`,
  stored_job_sent_elsewhere: ({ job }) =>
    `job ${job} has rows that were sent to another address, or before the job began`,
  stored_unreadable: ({ data }) => `The store contains data (${data}) that this version cannot read.`,
  restore_store: () => 'Restore a copy of the store.',
  to_check_store: () => 'To check the store',
  wait_for_program: () => 'Wait until the other program has finished.',
  keep_damaged_store: () =>
    'Stop all jobs and keep a copy of the file. Then restore your newest backup, or recover the readable data: sqlite3 STORE .recover | sqlite3 NEW-STORE',
  to_list_damage: () => 'To list the damage',
  start_database: () => 'Start the server, or correct the address or the network.',
  check_database_user: () =>
    'Check the user and password in the address, PGPASSWORD or ~/.pgpass, and the rules in pg_hba.conf.',
  check_database_name: () =>
    'Check the name after the last / of the address, or create the database: createdb NAME',
  grant_schema: () => 'Ask an administrator to run: CREATE SCHEMA shelflift AUTHORIZATION user',
  create_utf8_database: () =>
    "Create a database that can hold every character: CREATE DATABASE name ENCODING 'UTF8' TEMPLATE template0",
  free_disk: () => 'Free some space.',
  to_continue_job: () => 'To continue a job',
  store_newer: ({ store, version }) => `${store} was written by a newer version of shelflift (${version}).`,
  use_newer_program: () => 'Use that newer version.',
  store_older: ({ store, version }) =>
    `${store} was written by a pre-release version of shelflift (version ${version}), and cannot be read.`,
  finish_with_older: () => 'Finish its jobs with that version.',
  to_use_store: () => 'To use another store',
  check_store_folder: () => 'Check the folder and its permissions.',
  restore_if_yours: () => 'If this was your store, its first page is damaged: restore a backup.',
  store_of_other_program: ({ store }) => `${store} is a database that belongs to another program.`,
  store_not_sqlite: ({ store }) =>
    `${store} is not a store that shelflift created: it is not an SQLite database.`,
  store_says: ({ store, words }) => `The store ${store}: ${words}.`,
  store_locked: ({ store }) => `The store ${store} is locked by another program.`,
  store_locked_waiting: ({ store, seconds }) =>
    `The store ${store} is locked by another program. Waiting up to ${seconds} s.`,
  store_away_waiting: ({ store, seconds }) =>
    `The store ${store} cannot be reached. Waiting up to ${seconds} s.`,
  store_disk_full: ({ store }) => `The disk of the store ${store} is full.`,
  store_damaged: ({ store, words }) => `The store ${store} is damaged: ${words}.`,
  store_unwritable: ({ store, words }) => `The store ${store} cannot be opened for writing: ${words}.`,
  store_unreachable: ({ store, words }) => `The store ${store} cannot be reached: ${words}.`,
  store_failed: ({ store, words }) => `The store ${store} failed: ${words}.`,
  no_such_store: ({ store }) => `There is no store at ${store}.`,
  check_store_name: () => 'Check the name of the store.',
  store_address_unreadable: () => 'The address of the PostgreSQL store cannot be read.',
  escape_in_address: () => 'In user, password and parameters, write @ : / # ? as %40 %3A %2F %23 %3F.',
  form_of_store_address: () => 'The form is postgres://user:password@host:5432/database.',
  bad_schema: ({ store, schema }) =>
    `${store}: the schema is "${schema}", expected lower-case letters, digits and _, such as shelflift.`,
  name_schema_or_none: () => 'Name another schema, or leave it out.',
  bad_reconnect: ({ store }) => `${store}: reconnect is not a number of seconds.`,
  write_reconnect: () => 'Write ?reconnect=30, or leave it out.',
  store_encoding: ({ store, encoding }) => `The database of ${store} uses ${encoding}, expected UTF8.`,
  schema_not_ours: ({ store, schema }) =>
    `The schema ${schema} of ${store} contains tables that belong to another program.`,
  name_other_schema: () => 'Name another schema: ?schema=shelflift',
  schema_not_creatable: ({ store, schema, role }) =>
    `${store}: ${role} may not create the schema ${schema} or tables in it.`,
  have_schema_created: ({ schema, role }) =>
    `Ask the owner of the database to run: CREATE SCHEMA ${schema} AUTHORIZATION ${role}`,
  fsync_off: () =>
    'its server does not wait for the disk (fsync is off): after a crash, the store may lack rows that were sent',
  turn_fsync_on: () => 'Ask its administrator to run: ALTER SYSTEM SET fsync = on',
  ambiguous_job: ({ reference, ids }) =>
    `The ids of ${ids.length} jobs begin with "${reference}": ${ids.join(', ')}.`,
  no_such_job: ({ job }) => `There is no job "${job}" in this store.`,
  to_list_jobs: () => 'To list the jobs',
  stopped_while_reading: ({ file }) =>
    `The last command (${file}) was stopped before all of its rows were known. Nothing was sent, and there is no job.`,
  import_again_or_older: () => 'Run that command again, or name an older job by its id.',
  no_job_yet: () => 'There is no job in this store yet. Dry runs do not count.',
  to_name_dry_run: () => 'To name a dry run by its id',
  import_again_if_stopped: () =>
    'A job exists once its whole file is read: if an import was stopped before that, import the file again.',
  file_read_elsewhere: ({ job }) =>
    `Another process has started to read the file of job ${job} again. This process stops.`,
  file_exists: ({ file }) => `${file} already exists.`,
  name_other_backup: () => 'Name another file. An existing backup is never overwritten.',
  backup_incomplete: ({ store, problem }, say) => `The backup ${store} is not complete: ${say(problem)}.`,
  table_copied_wrong: ({ store, table, found, expected }) =>
    `${store} did not store the table ${table} as it was written (${count(found)} of ${counted(expected, 'row')}). Nothing was copied.`,
  store_not_empty: ({ store, table }) => `The store ${store} is not empty (${table}).`,
  copy_into_new: () => 'Copy into a new store: another file, or another ?schema=.',
  store_in_use: ({ store, why }, say) => `The store ${store} is in use: ${say(why)}.`,
  changed_while_copied: () => 'it was changed during the copy',
  job_runs_there: ({ job, host, pid }) => `job ${job} is running on ${host} (pid ${pid})`,
  copy_when_ended: () => 'Nothing was copied. Wait until the job has ended, or stop it. Then copy again.',
  store_usable: ({ store, server, version, jobs }) =>
    `${store}${server === undefined ? '' : ` (${server})`}: writable, version ${version}, ${jobs === undefined ? 'newly created' : counted(jobs, 'job')}`,
  page_users_untold: () =>
    'The page checks the link and the cookie, but not the user: this system does not show which user a connection belongs to.',
  space_free: ({ gigabytes, folder }) => `${gigabytes.toFixed(1)} GB free in ${folder}`,
  make_room: () => 'Make room: a job is parked when its store cannot be written.',
  lease_lost: () => 'Another process has taken over this key. This process stops.',
  job_cancelled_elsewhere: ({ job }) => `Job ${job} was cancelled. Its remaining rows are not sent.`,
  already_claimed: ({ job }) => `Job ${job} is already sending this import.`,
};

function rowOfJob({ row, job }: { row: number; job: number }): string {
  return `row ${row} of job number ${job}`;
}
