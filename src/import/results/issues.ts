/** What is wrong with the rows of a job, by reason, read from the ledger. */
import type { Ledger } from '../../ledger/ledger.ts';
import type { IssueReason } from '../../mapping/issue-reasons.ts';
import { PlanIssues } from '../job/plan-issues.ts';
import { rowPages } from '../job/row-pages.ts';

/** Keys as `--json` shows them. */
export type IssueJson = Omit<IssueReason, 'firstRows' | 'inTemplate'> & {
  /** The first rows that have it, at most five. */
  first_rows: IssueReason['firstRows'];
  /** What a template would say instead. */
  in_template?: string;
};

/** The gravest first. Reads every invalid row; the copies of a row are one. */
export async function issuesOf(jobId: string, ledger: Ledger): Promise<IssueReason[]> {
  return (await collectIssues(jobId, ledger)).reasons();
}

/** The same, to be kept up to date. */
export async function collectIssues(jobId: string, ledger: Ledger): Promise<PlanIssues> {
  const issues = new PlanIssues();
  // To look for them would read every row.
  if ((await ledger.rows.counts(jobId)).invalid === 0) return issues;
  for await (const rows of rowPages(ledger, jobId, { states: ['invalid'] })) {
    for (const { copy, sheetRow, sheet, issues: found } of rows)
      if (copy === 0) for (const issue of found) issues.add({ row: sheetRow, sheet }, issue);
  }
  return issues;
}

/** For a summary: absent if no row is invalid. */
export function issuesJson(reasons: readonly IssueReason[]): { issues?: IssueJson[] } {
  if (reasons.length === 0) return {};
  return {
    issues: reasons.map(({ firstRows, inTemplate, ...reason }) => ({
      ...reason,
      first_rows: firstRows,
      ...(inTemplate === undefined ? {} : { in_template: inTemplate }),
    })),
  };
}
