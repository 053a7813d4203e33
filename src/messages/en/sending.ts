import type { SENDING } from '../params/sending.ts';
import type { TextsOf } from '../texts.ts';
import { count, counted, duration, either, quoted, unsent, utcTime } from './format.ts';

export const EN_SENDING: TextsOf<typeof SENDING> = {
  perhaps_created: ({ why, candidates, more }, say) =>
    `the item may or may not have been created: ${say(why)}${candidates.length === 0 ? '' : ` (candidates: ${candidates.join(', ')}${more ? ', …' : ''})`}`,
  items_have_stamp: ({ items }) => `${counted(items, 'item has', 'items have')} the stamp of this row`,
  items_have_its_key: ({ items, key }) => `${counted(items, 'item has', 'items have')} the same ${key}`,
  has_key_and_differs: ({ key }) => `an item has the same ${key}, but differs in other fields`,
  may_be_another_row: () =>
    'an item may belong to this row, or to one that differs only in a field that the server changes',
  more_items_than_answers: ({ items, answers }) =>
    `${counted(items, 'item matches', 'items match')} ${counted(answers, 'lost answer')}`,
  equal_item_of_nobody: () => 'an identical item exists, and nothing shows which row created it',
  looks_like_it: () => 'an item resembles this row, but not in every field',
  looks_like_held_row: () => 'an item resembles both this row and another row that is held',
  not_to_be_looked_up: () => 'the answer was lost, and looking up lost answers is switched off',
  list_lagged: () => 'for ten minutes, the list of items did not show items that were created earlier',
  list_kept_changing: () => 'the list of items kept changing through five passes',
  made_and_edited: () => 'an item was created in the meantime, and somebody has edited it since',
  nothing_acknowledged: () =>
    'the server has confirmed no new item yet, and other items have appeared in the meantime',
  never_answered: ({ times }) =>
    `the row was sent ${times === 1 ? 'once' : counted(times, 'time')}, but the server did not answer`,
  made_after_last_row: ({ item }) =>
    `an identical item exists that was created after this store last sent a row of the job: ${item}`,
  shown_as_before: () =>
    'the server still shows the item as it was before the last change that this store has sent',
  changed_by_other_job: () =>
    'the answer was lost, and another job has changed the item since: the value may come from that job',
  changed_after_lost_answer: ({ drift }, say) =>
    `the answer was lost, and somebody has changed the item since the plan was made: ${say(drift)}`,

  item_may_be_late: ({ item }) =>
    `item ${item} is not found, but this server has been slow to show new items before: try again in a few minutes`,
  item_already_gone: ({ item }) => `item ${item} no longer exists: there is nothing to undo`,
  looks_like_item: ({ item, name }) => `looks like item ${item} (${quoted(name)})`,
  key_lost_by_other_job: ({ key, ms }) =>
    `Another job got no answer for a row with the same ${key}. The item of that row will be looked up in ${duration(ms)}.`,
  archives_dropped: ({ items }) =>
    `${counted(items, 'item was', 'items were')} not archived, because the file now contains ${items === 1 ? 'its key' : 'their keys'}.`,
  creates_have_items: ({ rows, unchanged, updates, invalid, held, skipped }) =>
    `${counted(rows, 'row that was planned as a new item now has an item', 'rows that were planned as new items now have an item')}: ${count(unchanged)} unchanged, ${count(updates)} to update, ${count(invalid)} invalid${held === 0 ? '' : `, ${count(held)} held`}${skipped === 0 ? '' : `, ${count(skipped)} skipped`}.`,
  more_items_changed: ({ items }) =>
    `${counted(items, 'more item has', 'more items have')} changed since the plan was made. See the results file.`,
  list_lags_behind: ({ items }) =>
    `The list of items does not yet show ${counted(items, 'item')} that shelflift has created. shelflift reads the list again until it is up to date, for at most ten minutes.`,
  new_items_unknown: ({ items, ms }) =>
    `The server does not show ${counted(items, 'item')} that shelflift has just created or changed, or shows outdated values. ${items === 1 ? 'It was' : 'They were'} deleted, or the server shows changes late. shelflift waits for up to ${duration(ms)} to find out.`,

  list_still_lags: ({ items }) =>
    `After ten minutes, the list of items still does not show ${counted(items, 'item')} that shelflift has created.`,
  waits_for_room: ({ rows, at }) =>
    `The item limit of the API plan is reached; ${counted(rows, 'row is waiting', 'rows are waiting')}. Next try at ${utcTime(at)}.`,
  plan_is_full: ({ rows }) =>
    `The item limit of the API plan is reached. ${counted(rows, 'row is waiting', 'rows are waiting')} for room.`,
  many_refused: ({ refused, rows }) =>
    `The API refused ${count(refused)} of ${counted(rows, 'row')}. The job is parked.`,
  no_rate_for_items: ({ currency }) =>
    `The items are in ${currency}, so amounts in ${currency} need no rate. The job is parked.`,
  amounts_in_others: ({ currency, shown }) =>
    `The items are in ${currency}, and the file shows amounts in ${either(shown)}. The job is parked.`,
  store_is_behind: ({ rows, ...job }) =>
    `${counted(rows, 'row', 'rows')} of the job that this store has not sent ${rows === 1 ? 'is' : 'are'} on the server already: another store has continued the job, or somebody has created the same items. ${unsent(job)} ${rows === 1 ? 'The row is' : 'These rows are'} held.`,
  cannot_look_up: ({ why }, say) => `Rows are sent only if lost answers can be looked up: ${say(why)}`,
  key_was_rewritten: ({ key, sent, stored }) =>
    `${key} was sent as ${quoted(sent)}, and the server ${stored === '' ? 'did not store it' : `stored it as ${quoted(stored)}`}`,
  key_lost_on_server: ({ what }, say) =>
    `${say(what)}: a later import could not find the item. The job is parked.`,

  try_when_list_shows: () => 'Run the command again later, when the list is up to date.',
  to_try_at_once: () => 'To try at once, in another terminal',
  make_room_in_plan: () => 'Upgrade the plan, or archive and delete items.',
  see_error_column: () => 'Look at the column _error in the results file.',
  to_allow_more_refusals: () => 'To continue, and allow that many refused rows',
  to_send_no_more: () => 'To send no more rows',
  correct_item_value: () => 'One item was created: correct its value.',
  to_give_rates: () => 'Then give a rate for each currency other than that of the items',
  go_on_in_newest_store: () =>
    'If this store is a restored backup or a copy, continue in the newest store. Otherwise decide on the held rows.',
  add_scope_items_read: () => 'Add the scope items:read to the key.',
  to_send_without_looking_up: () => 'To hold the rows whose answers are lost',
};
