/** Decides whether the valid rows of a job are sent although others are invalid. */
import type { JobRecord, Ledger, LedgerRow } from '../../ledger/ledger.ts';
import { shapeProblems } from '../../sheets/raw-row.ts';
import { rowPages } from '../job/row-pages.ts';

/** If more than this share of the rows has no name, nothing is sent. */
const NAMELESS_SHARE = 0.05;
/** This many rows without a name are allowed even if they are a larger share, as in a file of twenty rows … */
const MAX_NAMELESS = 3;
/** … but never more than this share: then the name column is probably wrong. */
const MAX_SHARE = 0.2;

/** True if no row is invalid, if a person allows it (`--skip-invalid`), or if few rows have no name. */
export async function sendsRest(job: JobRecord, ledger: Ledger): Promise<boolean> {
  return job.request.skipInvalid || (await leavesNameless(job, ledger)) !== false;
}

/**
 * Whether the only problem of a job is that a few new items have no name: without a name they can never be sent, and a
 * person who knows the name fills it in (`jobs mend`, rejects).
 *
 * @returns the number of these items; false if the job is held up
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

/** If the cells of a row are out of place, the name may be in another cell. */
function isNameless(row: LedgerRow): boolean {
  const hasNoName = row.issues.some(({ code, field }) => code === 'required' && field === 'name');
  return hasNoName && shapeProblems(row).length === 0;
}
