/** Whether the valid rows of a job are sent although others are invalid. */
import type { JobRecord, Ledger, LedgerRow } from '../../ledger/ledger.ts';
import { shapeProblems } from '../../sheets/raw-row.ts';
import { rowPages } from '../job/row-pages.ts';

/** Rows without a name hold a file up if they are more than this share of its rows. */
const NAMELESS_SHARE = 0.05;
/** So many may be a larger share, as in a file of twenty rows … */
const MAX_NAMELESS = 3;
/** … but never a larger one than this: then the column is rather not that of the names. */
const MAX_SHARE = 0.2;

/** True if no row is invalid, if a person has said so (`--skip-invalid`), or if few rows have no name. */
export async function sendsRest(job: JobRecord, ledger: Ledger): Promise<boolean> {
  return job.request.skipInvalid || (await leavesNameless(job, ledger)) !== false;
}

/**
 * Whether all that is wrong is that few new items have no name: without one they can never be sent, and a person who
 * knows it fills it in (`jobs mend`, rejects).
 *
 * @returns how many; false if the job is held up
 */
export async function leavesNameless(
  { id, kind, mode, request, sheetRows }: JobRecord,
  ledger: Ledger,
): Promise<number | false> {
  const { invalid } = await ledger.rows.counts(id);
  if (invalid === 0) return 0;
  const isNew = kind === 'import' && mode === 'create' && request.readAs?.['strict'] !== true;
  const most = Math.min(Math.max(sheetRows * NAMELESS_SHARE, MAX_NAMELESS), sheetRows * MAX_SHARE);
  if (!isNew || invalid > most) return false;
  for await (const rows of rowPages(ledger, id, { states: ['invalid'] }))
    if (!rows.every((row) => isNameless(row))) return false;
  return invalid;
}

/** Of a row whose cells are out of place, the name may be in another one. */
function isNameless(row: LedgerRow): boolean {
  const hasNoName = row.issues.some(({ code, field }) => code === 'required' && field === 'name');
  return hasNoName && shapeProblems(row).length === 0;
}
