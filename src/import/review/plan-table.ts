/** A plan as a table for review: one line per item, one column per field, changed cells marked. */
import type { JobRecord, Ledger } from '../../ledger/ledger.ts';
import { english, message } from '../../messages/message.ts';
import { placeText } from '../../mapping/issue-reasons.ts';
import { shownForm } from '../../mapping/text-form.ts';
import { BLANK, changedCell, type MarkedTable } from '../../sheets/marked-table.ts';
import type { MarkedCell } from '../../sheets/xlsx/write-marked.ts';
import { type ChangeRow, changeRows } from './change-rows.ts';
import { planFacts } from './plan-facts.ts';
import type { PlanReport } from './plan-report.ts';
import { planCounts } from './plan-view.ts';

/** Fields beyond this number share a column. */
const MAX_FIELDS = 60;

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
      if (fields.size < MAX_FIELDS) fields.add(field);
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
    placeText(row),
    what,
    row.itemId ?? '',
    row.name,
    ...cells,
    issues.length === 0 ? note : { text: note, mark: 'problem' },
  ];
}

async function summaryOf(job: JobRecord, ledger: Ledger, report: PlanReport): Promise<[string, string][]> {
  const { text, missing, undoes } = job.request;
  const { of = 0, unsafe } = job.plan.missing ?? {};
  const counts = await planCounts(job, ledger);
  const plan = message('job_plan', { ...counts, isUndo: undoes !== undefined });
  const lacking =
    unsafe === undefined
      ? message('items_missing', { of, archive: counts.archive })
      : message('none_missing_known', { why: unsafe });
  const facts = [plan, ...(missing === undefined ? [] : [lacking]), ...planFacts(report)];
  return [
    ['job', job.id],
    ['from', text ?? job.source.file],
    ...facts.map((fact): [string, string] => [english(fact).trim(), '']),
  ];
}

function word(field: string, value: unknown): string {
  const text = shownForm(field, value);
  return text === '' ? BLANK : text;
}
