import type { LISTS } from '../params/lists.ts';
import type { TextsOf } from '../texts.ts';
import { count, counted } from './format.ts';

export const EN_LISTS: TextsOf<typeof LISTS> = {
  list_in_one_response: () => 'The whole list came in one response.',
  summary_in_one_response: () => 'The summary came in one response.',
  list_not_counted: () =>
    'The list could not be counted because its last page could not be found. The number of missing items is unknown.',
  list_complete: ({ items, entries }) =>
    `${counted(items, 'distinct item was', 'distinct items were')} read, and the list then had ${counted(entries, 'entry', 'entries')}: the reading is complete.`,
  list_incomplete: ({ why, bound }, say) => `${say(why)}: ${say(bound)}.`,
  new_items_kept_arriving: () => 'New items kept arriving during the first count',
  items_removed_meanwhile: ({ items }) =>
    `At least ${counted(items, 'item was', 'items were')} removed outside the API while the list was read`,
  items_and_entries_differ: ({ items, entries }) =>
    `${counted(items, 'distinct item was', 'distinct items were')} read, but the list then had ${counted(entries, 'entry', 'entries')}`,
  missing_items_unknown: () => 'the number of missing items is unknown',
  missing_items_at_most: ({ missing, of }) =>
    `${count(missing)} of the ${counted(of, 'item')} there at the beginning ${missing === 1 ? 'was' : 'were'} not read`,
  last_passes_agree: ({ passes, entries }) =>
    `The last two of ${count(passes)} passes showed the same ${counted(entries, 'entry', 'entries')}.`,
  entries_gone_in_last_pass: ({ entries, passes, last }) =>
    `The list changed while it was read: ${counted(entries, 'entry was', 'entries were')} seen in ${counted(passes, 'pass', 'passes')}, ${count(last)} of them in the last one.`,
  passes_differ: ({ passes, entries }) =>
    `The list changed while it was read: ${counted(passes, 'pass', 'passes')} showed ${counted(entries, 'entry', 'entries')}.`,
  list_lags: ({ items }) =>
    `The list lags behind: it did not show ${newItems(items)} within the last hour, and at least one of them exists. Read it again later.`,
  list_may_lag: ({ items }) =>
    `The list did not show ${newItems(items)} within the last hour. At least one of them is so new that the server may show it late, unless it was deleted. Read the list again later.`,
  fewer_items_in_second_reading: () => 'A second reading found fewer items.',
  list_left_out_fields: () => 'The list left out fields of its items.',
  reading_with_doubt: ({ reading, doubt }, say) => `${say(reading)} ${say(doubt)}`,
};

function newItems(items: number): string {
  return counted(items, 'item that was created', 'items that were created');
}
