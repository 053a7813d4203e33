import type { TERMINAL } from '../params/terminal.ts';
import type { TextsOf } from '../texts.ts';
import { count, counted, duration } from './format.ts';

export const EN_TERMINAL: TextsOf<typeof TERMINAL> = {
  label_note: () => 'note',
  label_warning: () => 'warning',
  detected_as: ({ parts }, say) => `detected: ${parts.map(say).join(' · ')}`,
  columns_used: ({ pairs }) => `columns: ${pairs.join(', ')}`,
  columns_ignored: ({ columns, more }) =>
    `ignored: ${columns.join(', ')}${more === undefined ? '' : `, and ${count(more)} more`}`,
  problems_of_rows: ({ rows, problem, column, expected, places, isMore }, say) =>
    [
      `${counted(rows, 'row')}: ${say(problem).replace(/\.$/, '')}`,
      column === undefined ? '' : ` (column ${column})`,
      expected === undefined ? '' : `: expected ${say(expected)}`,
      `; ${rows === 1 ? 'row' : 'rows'} ${places.map(say).join(', ')}${isMore ? ' …' : ''}`,
    ].join(''),
  row_on_line: ({ row, line }) => `${row} (line ${line})`,
  values_and_more: ({ values, more }) =>
    `${values.join(', ')}${more > 0 ? `, and ${counted(more, 'other')}` : ''}`,
  rows_being_read: ({ rows }) => `reading: ${counted(rows, 'row')}`,
  rows_checked_again: ({ done, total }) => `checking again: ${count(done)} of ${count(total)}`,
  items_compared: ({ done, total }) =>
    `comparing with current items: ${count(done)}${total === undefined ? '' : ` of ${count(total)}`}`,
  being_sent: ({ done, total, areItems, percent, perSecond, left }) =>
    [
      `sending: ${count(done)} of ${counted(total, areItems ? 'item' : 'row')} (${percent}%)`,
      perSecond === undefined ? '' : `, ${perSecond.toFixed(1)}/s`,
      left === undefined ? '' : `, ${duration(left)} left`,
    ].join(''),
  waits_for_limit: ({ wait, until }) =>
    `rate limit: waiting ${duration(wait)}${until === undefined ? '' : `, until ${until}`}`,
  answers_were_lost: ({ answers, wait }) =>
    `${counted(answers, 'answer was', 'answers were')} lost: waiting ${duration(wait)} for the server to finish, then looking ${answers === 1 ? 'it' : 'them'} up`,
  no_answer_since: ({ since, next, why }, say) =>
    `no answer from the API since ${since}; next try in ${duration(next)}. ${say(why)}`,
  waits_for_lane: ({ job, host, process, since }) =>
    `waiting for job ${job}, which uses the same key (${host}, pid ${process}, since ${since})`,
  changed_by_others: ({ row, name, item, change }, say) =>
    `changed by somebody else: row ${row}, ${name} (${item}): ${say(change)}`,
  export_continues: ({ since, rows, option }) =>
    `continuing the export interrupted at ${since}: ${counted(rows, 'row is', 'rows are')} already read (${option} reads everything again)`,
  tries_again: ({ why, wait, number }, say) =>
    `${say(why)} Trying again in ${duration(wait)} (try ${number}).`,
  list_being_read: ({ seen, entries, percent, pages, selected, perSecond, left }) =>
    [
      entries === undefined
        ? `reading: ${count(seen)}`
        : `reading: ${count(seen)} of ${count(entries)} (${percent}%)`,
      counted(pages, 'page'),
      ...(selected === undefined ? [] : [`${counted(selected, 'row')} selected`]),
      ...(perSecond === undefined ? [] : [`${count(perSecond)}/s`]),
      ...(left === undefined ? [] : [`${duration(left)} left`]),
    ].join(', '),
  rows_being_written: ({ rows }) => `writing: ${counted(rows, 'row')}`,
  plan_updates: () => 'UPDATES',
  plan_creates: () => 'CREATES',
  plan_archives: () => 'ARCHIVES',
  plan_held: () => 'HELD',
  plan_invalid: () => 'INVALID',
  plan_skipped: () => 'SKIPPED',
  plan_unchanged: () => 'UNCHANGED',
  head_row: () => 'ROW',
  head_item: () => 'ITEM',
  head_name: () => 'NAME',
  head_field: () => 'FIELD',
  head_change: () => 'OLD → NEW',
  rows_not_shown: ({ rows, option }) => `… and ${count(rows)} more (${option} shows all)`,
  rest_not_shown: ({ option }) => `… (${option} shows all)`,
  totals_only: ({ totals, option }) => `${totals} (${option} shows all)`,
  blank_value: () => 'blank',
  same_as_earlier_row: () => 'the same as an earlier row',
  stays_as_it_is: () => 'as it is',
};
