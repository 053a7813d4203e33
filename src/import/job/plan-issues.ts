import type { StoredIssue } from '../../ledger/ledger.ts';
import { IssueGroups } from '../../mapping/group-issues.ts';
import type { Emit } from './events.ts';

/** Messages for several rows, if the message of each row names details of its own. */
const OF_SEVERAL: Record<string, (key: string) => string> = {
  no_such_item: (key) => `no item has this ${key}`,
  duplicate_key: (key) => `rows with the same ${key} disagree`,
  ambiguous_match: (key) => `more than one item has this ${key}`,
};

/** Collects what is wrong with rows once they are compared with the API, and reports it in groups. */
export class PlanIssues {
  readonly #groups = new IssueGroups();

  /** @param found keeps issues with one code apart: a group for each text */
  add(sheetRow: number, { code, message, column }: StoredIssue, found?: string): void {
    this.#groups.add(sheetRow, {
      code,
      message,
      ...(column === undefined ? {} : { field: column }),
      ...(found === undefined ? {} : { found }),
    });
  }

  /** Reports the groups, if there are any. */
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
