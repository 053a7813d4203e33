import type { Ledger, LedgerRow, MoveOptions, RowMove, RowQuery } from '../../ledger/ledger.ts';

/**
 * The rows of a job that match a query, in order, a page at a time: a job may have a million rows.
 *
 * The caller may move the rows of a page before taking the next page, because each page begins after the last row of
 * the previous page.
 */
export async function* rowPages(
  ledger: Ledger,
  jobId: string,
  query: Omit<RowQuery, 'limit'> = {},
  limit = 500,
): AsyncGenerator<LedgerRow[], void> {
  for (let { after = 0 } = query; ; ) {
    const rows = await ledger.rows.list(jobId, { ...query, after, limit });
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.ordinal;
    yield rows;
  }
}

export type Decision = Omit<RowMove, 'ordinal' | 'from'>;

/**
 * Moves the rows of a job that match a query, in order, with one transaction per page.
 *
 * @param decide returns undefined to leave the row as it is
 */
export async function decideRows(
  jobId: string,
  ledger: Ledger,
  query: Omit<RowQuery, 'limit'>,
  decide: (row: LedgerRow) => Decision | undefined,
  options?: MoveOptions,
): Promise<void> {
  for await (const rows of rowPages(ledger, jobId, query)) {
    const moves = rows.flatMap((row): RowMove[] => {
      const decision = decide(row);
      return decision === undefined ? [] : [{ ordinal: row.ordinal, from: row.state, ...decision }];
    });
    if (moves.length > 0) await ledger.rows.move(jobId, moves, options);
  }
}
