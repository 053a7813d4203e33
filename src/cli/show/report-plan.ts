/** The output of a dry run on stdout: the plan, in words or in full as JSON. */
import { once } from 'node:events';
import type { JobDeps } from '../../import/job/deps.ts';
import { type ChangeRow, changeRows, toChangeRow } from '../../import/review/change-rows.ts';
import { firstOfKind, PLAN_KINDS, planCounts, rowsOfKind } from '../../import/review/plan-view.ts';
import type { JobOutcome } from '../../import/results/summary.ts';
import type { JobRecord, Ledger } from '../../ledger/ledger.ts';
import type { GlobalFlags } from '../flags.ts';
import { outcomeText, print, reportOutcome } from './output.ts';
import { wrapped } from './words.ts';
import {
  FIRST_ROWS,
  type KindShown,
  moreText,
  planScreen,
  reportText,
  rowsText,
  titleOf,
} from './plan-text.ts';

/** Reports the outcome of a job, and for a dry run also the plan. Call it while the ledger is open. */
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
    reportOutcome(outcome, flags, await comparedRows(job, ledger));
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
  print(planScreen(changes, await kindsShown(job, ledger), { width, end }));
  print(wrapped(end, width));
  process.exitCode = outcome.exitCode;
}

async function kindsShown(job: JobRecord, ledger: Ledger): Promise<KindShown[]> {
  const counts = await planCounts(job, ledger);
  const shown: KindShown[] = [];
  for (const kind of PLAN_KINDS) {
    if (counts[kind] === 0) continue;
    const rows = await firstOfKind(job, ledger, kind, FIRST_ROWS);
    shown.push({ kind, count: counts[kind], rows: rows.map(toChangeRow) });
  }
  return shown;
}

/** Rows by kind: the first of each, or all with `--verbose`. */
async function printRows(job: JobRecord, ledger: Ledger, flags: GlobalFlags): Promise<void> {
  const width = process.stdout.columns ?? 100;
  for (const { kind, count: total, rows: first } of await kindsShown(job, ledger)) {
    print(`\n${titleOf(kind)}`);
    if (flags.verbose !== true) {
      print(rowsText(first, width));
      if (total > first.length) print(moreText(total - first.length));
      continue;
    }
    for await (const rows of rowsOfKind(job, ledger, kind)) {
      if (rows.length > 0) print(rowsText(rows.map(toChangeRow), width));
      if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain');
    }
  }
  print('');
}

/** Every row that is compared with an item. The rows of a pure create are those of the file. */
async function comparedRows(job: JobRecord, ledger: Ledger): Promise<{ rows?: ChangeRow[] }> {
  return job.mode === 'create' ? {} : { rows: (await Array.fromAsync(changeRows(job, ledger))).flat() };
}
