/** The numbers of a plan as messages, for the terminal and the plan file. */
import { message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';
import { cut } from '../../mapping/casts/cast.ts';
import type { PlanReport, ValueEffect } from './plan-report.ts';

/** Maximum number of similar items to name. */
const ITEMS_SHOWN = 5;

/** @param most maximum number of fields and transitions to name */
export function planFacts(report: PlanReport, most = Number.POSITIVE_INFINITY): Message[] {
  const { fields, transitions, values, requests, rate, estimatedMs, reading, similar } = report;
  const { items: likes = [], rows: alike = 0 } = similar ?? {};
  const more = (all: readonly unknown[]) => Math.max(0, all.length - most);
  const changes = fields.slice(0, most).map((each) => message('field_changes', each));
  const words = transitions
    .slice(0, most)
    .map(({ field, from, to, items }) =>
      message('word_changes', { field, items, ...given('from', from), ...given('to', to) }),
    );
  const { write: writes, read: reads, recheck } = requests;
  const pace = rate === null || estimatedMs === null ? {} : { perSecond: rate, ms: estimatedMs };
  return [
    ...(changes.length === 0 ? [] : [message('plan_fields', { fields: changes, more: more(fields) })]),
    ...(words.length === 0 ? [] : [message('plan_words', { words, more: more(transitions) })]),
    ...values.map(valueFact),
    ...(similar === undefined ? [] : [message('rows_look_alike', { rows: alike })]),
    ...likes
      .slice(0, ITEMS_SHOWN)
      .map(({ id, name, rows }) => message('looks_like', { item: id, name: cut(name), rows })),
    ...(reading === undefined
      ? []
      : [
          message('items_read', {
            items: reading.items,
            requests: reading.requests,
            isEach: reading.way === 'each',
            ...(reading.otherwise === undefined ? {} : { otherwise: reading.otherwise }),
          }),
        ]),
    ...(writes === 0 ? [] : [message('plan_cost', { writes, reads, recheck, ...pace })]),
  ];
}

function valueFact({ currency, before, after, difference, byStatus }: ValueEffect): Message {
  const statuses = byStatus.map((each) =>
    message('value_of_status', {
      status: each.status,
      after: each.after,
      ...(currency === null ? {} : { before: each.before }),
    }),
  );
  return currency === null
    ? message('value_of_new', { value: after, statuses })
    : message('value_changes', { currency: currency.toUpperCase(), before, after, difference, statuses });
}

function given<Name extends string>(name: Name, value: string | null): { [N in Name]?: string } {
  return (value === null ? {} : { [name]: value }) as { [N in Name]?: string };
}
