/**
 * Rows that a plan left `unchanged`, because their items already had the values, were decided without a request. This
 * holds only until another job writes to the item; then the row is planned again, and its item is read like any other.
 */
import type { JobRecord, LedgerRow, RowMove } from '../../ledger/ledger.ts';
import { fieldChanges } from '../engine/field-changes.ts';
import { fieldValue, updateOf, updateText } from '../engine/operation.ts';
import type { JobDeps } from '../job/deps.ts';
import { rowPages } from '../job/row-pages.ts';

/** True if another job has written to an item since its row was left unchanged. */
export async function isOvertaken(
  { id, plan: { accounted = 0 } }: JobRecord,
  { ledger }: Pick<JobDeps, 'ledger'>,
): Promise<boolean> {
  const rows = await ledger.rows.list(id, { states: ['unchanged'], overtakenSince: accounted, limit: 1 });
  return rows.length > 0;
}

/** Plans such rows again, with nothing to send: changes of their items since then count as drift. */
export async function reopenOvertaken(job: JobRecord, { ledger }: Pick<JobDeps, 'ledger'>): Promise<void> {
  if (!(await isOvertaken(job, { ledger }))) return;
  const { accounted: overtakenSince = 0 } = job.plan;
  // Asked first: what is committed from now on is found the next time.
  const { committed: accounted } = await ledger.items.intents(job.apiUrl);
  for await (const rows of rowPages(ledger, job.id, { states: ['unchanged'], overtakenSince }))
    await ledger.rows.move(job.id, rows.map(reopened));
  job.plan = { ...job.plan, accounted };
  await ledger.jobs.update(job.id, { plan: job.plan });
}

function reopened(row: LedgerRow): RowMove {
  const update = updateOf(row);
  const made = fieldChanges(update).map(({ field, to }) => fieldValue(field, to));
  const operation = updateText({
    ...update,
    set: {},
    before: {},
    already: [...(update.already ?? []), ...made],
  });
  return { ordinal: row.ordinal, from: 'unchanged', to: 'planned', operation };
}
