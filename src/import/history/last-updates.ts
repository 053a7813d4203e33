import type { Item } from '../../api/schemas.ts';
import type { Ledger, SentUpdate } from '../../ledger/ledger.ts';
import { rowNameText } from '../../ledger/row-name.ts';
import { mayHaveEffect } from './effects.ts';
import { Reversals } from './reversals.ts';

/**
 * The latest update of each item that this store has sent, or may have sent, and that no undo has taken back, by
 * lower-case id.
 *
 * @param counts false for updates to ignore; `isUndo`: the update is one of an undo
 */
export async function lastUpdates(
  items: readonly Item[],
  apiUrl: string,
  ledger: Ledger,
  counts: (update: SentUpdate, isUndo: boolean) => boolean = () => true,
): Promise<Map<string, SentUpdate>> {
  const last = new Map<string, SentUpdate>();
  const ids = items.map(({ id }) => id.toLowerCase());
  // The latest first.
  const updates = ids.length === 0 ? [] : await ledger.items.sentUpdates(apiUrl, ids);
  if (updates.length === 0) return last;
  const reversals = await Reversals.open(ledger);
  const takenBack = await reversals.takenBack(updates, 'status');
  for (const update of updates) {
    const isInEffect =
      mayHaveEffect({ ...update, action: 'update' }) &&
      takenBack.get(rowNameText(update))?.isCertain !== true;
    if (isInEffect && !last.has(update.itemId) && counts(update, reversals.isUndo(update.job)))
      last.set(update.itemId, update);
  }
  return last;
}
