/** The problems of a job's rows by reason, read from the ledger. */
import type { Ledger } from '../../ledger/ledger.ts';
import type { IssueReason } from '../../mapping/issue-reasons.ts';
import { PlanIssues } from '../job/plan-issues.ts';
import { rowPages } from '../job/row-pages.ts';
import { mendActions, templateAdvice } from '../../mapping/issue-actions.ts';
import { adviceOf } from '../../messages/message.ts';
import type { JobAction } from '../../messages/params.ts';

/** A reason why rows are invalid, and the possible corrections. */
export interface RowsIssue extends IssueReason {
  /** Corrections that mend the rows, the likeliest first: `jobs.mend(issue.actions[0].job, issue.actions[0])`. */
  actions?: readonly JobAction[];
  /** The equivalent lines of a template. */
  inTemplate?: string;
}

/** Most rows first. Reads every invalid row; the copies of a row count as one. */
export async function issuesOf(jobId: string, ledger: Ledger): Promise<IssueReason[]> {
  return (await collectIssues(jobId, ledger)).reasons();
}

/** Like `issuesOf`, for a caller that keeps the reasons up to date. */
export async function collectIssues(jobId: string, ledger: Ledger): Promise<PlanIssues> {
  const issues = new PlanIssues();
  // Looking for them would mean reading every row.
  if ((await ledger.rows.counts(jobId)).invalid === 0) return issues;
  for await (const rows of rowPages(ledger, jobId, { states: ['invalid'] })) {
    for (const { copy, sheetRow, sheet, issues: found } of rows)
      if (copy === 0) for (const issue of found) issues.add({ row: sheetRow, sheet }, issue);
  }
  return issues;
}

export async function issuesWithActions(job: string, ledger: Ledger): Promise<{ issues?: RowsIssue[] }> {
  const reasons = await issuesOf(job, ledger);
  if (reasons.length === 0) return {};
  return {
    issues: reasons.map((reason) => {
      const actions = mendActions(reason, job);
      const inTemplate = adviceOf(templateAdvice(reason));
      return {
        ...reason,
        ...(actions.length === 0 ? {} : { actions }),
        ...(inTemplate === undefined ? {} : { inTemplate }),
      };
    }),
  };
}
