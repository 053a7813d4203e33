/** What a dry run leaves on stdout: the plan, in words for a person or in full as JSON. */
import { once } from 'node:events';
import type { JobDeps } from '../../import/job/deps.ts';
import { changeRows, rowJson, toChangeRow } from '../../import/review/change-rows.ts';
import { plannedArchives } from '../../import/job/missing-rows.ts';
import type { JobOutcome } from '../../import/results/summary.ts';
import type { JobRecord, Ledger } from '../../ledger/ledger.ts';
import type { GlobalFlags } from '../flags.ts';
import { outcomeText, print, reportOutcome } from './output.ts';
import { wrapped } from './words.ts';
import {
  FIRST_ROWS,
  isOfKind,
  type Kind,
  kinds,
  type KindShown,
  planScreen,
  reportText,
  rowsText,
} from './plan-text.ts';
import { count } from '../../counted.ts';

/** Reports how a job ended; of a dry run also what it plans. Called while the ledger is open. */
export async function reportPlan(
  outcome: JobOutcome,
  { ledger }: Pick<JobDeps, 'ledger'>,
  flags: GlobalFlags,
): Promise<void> {
  const { changes, job: id } = outcome.summary;
  if (changes === undefined) {
    reportOutcome(outcome, flags);
    return;
  }
  const job = await ledger.jobs.find(id);
  if (flags.json === true) {
    reportOutcome(outcome, flags, await planJson(job, outcome, ledger));
    return;
  }
  const width = process.stdout.columns;
  if (width === undefined || flags.verbose === true) {
    const text = reportText(changes);
    if (text !== '') print(text);
    await printRows(job, ledger, flags);
    reportOutcome(outcome, flags);
    return;
  }
  const end = outcomeText(outcome, flags);
  print(planScreen(changes, await firstRows(job, ledger), { width, end }));
  print(wrapped(end, width));
  process.exitCode = outcome.exitCode;
}

async function firstRows(job: JobRecord, ledger: Ledger): Promise<KindShown[]> {
  const shown: KindShown[] = [];
  for (const { title, count: total, ...query } of await kindsOf(job, ledger)) {
    if (total === 0) continue;
    const first = await ledger.rows.list(job.id, { ...query, limit: FIRST_ROWS });
    const rows = first.map(toChangeRow).filter((row) => isOfKind({ title }, row));
    shown.push({ title, count: total, rows });
  }
  return shown;
}

async function kindsOf(job: JobRecord, ledger: Ledger): Promise<Kind[]> {
  const archives = await plannedArchives(job, ledger);
  const { after = 0 } = job.plan.missing ?? {};
  return kinds(await ledger.rows.counts(job.id), { count: archives.length, after });
}

/** Rows by kind: the first of each, or all with `--verbose`. */
export async function printRows(job: JobRecord, ledger: Ledger, flags: GlobalFlags): Promise<void> {
  const width = process.stdout.columns ?? 100;
  for (const { title, count: total, ...query } of await kindsOf(job, ledger)) {
    if (total === 0) continue;
    print(`\n${title}`);
    let shown = 0;
    for await (const all of changeRows(job, ledger, query)) {
      const rows = all.filter((row) => isOfKind({ title }, row));
      if (rows.length === 0) continue;
      const some = flags.verbose === true ? rows : rows.slice(0, FIRST_ROWS - shown);
      shown += some.length;
      print(rowsText(some, width));
      if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain');
      if (flags.verbose !== true && shown >= FIRST_ROWS) break;
    }
    if (total > shown) print(`… and ${count(total - shown)} more (--verbose shows all)`);
  }
  print('');
}

/** The summary with every row that is compared with an item. Rows of a create alone are those of the file. */
async function planJson(job: JobRecord, outcome: JobOutcome, ledger: Ledger): Promise<unknown> {
  const { summary } = outcome;
  if (job.mode === 'create') return summary;
  const rows: unknown[] = [];
  for await (const page of changeRows(job, ledger)) rows.push(...page.map(rowJson));
  return { ...summary, changes: { ...summary.changes, rows } };
}
