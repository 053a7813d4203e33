import type { StoredIssue } from '../../ledger/ledger.ts';
import { IssueGroups } from '../../mapping/group-issues.ts';
import type { Emit } from './events.ts';

/** What is said of several rows, where the message of each names what is its own. */
const OF_SEVERAL: Record<string, (key: string) => string> = {
  no_such_item: (key) => `no item has this ${key}`,
  duplicate_key: (key) => `the same ${key} stands in rows that disagree`,
  ambiguous_match: (key) => `${key} fits several items`,
};

/** What is found wrong with rows once they are compared with the API: told in groups, as what reading finds. */
export class PlanIssues {
  readonly #groups = new IssueGroups();

  /** @param found what keeps issues of one kind apart; none where each row has its own */
  add(sheetRow: number, { code, message, column }: StoredIssue, found?: string): void {
    this.#groups.add(sheetRow, {
      code,
      message,
      ...(column === undefined ? {} : { field: column }),
      ...(found === undefined ? {} : { found }),
    });
  }

  /** Nothing where there is nothing to tell. */
  tell(emit: Emit): void {
    if (this.#groups.total === 0) return;
    const groups = this.#groups.groups().map((group) => {
      const general = OF_SEVERAL[group.code];
      return group.count === 1 || general === undefined
        ? group
        : { ...group, message: general(group.field ?? 'key') };
    });
    emit({ type: 'issues', groups });
  }
}
