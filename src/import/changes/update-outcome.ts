/** What an acknowledged update makes of its row: done, or held where a person must look. */
import type { Item } from '../../api/schemas.ts';
import type { LedgerRow, RowMove, StoredIssue } from '../../ledger/ledger.ts';
import { CUSTOM_PREFIX } from '../../mapping/custom-prefix.ts';
import { updatePayload } from '../job/payload.ts';
import { fieldChanges, fieldOf } from './field-changes.ts';

/**
 * @param item the item as the server says it is now
 * @returns `held` where a custom field that was to be removed is still there (the server merges), or where an
 *   undo had to leave fields that somebody has changed since; `done` otherwise
 */
export function updateOutcome(row: LedgerRow, item: Item): RowMove {
  const payload = updatePayload(row);
  const stays = fieldChanges(payload).filter(
    ({ field, to }) =>
      field.startsWith(CUSTOM_PREFIX) && to === undefined && fieldOf(item, field) !== undefined,
  );
  const issues: StoredIssue[] = stays.map(({ field }) => ({
    code: 'server_merges',
    column: field,
    message: `${field} was to be removed and is still there: this server merges custom_fields; everything else was changed`,
  }));
  if (payload.left !== undefined) issues.push(payload.left.issue);
  const move = { ordinal: row.ordinal, itemId: item.id.toLowerCase(), issues };
  if (issues.length === 0) return { ...move, to: 'done' };
  // An undo takes back what was applied, whatever becomes of the rest.
  return { ...move, to: 'held', payload: JSON.stringify({ ...payload, applied: true }) };
}
