/** Keys of an upsert that the server does not keep as they were sent: no later import would find their items. */
import type { Item, ItemCreate } from '../../api/schemas.ts';
import { ShelfliftError } from '../../errors.ts';
import type { StoreChange } from '../../ledger/job-parts.ts';
import type { JobRecord, StoredIssue } from '../../ledger/ledger.ts';
import { itemKey, shownKey } from '../changes/match-key.ts';
import { createsByKey, keyRule } from '../changes/match-key.ts';

/**
 * Names the key as the server keeps it, by which the item is known again; undefined if it differs at most by changes that
 * can be repeated.
 */
export function rewrittenKey(
  job: JobRecord,
  sent: ItemCreate,
  stored: Item,
  changes: readonly StoreChange[],
): StoredIssue | undefined {
  if (!createsByKey(job)) return undefined;
  const rule = keyRule(job);
  const all = { ...rule, changes: [...rule.changes, ...changes] };
  const key = itemKey(sent, all);
  if (key === '' || key === itemKey(stored, all)) return undefined;
  const found = shownKey(stored, rule);
  const kept = found === '' ? 'does not keep it' : `keeps it as ${JSON.stringify(found)}`;
  const column = rule.match.join(' + ');
  const message = `${column} was sent as ${JSON.stringify(shownKey(sent, rule))}, and the server ${kept}`;
  return { code: 'key_not_kept', message, column, found };
}

export class KeyNotKeptError extends ShelfliftError {
  constructor({ message }: StoredIssue) {
    super('key_not_kept', `${message}: a later import would not find the item by it. The job is parked.`, {
      remedy:
        'Match by a field that the server keeps as it is, or write the keys as the server keeps them. To go on all the same, resume the job with --yes.',
    });
  }
}
