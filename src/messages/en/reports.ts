import type { REPORTS } from '../params/reports.ts';
import type { TextsOf } from '../texts.ts';
import { counted, list } from './format.ts';

export const EN_REPORTS: TextsOf<typeof REPORTS> = {
  bad_zone: ({ zone }) => `"${zone}" is not a time zone; use one such as Europe/Berlin.`,
  not_a_month: ({ given }) => `"${given}" is not a month; use one such as 2026-10.`,
  not_a_day: ({ given }) => `"${given}" is not a day; use one such as 2026-10-31.`,
  not_a_period: ({ given }) => `"${given}" is not a period; use one such as 2026, 2026-10 or 2026-10-31.`,
  period_not_over: ({ period, end }) =>
    `${period} is not over: it ends at ${end}, and its figures are not final before then.`,
  no_reading: ({ at, days }, say) => `There is no reading within a day of ${at}. ${say(days)}`,
  only_one_reading: ({ start, end, at }) =>
    `The reading of ${at} is the nearest to both ${start} and ${end}, so the sales in between are not known.`,
  reading_incomplete: ({ at }) => `Items of the reading of ${at} have been deleted from the store.`,
  no_readings: () => 'The store has no usable reading.',
  readings_of: ({ days, earlier }, say) =>
    `The store has readings of ${earlier ? 'earlier days and of ' : ''}${days.map(say).join(', ')}.`,
  day_range: ({ from, to }) => `${from} to ${to}`,
  report_without_time: ({ report }) => `The ${report} report is not available for that time.`,
  past_day_groups: () =>
    'For a past day, only collections and statuses are known, so the report cannot group by anything else.',
  sales_no_groups: () => 'The sales report has totals only: there are no items to group.',
  no_group_field: ({ field }) => `There is no field "${field}" to group by.`,
  to_group_by_near: () => 'To group by the field with a similar name',
  fields_to_group: ({ known }) => `Fields: ${list(known)}.`,
  bad_currency: ({ given }) =>
    `"${given}" is not an ISO 4217 currency with a minor unit: the number of its decimal places is unknown.`,
  give_currency: () =>
    'Give a three-letter code, such as USD, EUR or JPY, or give no currency to get the raw amounts.',
  month_not_zip: ({ file }) => `A monthly report is a package of files: ${file} does not end in .zip.`,
  month_needs_store: () => 'A monthly report needs the readings in a store, and there is no store.',
  no_item_in_currency: ({ currency, others }) =>
    `No item is in ${currency}: ${counted(others, 'item is', 'items are')} in other currencies.`,
  items_may_be_missing: () =>
    'The list changed while it was read, so some items may be missing. See Completeness.',
  collections_by_id: () =>
    'Collections are shown by id: the key has no permission to read their names (collections:read).',
  other_currencies_left_out: ({ items, currency }) =>
    `${counted(items, 'item', 'items')} not in ${currency} ${items === 1 ? 'is' : 'are'} left out, as requested.`,
  month_without_opening: ({ at, days }, say) =>
    `There is no reading with items within a day of ${at}, so additions and departures are not known. ${say(days)}`,
  month_sales_unknown: ({ why }, say) => `The sales of the month are not known. ${say(why)}`,
  sales_not_permitted: () =>
    'The sales are not known: the key has no permission to read them (analytics:read).',
  keep_readings: () => 'Schedule a report for each night to keep readings of later days.',
};
