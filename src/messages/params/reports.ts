import type { Params } from './kinds.ts';

/** Reports. */
export const REPORTS = {
  bad_zone: { zone: 'text' },
  not_a_month: { given: 'text' },
  not_a_day: { given: 'text' },
  not_a_period: { given: 'text' },
  period_not_over: { period: 'text', end: 'text' },
  no_reading: { at: 'text', days: 'message' },
  no_readings: {},
  readings_of: { days: 'messages', earlier: 'yes' },
  day_range: { from: 'text', to: 'text' },
  report_without_time: { report: 'text' },
  past_day_groups: {},
  sales_no_groups: {},
  no_group_field: { field: 'field' },
  to_group_by_near: {},
  fields_to_group: { known: 'texts' },
  bad_currency: { given: 'text' },
  give_currency: {},
  month_not_zip: { file: 'text' },
  month_needs_store: {},
  no_item_has: { field: 'field' },
  no_item_in_currency: { currency: 'text', others: 'count' },
} as const satisfies Params;
