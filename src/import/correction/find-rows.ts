/** Finds rows of a job by their number in the file, without reading all rows. */
import type { Ledger, LedgerRow } from '../../ledger/ledger.ts';
import type { Judging } from '../job/judging.ts';
import { rowPages } from '../job/row-pages.ts';

export interface RowPlace {
  row: number;
  sheet?: string | undefined;
}

/** Looking up more rows than this one by one costs more than one pass over all rows. */
const ONE_BY_ONE = 200;
const PAGE = 5000;
/** The most copies that a row usually has. */
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
  // The rows of a single table are in the order of their numbers; with several sheets, the numbers start again.
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

/** The ordinal of the first row of a job whose number in the file is this number or greater. */
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
