/** How a message shows a field that somebody has changed: when planned, now, and as planned. */
import type { StoredIssue } from '../../ledger/ledger.ts';
import { textForm } from '../../mapping/text-form.ts';
import type { FieldChange } from './field-changes.ts';

const LONGEST = 80;

export interface Drifted extends FieldChange {
  now: unknown;
}

export function driftIssue(fields: readonly Drifted[]): StoredIssue {
  const [first] = fields;
  const message = fields
    .map(
      ({ field, from, now, to }) =>
        `${field} was ${shown(field, from)} when planned, is ${shown(field, now)} now, planned ${shown(field, to)}`,
    )
    .join('; ');
  return { code: 'drifted', message, ...(first === undefined ? {} : { column: first.field }) };
}

/** A value in a message: texts in quotes, an empty one as `blank`, cut to the length of a line. */
export function shown(field: string, value: unknown): string {
  const form = textForm(field, value);
  if (form === '') return 'blank';
  const text = form.length > LONGEST ? `${form.slice(0, LONGEST - 1).toWellFormed()}…` : form;
  return typeof value === 'number' || typeof value === 'boolean' ? text : JSON.stringify(text);
}
