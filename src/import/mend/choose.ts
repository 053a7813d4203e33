/** Rows that several items match: a person chooses which one each of them means. */
import type { JobRecord, Ledger, LedgerRow, StoredCandidate } from '../../ledger/ledger.ts';
import { OF_KEYS } from '../results/undecided.ts';
import { rowPages } from '../job/row-pages.ts';

/** The items of which one can be chosen for a row; none for a row that needs no choice, or was sent. */
export function choiceOf({ state, attempts, issues }: LedgerRow): readonly StoredCandidate[] {
  if (state !== 'invalid' || attempts > 0) return [];
  return issues.flatMap(({ code, candidates = [] }) => (OF_KEYS.has(code) ? candidates : []));
}

/** The first rows to choose for, in the order of the file, and how many there are. Reads every invalid row. */
export async function rowsToChoose(
  { id, mode }: Pick<JobRecord, 'id' | 'mode'>,
  ledger: Ledger,
  limit: number,
): Promise<{ rows: LedgerRow[]; all: number }> {
  const rows: LedgerRow[] = [];
  let all = 0;
  if (mode === 'create') return { rows, all };
  for await (const page of rowPages(ledger, id, { states: ['invalid'] })) {
    for (const row of page) {
      if (choiceOf(row).length === 0) continue;
      all += 1;
      if (rows.length < limit) rows.push(row);
    }
  }
  return { rows, all };
}
