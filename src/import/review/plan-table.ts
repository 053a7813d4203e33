/** A plan as a table for review: one line per item, one column per field, changed cells marked. */
import { count } from '../../counted.ts';
import type { MissingItems } from '../../ledger/job-parts.ts';
import type { JobRecord, Ledger } from '../../ledger/ledger.ts';
import { shownForm } from '../../mapping/text-form.ts';
import { BLANK, changedCell, type MarkedTable } from '../../sheets/marked-table.ts';
import type { MarkedCell } from '../../sheets/xlsx/write-marked.ts';
import { type ChangeRow, changeRows } from './change-rows.ts';
import type { PlanReport } from './plan-report.ts';
import { planCounts } from './plan-view.ts';

/** Further fields share one column. */
const MOST_FIELDS = 60;

export async function planTable(job: JobRecord, ledger: Ledger, report: PlanReport): Promise<MarkedTable> {
  const fields = await fieldsOf(job, ledger);
  return {
    title: `Plan of job ${job.id}`,
    sheet: 'Plan',
    summary: await summaryOf(job, ledger, report),
    columns: ['row', 'what', 'item', 'name', ...fields, 'note'],
    rows: async function* () {
      for await (const rows of changeRows(job, ledger)) yield rows.map((row) => line(row, fields));
    },
  };
}

async function fieldsOf(job: JobRecord, ledger: Ledger): Promise<string[]> {
  const fields = new Set<string>();
  for await (const rows of changeRows(job, ledger, { states: ['planned'] })) {
    for (const { field } of rows.flatMap((row) => row.changes))
      if (fields.size < MOST_FIELDS) fields.add(field);
  }
  return [...fields];
}

function line(row: ChangeRow, fields: readonly string[]): MarkedCell[] {
  const { changes, issues, action } = row;
  const cells = fields.map((field): MarkedCell => {
    const change = changes.find((each) => each.field === field);
    if (change === undefined) return '';
    const to = shownForm(field, change.to);
    return action === 'create'
      ? { text: to === '' ? BLANK : to, mark: 'added' }
      : changedCell(shownForm(field, change.from), to);
  });
  const others = changes
    .filter(({ field }) => !fields.includes(field))
    .map(({ field, from, to }) => `${field}: ${word(field, from)} → ${word(field, to)}`);
  const note = [...issues.map(({ message }) => message), ...others].join('; ');
  const what = row.state === 'planned' ? action : row.state;
  return [
    String(row.row),
    what,
    row.itemId ?? '',
    row.name,
    ...cells,
    issues.length === 0 ? note : { text: note, mark: 'problem' },
  ];
}

async function summaryOf(job: JobRecord, ledger: Ledger, report: PlanReport): Promise<[string, string][]> {
  const { text, missing } = job.request;
  const { create, update, archive, ...others } = await planCounts(job, ledger);
  const { fields, transitions, values, requests, seconds } = report;
  return [
    ['job', job.id],
    ['from', text ?? job.source.file],
    ['create', String(create)],
    ['update', String(update)],
    ...(missing === undefined
      ? []
      : [['archive', archivesOf(archive, job.plan.missing)] as [string, string]]),
    ['unchanged', String(others.unchanged)],
    ['skipped', String(others.skipped)],
    ['held', String(others.held)],
    ['invalid', String(others.invalid)],
    ...fields.map(({ field, items, emptied }): [string, string] => [
      `items whose ${field} changes`,
      emptied === 0 ? String(items) : `${items} (${emptied} emptied)`,
    ]),
    ...transitions.map(({ field, from, to, items }): [string, string] => [
      `${field} ${from ?? 'blank'} → ${to ?? 'blank'}`,
      String(items),
    ]),
    ...values.map(({ currency, before, after, difference }): [string, string] => [
      currency === null ? 'value of new items' : `value in ${currency.toUpperCase()}`,
      currency === null ? after : `${before} → ${after} (${difference})`,
    ]),
    ['requests that write', String(requests.write)],
    ['requests that check items before they change', String(requests.recheck)],
    ['takes', seconds === null ? 'not known yet' : `about ${count(seconds)} s`],
  ];
}

function word(field: string, value: unknown): string {
  const text = shownForm(field, value);
  return text === '' ? BLANK : text;
}

function archivesOf(archives: number, { of, unsafe }: Partial<MissingItems> = {}): string {
  const why = unsafe === undefined ? `of ${of ?? 0} that count` : unsafe;
  return `${archives} (${why})`;
}
