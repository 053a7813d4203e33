/**
 * Counts the rows that become ready with each set of answers: rows that wait for the same answers are counted together.
 */
import { rowPages } from '../../../import/job/row-pages.ts';
import type { JobRecord, Ledger } from '../../../ledger/ledger.ts';
import type { IssueReason } from '../../../mapping/issue-reasons.ts';
import { isWordField } from '../../../mapping/word-lists.ts';
import { takesRest } from './answers.ts';

/** Rows, and the names of the fields of the form that have to be answered for them. */
export type Waiting = [rows: number, fields: string[]];

/** If more rows have problems, the page shows no number, because reading them would take too long. */
const MAX_ROWS = 20_000;

export async function waitingFor(
  { id }: Pick<JobRecord, 'id'>,
  reasons: readonly IssueReason[],
  ledger: Ledger,
): Promise<Waiting[] | undefined> {
  const { invalid } = await ledger.rows.counts(id);
  if (invalid > MAX_ROWS) return undefined;
  const counts = new Map<string, number>();
  for await (const rows of rowPages(ledger, id, { states: ['invalid'] })) {
    for (const { issues } of rows) {
      const fields = issues.map((issue) => {
        const { code } = issue;
        const at = reasons.findIndex(
          ({ column, field, ...each }) =>
            each.code === code && column === issue.letter && (column !== undefined || field === issue.field),
        );
        const reason = reasons[at];
        if (reason === undefined) return 'mend';
        const isOfWords = code === 'unknown_collection' || isWordField(reason.field ?? '');
        if (!isOfWords) return `all-${at}`;
        const word = reason.values.findIndex(({ text }) => text === issue.found);
        if (word >= 0) return `word-${at}-${word}`;
        return takesRest(reason) ? `word-${at}-0` : 'mend';
      });
      const key = [...new Set(fields)].sort().join(' ');
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return [...counts].map(([key, rows]) => [rows, key.split(' ')]);
}
