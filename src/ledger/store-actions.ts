/** Actions for a store that does not work. */
import { UsageError } from '../base/errors.ts';
import { byHand, message } from '../messages/message.ts';
import type { Action, Message } from '../messages/params.ts';

type Trouble =
  | 'disk_full'
  | 'store_damaged'
  | 'store_encoding'
  | 'store_locked'
  | 'store_newer'
  | 'store_older'
  | 'store_no_database'
  | 'store_no_rights'
  | 'store_unauthorized'
  | 'store_not_sqlite'
  | 'store_of_other_program'
  | 'store_unreachable'
  | 'store_unwritable';

export const USE_STORE: Action = {
  do: 'setOption',
  option: 'store',
  value: 'STORE',
  label: message('to_use_store', {}),
};

const RESUME: Action = { do: 'resume', job: 'last', label: message('to_continue_job', {}) };

const ACTIONS: Record<Trouble, readonly Action[]> = {
  disk_full: [byHand('free_disk', {}), RESUME],
  store_damaged: [
    byHand('keep_damaged_store', {}),
    { do: 'run', command: 'store check', label: message('to_list_damage', {}) },
  ],
  store_encoding: [byHand('create_utf8_database', {})],
  store_locked: [byHand('wait_for_program', {}), RESUME],
  store_no_database: [byHand('check_database_name', {})],
  store_no_rights: [byHand('grant_schema', {})],
  store_unauthorized: [byHand('check_database_user', {})],
  store_newer: [byHand('use_newer_program', {}), USE_STORE],
  store_not_sqlite: [USE_STORE, byHand('restore_if_yours', {})],
  store_of_other_program: [USE_STORE],
  store_older: [byHand('finish_with_older', {}), USE_STORE],
  store_unreachable: [byHand('start_database', {}), RESUME],
  store_unwritable: [byHand('check_store_folder', {}), USE_STORE],
};

export function storeActions(trouble: Trouble): readonly Action[] {
  return ACTIONS[trouble];
}

/** Lists the jobs, to find the one that a command should name. */
export const LIST_JOBS: Action = { do: 'run', command: 'jobs list', label: message('to_list_jobs', {}) };

export function noSuchStore(store: string): UsageError {
  const said: Message = message('no_such_store', { store });
  return new UsageError('no_such_store', said, { actions: [byHand('check_store_name', {})] });
}
