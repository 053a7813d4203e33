/** What is left to mend of a job: read once from all of its rows, then kept while rows are mended one by one. */
import type { Ledger, RowCounts } from '../../ledger/ledger.ts';
import type { IssueReason } from '../../mapping/issue-reasons.ts';
import type { PlanIssues } from '../job/plan-issues.ts';
import { collectIssues } from '../results/issues.ts';
import type { MendedRow } from './judge-again.ts';

export class Standing {
  readonly counts: RowCounts;
  readonly #issues: PlanIssues;

  private constructor(counts: RowCounts, issues: PlanIssues) {
    this.counts = counts;
    this.#issues = issues;
  }

  /** Reads every invalid row. */
  static async read(jobId: string, ledger: Ledger): Promise<Standing> {
    return new Standing(await ledger.rows.counts(jobId), await collectIssues(jobId, ledger));
  }

  /** The gravest first. */
  reasons(): IssueReason[] {
    return this.#issues.reasons();
  }

  /** Rows that were judged again since. */
  replace(rows: readonly MendedRow[]): void {
    for (const { before, after } of rows) {
      this.counts[before.state] -= 1;
      this.counts[after.state] += 1;
      if (before.copy > 0) continue;
      const place = { row: before.sheetRow, sheet: before.sheet };
      if (before.state === 'invalid') this.#issues.remove(place, before.issues);
      if (after.state === 'invalid') for (const issue of after.issues) this.#issues.add(place, issue);
    }
  }
}
