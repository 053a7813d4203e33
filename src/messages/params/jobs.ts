import type { Params } from './kinds.ts';

/** What a job says while it runs. */
export const JOBS = {
  already_imported: { job: 'text' },
  left_out_of_public: { columns: 'texts' },
  kept_columns: { columns: 'texts' },
  held_for_quantity: { rows: 'count', key: 'text' },
  no_item_matches: {},
  template_used: { template: 'text' },
  template_matches: { template: 'text' },
  answers_remembered: { day: 'text', columns: 'texts' },
  together_the_name: { headers: 'texts', text: 'text' },
  words_do_not_fit: { header: 'text', field: 'field', cells: 'count', of: 'count', texts: 'texts' },
  collections_not_known: { header: 'text', texts: 'texts', collection: 'text' },
  column_taken: { header: 'text', field: 'field', reason: 'message' },
  column_guessed: { header: 'text', field: 'field', reason: 'message' },
  updates_own_export: {},
  foreign_export: {},
  could_fill_down: { field: 'field', header: 'text', rows: 'count', blank: 'count' },
} as const satisfies Params;
