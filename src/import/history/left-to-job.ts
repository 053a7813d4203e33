/** The rows that other imports have left to a job: what these imports sent beside them are other items. */
import type { JobRecord, Ledger } from '../../ledger/ledger.ts';
import { rowPages } from '../job/row-pages.ts';

/**
 * The imports that have left a row to a job, by the row. A job that was corrected or taken up again compares its rows
 * once more. Without this, an import that had more equal rows than the job, and sent only those, would seem to have
 * sent the job's rows, too. Any other import may have sent them, because a cancelled job does not own its rows.
 */
export async function rowsLeftTo(
  { id, apiUrl, createdAt, ownedAt, firstSentAt }: JobRecord,
  ledger: Ledger,
): Promise<Map<number, Set<string>>> {
  const left = new Map<number, Set<string>>();
  if ((ownedAt ?? firstSentAt) === undefined) return left;
  for (const other of await ledger.jobs.list(undefined, { apiUrl })) {
    if (other.id === id || other.mode === 'update' || (other.ownedAt ?? 0) < createdAt) continue;
    for await (const rows of rowPages(ledger, other.id, { states: ['skipped', 'held'], actions: ['create'] }))
      for (const { issues } of rows)
        for (const { sentAs } of issues)
          if (sentAs?.job === id)
            left.set(sentAs.ordinal, (left.get(sentAs.ordinal) ?? new Set()).add(other.id));
  }
  return left;
}
