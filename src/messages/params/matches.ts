import type { Params } from './kinds.ts';

/** A row in a plan: the items that it may mean, the effect of its change, and changes that somebody made since. */
export const MATCHES = {
  ambiguous_match: { key: 'text', count: 'count', items: 'texts' },
  surplus_items: { key: 'text', count: 'count', items: 'texts', quantity: 'count' },
  not_a_candidate: { key: 'text', item: 'text' },
  blank_key: { key: 'text' },
  key_changed: { key: 'text', now: 'texts', items: 'texts' },
  new_item_without_collection: {},
  row_without_collection: {},
  not_missing: {},
  left_out_by_person: {},
  skipped_by_person: {},
  kept_by_person: {},
  left_out_of_quantity: { quantity: 'count' },
  action_says_keep: {},
  action_not_known: { text: 'text' },
  server_merges: { field: 'field' },
  value_not_kept: { field: 'field', sent: 'text', found: 'text' },
  drifted: { changes: 'messages', means: 'message?' },
  changed_since_plan: { field: 'field', was: 'text', now: 'text', planned: 'text?' },
  changed_since_job: { field: 'field', set: 'text', now: 'text', before: 'text?' },
  left_selection: { where: 'text' },
  no_copy_left: { items: 'texts' },
  /** `exported`, `changed`: times of the API. */
  differs_from_file: { field: 'field', now: 'text', row: 'text' },
  changed_since_export: { exported: 'text', changed: 'text' },
  file_may_have_item: {},
  no_item_when_planned: {},
  may_be_other_item: {},
  key_may_not_be_kept: { key: 'text', sent: 'text', stored: 'text' },
} as const satisfies Params;
