/** The rows that other imports have left to a job: they are its own, whatever was sent since. */
import type { JobRecord, Ledger } from '../../ledger/ledger.ts';
import { rowPages } from '../job/row-pages.ts';

/**
 * A job that was corrected or taken up again compares its rows once more. Without this, an import that had more equal
 * rows than the job, and sent only those, would seem to have sent the job's rows, too.
 */
export async function rowsLeftTo(
  { id, apiUrl, createdAt, ownedAt, firstSentAt }: JobRecord,
  ledger: Ledger,
): Promise<Set<number>> {
  const left = new Set<number>();
  if ((ownedAt ?? firstSentAt) === undefined) return left;
  for (const other of await ledger.jobs.list(undefined, { apiUrl })) {
    if (other.id === id || other.mode === 'update' || (other.ownedAt ?? 0) < createdAt) continue;
    for await (const rows of rowPages(ledger, other.id, { states: ['skipped', 'held'], actions: ['create'] }))
      for (const { issues } of rows)
        for (const { sentAs } of issues) if (sentAs?.job === id) left.add(sentAs.ordinal);
  }
  return left;
}
