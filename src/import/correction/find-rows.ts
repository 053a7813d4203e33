/** Rows of a job by their number in the file, without reading a million others. */
import type { Ledger, LedgerRow } from '../../ledger/ledger.ts';
import type { Judging } from '../job/judging.ts';
import { rowPages } from '../job/row-pages.ts';

/** A row as a spreadsheet program shows it. */
export interface RowPlace {
  row: number;
  sheet?: string | undefined;
}

/** With more, one pass over all rows is cheaper. */
const ONE_BY_ONE = 200;
const PAGE = 5000;
/** A row has few copies. */
const COPIES = 20;

/** The rows at these places with all of their copies, in file order. */
export async function findRows(
  jobId: string,
  judging: Judging,
  places: readonly RowPlace[],
  ledger: Ledger,
): Promise<LedgerRow[]> {
  const numbers = [...new Set(places.map(({ row }) => row))].sort((a, b) => a - b);
  const found: LedgerRow[] = [];
  // Of one table, rows are in the order of their numbers; those of several sheets begin again.
  if (judging.tables.length === 1 && numbers.length <= ONE_BY_ONE) {
    for (const number of numbers) {
      const after = (await ordinalFrom(jobId, judging, number, ledger)) - 1;
      for await (const page of rowPages(ledger, jobId, { after }, COPIES)) {
        const copies = page.filter(({ sheetRow }) => sheetRow === number);
        found.push(...copies);
        if (copies.length < page.length) break;
      }
    }
    return found;
  }
  const meant = new Set(places.map(({ row, sheet }) => (sheet === undefined ? `${row}` : `${row} ${sheet}`)));
  const isMeant = ({ sheetRow, sheet }: LedgerRow) =>
    meant.has(`${sheetRow}`) || meant.has(`${sheetRow} ${sheet}`);
  for await (const page of rowPages(ledger, jobId, { sheetRows: numbers }, PAGE))
    found.push(...page.filter(isMeant));
  return found;
}

/** The place among a job's rows of the first one that has this number in the file, or a greater one. */
export async function ordinalFrom(
  jobId: string,
  judging: Judging,
  sheetRow: number,
  ledger: Ledger,
): Promise<number> {
  let [from, to] = [1, judging.rows + 1];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    const [row] = await ledger.rows.list(jobId, { after: middle - 1, limit: 1 });
    if (row === undefined || row.sheetRow >= sheetRow) to = middle;
    else from = middle + 1;
  }
  return from;
}
