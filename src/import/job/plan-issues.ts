import type { StoredIssue } from '../../ledger/ledger.ts';
import type { RowIssue } from '../../mapping/issue.ts';
import { IssueReasons, type RowPlace } from '../../mapping/issue-reasons.ts';
import type { Emit } from './events.ts';

/** Collects problems of rows in the form in which they are stored, and reports them by reason. */
export class PlanIssues {
  readonly #reasons = new IssueReasons();

  /** @param found the value that has the problem */
  add(place: RowPlace, issue: StoredIssue, found?: string): void {
    this.#reasons.add(place, { ...rowIssue(issue), ...(found === undefined ? {} : { found }) });
  }

  /** Removes problems of a row that were added before. */
  remove(place: RowPlace, issues: readonly StoredIssue[]): void {
    this.#reasons.remove(place, issues.map(rowIssue));
  }

  reasons(): ReturnType<IssueReasons['reasons']> {
    return this.#reasons.reasons();
  }

  tell(emit: Emit): void {
    if (!this.#reasons.isEmpty) emit({ type: 'issues', reasons: this.reasons() });
  }
}

/** A stored problem in the form it had when the row was read; a problem of the plan has a field instead of a column. */
function rowIssue({
  code,
  said,
  message,
  column,
  letter,
  field,
  found,
  offers,
  rate,
}: StoredIssue): RowIssue {
  const at = field ?? (letter === undefined ? column : undefined);
  return {
    code,
    ...(said === undefined ? {} : { said }),
    message,
    ...(at === undefined ? {} : { field: at }),
    ...(letter === undefined ? {} : { column: letter }),
    ...(letter === undefined || column === undefined || column === letter ? {} : { header: column }),
    ...(found === undefined ? {} : { found }),
    ...(offers === undefined ? {} : { offers: offers as NonNullable<RowIssue['offers']> }),
    ...(rate === undefined ? {} : { rate }),
  };
}
