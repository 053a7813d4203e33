/** The rows of a job that archive items missing from its file (`--missing archive`). */
import type { JobRecord, Ledger, LedgerRow } from '../../ledger/ledger.ts';
import { isArchiving, updateOf } from '../engine/operation.ts';
import { rowPages } from './row-pages.ts';

/** The action of a row that archives a missing item, in results and plans; the ledger has it as an update. */
export const ARCHIVE = 'archive';

export function isMissingRow(row: Pick<LedgerRow, 'action' | 'operation'>): boolean {
  return row.action === 'update' && isArchiving(updateOf(row));
}

export async function plannedArchives(
  { id, plan: { missing } }: Pick<JobRecord, 'id' | 'plan'>,
  ledger: Ledger,
): Promise<LedgerRow[]> {
  if (missing?.after === undefined) return [];
  const archives: LedgerRow[] = [];
  const query = { states: ['planned'], actions: ['update'], after: missing.after } as const;
  for await (const rows of rowPages(ledger, id, query)) archives.push(...rows.filter(isMissingRow));
  return archives;
}
