import type { Params } from './kinds.ts';

/** Changes to the cells of a row. */
export const CELLS = {
  filled_down: { column: 'text', text: 'text' },
  corrected: { column: 'text', letter: 'text?', from: 'text', to: 'text' },
  taken_as_item: {},
  read_as: { field: 'field', text: 'text', value: 'text', isRange: 'yes' },
  taken_as: { field: 'field', text: 'text', value: 'text' },
  year_kept: { text: 'text' },
  date_kept: { text: 'text' },
  filler_row: { text: 'text' },
  converted: { field: 'field', from: 'text', to: 'text', rate: 'text', currency: 'text' },
} as const satisfies Params;

/** Likely readings in a column: the number of cells, the first cell, and its reading. */
export const LIKELY = {
  likely_words: { column: 'text', header: 'text', cells: 'count', text: 'text', as: 'text' },
  years_kept: { column: 'text', header: 'text', cells: 'count', text: 'text' },
  dates_kept: { column: 'text', header: 'text', cells: 'count', text: 'text' },
  cells_blank: { column: 'text', header: 'text', cells: 'count', texts: 'texts' },
  fillers_left_out: { column: 'text', header: 'text', cells: 'count', text: 'text' },
} as const satisfies Params;

/** Notes about a whole column; `column` is its letter. */
export const WHOLE_COLUMNS = {
  ...LIKELY,
  secret_not_sent: { column: 'text', header: 'text' },
  decimal_decided: { column: 'text', header: 'text', isComma: 'yes' },
  currency_not_sent: { column: 'text', header: 'text', values: 'count', currencies: 'text' },
  approximate_read: {
    column: 'text',
    header: 'text',
    values: 'count',
    ranges: 'count',
    text: 'text',
    as: 'text',
  },
  long_numbers_kept: { column: 'text', header: 'text', text: 'text' },
  commas_in_tags: { column: 'text', header: 'text', cells: 'count', text: 'text' },
} as const satisfies Params;
