/**
 * Corrections from the page: each is a step in the job's undo list. The engine checks them while the page
 * waits or shows progress.
 */
import { type Corrected, type CorrectionRequest, correctJob } from '../../import/correction/correct-job.ts';
import { jobColumns } from '../../import/correction/job-rows.ts';
import type { JobRecord, Ledger } from '../../ledger/ledger.ts';
import type { IssueReason } from '../../mapping/issue-reasons.ts';
import type { UiContext } from '../ui.ts';
import type { Workspace } from './workspace.ts';

/** Most corrections take a moment; for a large file, the person watches the progress instead. */
const WAIT_MS = 1500;

/**
 * Corrects a job, and answers with the next screen.
 *
 * @throws BusyError while something else is under way for the job
 * @param part answers a request of the grid with the changed rows, if only single rows have changed
 */
export async function mendAndGo(
  c: UiContext,
  job: JobRecord,
  request: Omit<CorrectionRequest, 'run'>,
  next: string,
  part?: (mended: Corrected | undefined) => Promise<Response>,
): Promise<Response> {
  const { workspace } = c.var;
  let mended: Corrected | undefined;
  const run = await workspace.start(job.id, 'judging', async (deps) => {
    mended = await correctJob(job.id, request, deps);
    workspace.openIssues.replace(job.id, mended);
    return undefined;
  });
  const patience = Promise.withResolvers<void>();
  const timer = setTimeout(patience.resolve, WAIT_MS);
  await Promise.race([run.ended, patience.promise]);
  clearTimeout(timer);
  const to = run.isOver ? next : `/job/${job.id}/sending`;
  const isPart = c.req.header('HX-Request') !== undefined && part !== undefined && run.isOver;
  return isPart && (mended === undefined || mended.rows !== undefined) ? part(mended) : goTo(c, to);
}

/** Shows a screen, also if the browser requested a part of the page. */
export function goTo(c: UiContext, screen: string): Response {
  return c.req.header('HX-Request') === undefined
    ? c.redirect(screen, 303)
    : c.body(null, 204, { 'HX-Redirect': screen });
}

/** Why the last correction was refused; a refused correction changes nothing. */
export function refusalOf(workspace: Workspace, job: string): Error | undefined {
  const run = workspace.run(job);
  return run?.kind === 'judging' && run.isOver ? run.error : undefined;
}

const WORDS: ReadonlySet<string> = new Set([
  'unknown_word',
  'inexact_word',
  'approximate_number',
  'uncertain_year',
  'out_of_range',
  'wrong_currency',
  'unclear_currency',
  'unknown_collection',
]);

/**
 * How a correction names the column of a reason: by its header, or by its letter if several columns have the same
 * header.
 */
export async function columnOf(
  { header = '', column }: Pick<IssueReason, 'header' | 'column'>,
  job: JobRecord,
  ledger: Ledger,
): Promise<string | undefined> {
  if (header === '' || column === undefined) return column;
  const columns = await jobColumns(job.id, ledger);
  const same = columns.filter((each) => each.sheet === columns[0]?.sheet && each.header === header);
  return same.length === 1 ? header : column;
}

/** Whether a kind of problem is a choice for a whole column, made on the screen of words. */
export function isChoice(code: string): boolean {
  return WORDS.has(code);
}

/**
 * The screen after the columns: that of words if there are choices to make, or of single rows if only these are left.
 */
export async function nextScreen(job: JobRecord, { ledger, openIssues }: Workspace): Promise<string> {
  const reasons = (await openIssues.of(job, ledger)).reasons();
  if (reasons.some(({ code }) => isChoice(code))) return `/job/${job.id}/words`;
  return reasons.length > 0 ? `/job/${job.id}/mend` : `/job/${job.id}/plan`;
}
