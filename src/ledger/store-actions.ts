/** What a person can do about a store that does not work. */
import { message } from '../messages/message.ts';
import type { Action, MessageCode } from '../messages/params.ts';

type Trouble =
  | 'disk_full'
  | 'store_damaged'
  | 'store_encoding'
  | 'store_locked'
  | 'store_no_database'
  | 'store_no_rights'
  | 'store_unauthorised'
  | 'store_unreachable';

const RESUME: Action = { do: 'resume', job: 'last', label: message('to_continue_job', {}) };

const ACTIONS: Record<Trouble, readonly Action[]> = {
  disk_full: [byHand('free_disk'), RESUME],
  store_damaged: [
    byHand('keep_damaged_store'),
    { do: 'run', command: 'store check', label: message('to_list_damage', {}) },
  ],
  store_encoding: [byHand('create_utf8_database')],
  store_locked: [byHand('wait_for_program'), RESUME],
  store_no_database: [byHand('check_database_name')],
  store_no_rights: [byHand('grant_schema')],
  store_unauthorised: [byHand('check_database_user')],
  store_unreachable: [byHand('start_database'), RESUME],
};

export function storeActions(trouble: Trouble): readonly Action[] {
  return ACTIONS[trouble];
}

type Advice =
  | 'check_database_name'
  | 'check_database_user'
  | 'create_utf8_database'
  | 'free_disk'
  | 'grant_schema'
  | 'keep_damaged_store'
  | 'start_database'
  | 'wait_for_program';

function byHand(code: Advice & MessageCode): Action {
  return { do: 'byHand', label: message(code, {}) };
}
