/** Caches the open problems of the last few jobs: counting them in a file of a million rows takes a while. */
import { findJudging } from '../../import/job/judging.ts';
import type { Corrected } from '../../import/correction/correct-job.ts';
import type { PlanIssues } from '../../import/job/plan-issues.ts';
import type { RejudgedRow } from '../../import/correction/judge-again.ts';
import { collectIssues } from '../../import/results/issues.ts';
import type { IssueReason } from '../../mapping/issue-reasons.ts';
import type { JobRecord, Ledger, RowCounts } from '../../ledger/ledger.ts';

const MAX_KEPT = 4;

export class OpenIssuesCache {
  readonly #kept = new Map<string, { revision: number; issues: OpenIssues }>();

  async of(job: JobRecord, ledger: Ledger): Promise<OpenIssues> {
    const judging = await findJudging(job.id, ledger);
    const kept = this.#kept.get(job.id);
    // Rows that are sent change without being checked again.
    const isStill = job.state === 'planned' && job.firstSentAt === undefined && judging?.pending === false;
    if (kept !== undefined && isStill && kept.revision === judging.revision) return kept.issues;
    const issues = await OpenIssues.read(job.id, ledger);
    this.#kept.delete(job.id);
    if (isStill) this.#kept.set(job.id, { revision: judging.revision, issues });
    for (const id of this.#kept.keys()) if (this.#kept.size > MAX_KEPT) this.#kept.delete(id);
    return issues;
  }

  /** Updates the problems after a correction in this process, without reading all rows again. */
  replace(jobId: string, { revision, rows }: Corrected): void {
    const kept = this.#kept.get(jobId);
    if (kept === undefined || rows === undefined || rows.length === 0) return;
    if (kept.revision !== revision - 1) return;
    kept.issues.replace(rows);
    kept.revision = revision;
  }
}

/** The row counts and problems of one job: read from all of its rows, then kept current while rows are mended one by one. */
class OpenIssues {
  readonly counts: RowCounts;
  readonly #issues: PlanIssues;

  private constructor(counts: RowCounts, issues: PlanIssues) {
    this.counts = counts;
    this.#issues = issues;
  }

  /** Reads every invalid row. */
  static async read(jobId: string, ledger: Ledger): Promise<OpenIssues> {
    return new OpenIssues(await ledger.rows.counts(jobId), await collectIssues(jobId, ledger));
  }

  /** Most rows first. */
  reasons(): IssueReason[] {
    return this.#issues.reasons();
  }

  /** Rows that were checked again since. */
  replace(rows: readonly RejudgedRow[]): void {
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
