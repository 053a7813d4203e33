/**
 * Items that `--missing archive` has archived and that the file of an upsert contains again get their previous status
 * back. Items that others archived stay archived.
 */
import type { Item } from '../../api/schemas.ts';
import type { JobRecord, Ledger } from '../../ledger/ledger.ts';
import { rowNameText } from '../../ledger/row-name.ts';
import { isArchiving, type Update, updateOf } from '../engine/operation.ts';
import { mayHaveEffect } from '../history/effects.ts';
import { Reversals } from '../history/reversals.ts';

/** The status of each such item before it was archived, by id. Pruned changes do not show it. */
export async function statusesBefore(
  items: readonly Item[],
  { apiUrl, mode }: Pick<JobRecord, 'apiUrl' | 'mode'>,
  ledger: Ledger,
): Promise<ReadonlyMap<string, unknown>> {
  const before = new Map<string, unknown>();
  if (mode !== 'upsert') return before;
  const ids = items.filter(isArchived).map(({ id }) => id.toLowerCase());
  if (ids.length === 0) return before;
  const decided = new Set<string>();
  // The newest first: it is the one that counts.
  const updates = await ledger.items.sentUpdates(apiUrl, ids);
  const reversals = await Reversals.open(ledger);
  const takenBack = await reversals.takenBack(updates, 'status');
  for (const sent of updates) {
    // What an undo has taken back says nothing, and nor does the undo: the change before it is in effect again.
    if (reversals.isUndo(sent.job) || takenBack.get(rowNameText(sent))?.isCertain === true) continue;
    const update = updateOf(sent);
    const saysNothing = sent.operation !== null && update.set.status === undefined;
    if (decided.has(sent.itemId) || saysNothing || !mayHaveEffect({ ...sent, action: 'update' })) continue;
    decided.add(sent.itemId);
    if (isArchiving(update)) before.set(sent.itemId, update.before['status']);
  }
  return before;
}

export function isArchived({ status }: Item): boolean {
  return status === 'archived';
}

/** Whether a row itself sets the status of its item. */
export function saysStatus({ set, already = [] }: Update): boolean {
  return set.status !== undefined || already.some(([field]) => field === 'status');
}

export function withStatus(update: Update, status: unknown): Update {
  return {
    ...update,
    set: { ...update.set, status: status as Item['status'] },
    before: { ...update.before, status: 'archived' },
  };
}
