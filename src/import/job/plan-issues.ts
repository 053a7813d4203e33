import type { StoredIssue } from '../../ledger/ledger.ts';
import type { RowIssue } from '../../mapping/issue.ts';
import { IssueReasons, type RowPlace } from '../../mapping/issue-reasons.ts';
import type { Emit } from './events.ts';

/** Collects what is wrong with rows as it is stored with them, and reports it by reason. */
export class PlanIssues {
  readonly #reasons = new IssueReasons();

  /** @param found the value that the problem is about */
  add(place: RowPlace, issue: StoredIssue, found?: string): void {
    this.#reasons.add(place, { ...rowIssue(issue), ...(found === undefined ? {} : { found }) });
  }

  /** Takes the problems of a row back that was added with them. */
  remove(place: RowPlace, issues: readonly StoredIssue[]): void {
    this.#reasons.remove(place, issues.map(rowIssue));
  }

  reasons(): ReturnType<IssueReasons['reasons']> {
    return this.#reasons.reasons();
  }

  /** Reports the reasons, if there are any. */
  tell(emit: Emit): void {
    if (!this.#reasons.isEmpty) emit({ type: 'issues', reasons: this.reasons() });
  }
}

/** A stored problem as it was when the row was read; a problem of the plan is of a field, not of a column. */
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
