/** The outcome of an acknowledged update: done, or held if a person must look at it. */
import type { Item } from '../../api/schemas.ts';
import type { LedgerRow, RowMove } from '../../ledger/ledger.ts';
import { CUSTOM_PREFIX } from '../../mapping/custom-prefix.ts';
import { message } from '../../messages/message.ts';
import { issueOf } from '../engine/stored-issue.ts';
import { lostValues, mangledValues } from './not-kept.ts';
import { updateOf, updateText } from '../engine/operation.ts';
import { fieldChanges, fieldOf } from '../engine/field-changes.ts';

/**
 * @param item the item in the server's answer
 * @returns `held` if a custom field that was to be removed is still there (the server merges), or if an undo had to leave
 *   fields that somebody has changed since (`skipped` with --on-drift skip); else `done`. Values that the server did not keep
 *   are among its issues.
 */
export function updateOutcome(row: LedgerRow, item: Item): RowMove {
  const update = updateOf(row);
  const changes = fieldChanges(update);
  const stays = changes.filter(
    ({ field, to }) =>
      field.startsWith(CUSTOM_PREFIX) && to === undefined && fieldOf(item, field) !== undefined,
  );
  const issues = stays.map(({ field }) =>
    issueOf('server_merges', message('server_merges', { field }), { column: field }),
  );
  if (update.left !== undefined) issues.push(update.left.issue);
  const lost = lostValues(
    changes.map(({ field, to }) => [field, to]),
    item,
  );
  const move = {
    ordinal: row.ordinal,
    itemId: item.id.toLowerCase(),
    issues: [...issues, ...lost, ...mangledValues(update, item), ...(update.unset ?? [])],
  };
  const answered = item.updated_at;
  if (issues.length === 0) return { ...move, to: 'done', operation: updateText({ ...update, answered }) };
  // An undo takes back the part that was applied, even if the rest is held.
  const to = stays.length > 0 ? 'held' : (update.left?.to ?? 'held');
  return { ...move, to, operation: updateText({ ...update, answered, applied: true }) };
}
