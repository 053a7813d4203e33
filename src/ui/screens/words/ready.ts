/**
 * Counts the rows that become ready with each set of answers: rows that wait for the same answers are counted together.
 */
import { rowPages } from '../../../import/job/row-pages.ts';
import type { JobRecord, Ledger } from '../../../ledger/ledger.ts';
import type { IssueReason } from '../../../mapping/issue-reasons.ts';
import { isWordField } from '../../../mapping/word-lists.ts';
import { answerName, takesRest } from './answers.ts';

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
        const reason = reasons.find(
          ({ column, field, ...each }) =>
            each.code === code && column === issue.letter && (column !== undefined || field === issue.field),
        );
        if (reason === undefined) return 'mend';
        const isOfWords = code === 'unknown_collection' || isWordField(reason.field ?? '');
        if (!isOfWords) return answerName(reason, 'all');
        const word = issue.found;
        if (word !== undefined && reason.values.some(({ text }) => text === word))
          return answerName(reason, { word });
        return takesRest(reason) ? answerName(reason, 'rest') : 'mend';
      });
      const key = [...new Set(fields)].sort().join(' ');
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return [...counts].map(([key, rows]) => [rows, key.split(' ')]);
}
