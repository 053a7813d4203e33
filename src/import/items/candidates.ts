/** Items that a person has to choose from, as an issue stores them. */
import type { Item } from '../../api/schemas.ts';
import type { StoredCandidate, StoredIssue } from '../../ledger/ledger.ts';

/** Nobody compares more items than this by eye. */
const CANDIDATES_KEPT = 5;
const NAME_KEPT = 120;

/** For a StoredIssue; nothing if there are no items. */
export function candidatesOf(items: readonly Item[]): Pick<StoredIssue, 'candidates'> {
  if (items.length === 0) return {};
  return { candidates: items.slice(0, CANDIDATES_KEPT).map(asCandidate) };
}

function asCandidate({
  id,
  name,
  status,
  estimated_value = null,
  currency,
  created_at,
}: Item): StoredCandidate {
  const cut = name.slice(0, NAME_KEPT).toWellFormed();
  return { id: id.toLowerCase(), name: cut, status, estimated_value, currency, created_at };
}
