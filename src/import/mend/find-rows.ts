/** Rows of a job by their number in the file, without reading a million others. */
import type { JobRecord, Ledger, LedgerRow } from '../../ledger/ledger.ts';
import type { Judging } from '../job/judging.ts';

/** A row as a spreadsheet program shows it. */
export interface RowPlace {
  row: number;
  sheet?: string | undefined;
}

/** With more, one pass over all rows is cheaper. */
const ONE_BY_ONE = 200;

/** The rows of these places with all of their copies, in the order of the file. */
export async function findRows(
  job: JobRecord,
  judging: Judging,
  places: readonly RowPlace[],
  ledger: Ledger,
): Promise<LedgerRow[]> {
  const numbers = [...new Set(places.map(({ row }) => row))].sort((a, b) => a - b);
  const found: LedgerRow[] = [];
  if (isInOrder(judging) && numbers.length <= ONE_BY_ONE) {
    for (const number of numbers) {
      const rows = rowsFrom(job.id, await ordinalFrom(job.id, judging, number, ledger), ledger);
      for await (const row of rows) {
        if (row.sheetRow !== number) break;
        found.push(row);
      }
    }
    return found;
  }
  const meant = new Set(places.map(({ row, sheet }) => (sheet === undefined ? `${row}` : `${row} ${sheet}`)));
  const isMeant = ({ sheetRow, sheet }: LedgerRow) =>
    meant.has(`${sheetRow}`) || meant.has(`${sheetRow} ${sheet}`);
  for (let after = 0; ; ) {
    const page = await ledger.rows.list(job.id, { sheetRows: numbers, after, limit: PAGE });
    found.push(...page.filter(isMeant));
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return found;
    after = last.ordinal;
  }
}

const PAGE = 5000;
/** A row has few copies. */
const COPIES = 20;

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

/** Of one table, rows are in the order of their numbers; those of several sheets begin again. */
function isInOrder({ tables }: Judging): boolean {
  return tables.length === 1;
}

async function* rowsFrom(jobId: string, ordinal: number, ledger: Ledger): AsyncGenerator<LedgerRow, void> {
  for (let after = ordinal - 1; ; ) {
    const page = await ledger.rows.list(jobId, { after, limit: COPIES });
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < COPIES) return;
    after = last.ordinal;
  }
}
