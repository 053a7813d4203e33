import type { MATCHES } from '../params/matches.ts';
import type { TextsOf } from '../texts.ts';
import { count, counted, quoted } from './format.ts';

export const EN_MATCHES: TextsOf<typeof MATCHES> = {
  ambiguous_match: (params) => itemsWith(params),
  surplus_items: ({ quantity, ...params }) =>
    `${itemsWith(params)}; the quantity of the row is ${count(quantity)}`,
  not_a_candidate: ({ key, item }) => `item ${item} does not have this ${key}`,
  blank_key: ({ key }) => `${key} is blank, so no item can be found`,
  key_changed: ({ key, now, items }) =>
    `the item that was created with this ${key} now has ${now.map(quoted).join(', ')}: ${items.join(', ')}`,
  new_item_without_collection: () => 'no item matches, and a new one needs a collection',
  row_without_collection: () => 'no collection: the cell is blank, and no collection is given for all rows',
  not_missing: () => 'the item is no longer missing: the file has its key, or it has left the collection',
  left_out_by_person: () => 'left out manually',
  skipped_by_person: () => 'skipped manually',
  kept_by_person: () => 'somebody decided to leave the item as it is',
  left_out_of_quantity: ({ quantity }) => `left out: the quantity is ${count(quantity)}`,
  action_says_keep: () => 'The action column says keep, or is blank.',
  action_not_known: ({ text }) => `${quoted(text)} is not an action: expected keep or archive`,
  server_merges: ({ field }) =>
    `${field} could not be removed, because this server merges custom_fields; everything else was changed`,
  value_not_kept: ({ field, sent, found }) =>
    `the server did not keep ${field} as it was sent: ${sent} became ${value(found)}`,
  drifted: ({ changes, means }, say) =>
    `${changes.map(say).join('; ')}${means === undefined ? '' : `: ${say(means)}`}`,
  changed_since_plan: ({ field, was, now, planned }) =>
    `${field} was ${value(was)} when the plan was made and is now ${value(now)}${planned === undefined ? '' : ` (planned: ${value(planned)})`}`,
  changed_since_job: ({ field, set, now, before }) =>
    `${field} was set to ${value(set)} by the job and is now ${value(now)}${before === undefined ? '' : ` (before the job: ${value(before)})`}`,
  differs_from_file: ({ field, now, row }) =>
    `${field} is now ${value(now)}; in the file it is ${value(row)}`,
  changed_since_export: ({ exported, changed }) =>
    `the item was changed at ${changed} (last change in the export: ${exported}), so the file may contain older values`,
  left_selection: ({ where }) => `the item no longer matches ${quoted(where)}`,
  no_copy_left: ({ items }) => `no duplicate of the item is left: ${items.join(', ')}`,
  file_may_have_item: () => 'the file may now contain the item',
  no_item_when_planned: () => 'no item had this key when the plan was made',
  may_be_other_item: () => 'the row may now refer to another item',
  key_may_not_be_kept: ({ key, sent, stored }) =>
    `the server may not keep its ${key}: it ${stored === '' ? `did not keep ${quoted(sent)}` : `stored ${quoted(sent)} as ${quoted(stored)}`}`,
};

function itemsWith({
  key,
  count: all,
  items,
}: {
  key: string;
  count: number;
  items: readonly string[];
}): string {
  return `${counted(all, 'item has', 'items have')} this ${key}: ${items.join(', ')}`;
}

function value(text: string): string {
  return text === '' ? 'blank' : text;
}
