import type { Ledger, LedgerRow, RowQuery } from '../../ledger/ledger.ts';

/**
 * The rows of a job that match a query, in order, a page at a time: a job may have a million rows.
 *
 * The caller may move the rows of a page before it takes the next: each page begins after the last row of the previous
 * one, whatever has become of that row.
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
