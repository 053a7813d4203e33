/** `--first N`: chooses the rows to send first, spread over the kinds of change. */
import type { Ledger, LedgerRow } from '../../ledger/ledger.ts';
import { fieldChanges } from '../engine/field-changes.ts';
import { updateOf } from '../engine/operation.ts';
import { rowPages } from '../job/row-pages.ts';

/** Limit on the kinds of change: further kinds count as one. */
const MAX_KINDS = 1000;

/** Ordinals of planned rows, ascending: at most `most` rows, taken in turn from each kind of change. */
export async function chooseCanary(jobId: string, ledger: Ledger, most: number): Promise<number[]> {
  const kinds = new Map<string, number[]>();
  for await (const rows of rowPages(ledger, jobId, { states: ['planned'] })) {
    for (const row of rows) {
      const kind = kinds.size < MAX_KINDS ? kindOf(row) : 'other';
      const known = kinds.get(kind);
      if (known === undefined) kinds.set(kind, [row.ordinal]);
      else if (known.length < most) known.push(row.ordinal);
    }
  }
  const chosen: number[] = [];
  const queues = [...kinds.values()];
  for (let turn = 0; chosen.length < most && queues.some((queue) => turn < queue.length); turn += 1) {
    for (const queue of queues) {
      const ordinal = queue[turn];
      if (ordinal !== undefined && chosen.length < most) chosen.push(ordinal);
    }
  }
  return chosen.sort((a, b) => a - b);
}

/** All creates are one kind. The kind of an update is its fields with the old and new status. */
function kindOf(row: LedgerRow): string {
  if (row.action === 'create') return 'create';
  return fieldChanges(updateOf(row))
    .map(({ field, from, to }) => (field === 'status' ? `${field} ${String(from)} ${String(to)}` : field))
    .sort()
    .join(', ');
}
