/** Values that the server did not keep as they were sent, as its answer shows them. */
import type { Item, ItemCreate } from '../../api/schemas.ts';
import type { StoredIssue } from '../../ledger/ledger.ts';
import { CUSTOM_PREFIX } from '../../mapping/custom-prefix.ts';
import { message } from '../../messages/message.ts';
import { isLost, isMangled } from '../engine/equality.ts';
import { type ChangeSet, fieldChanges, fieldOf } from '../engine/field-changes.ts';
import { issueOf } from '../engine/stored-issue.ts';
import { shown } from '../engine/three-way.ts';
import { UNDONE } from '../engine/undone.ts';

export const NOT_KEPT = 'value_not_kept';

/**
 * @param sent field → value, custom fields one by one
 * @param except fields that the row does not set, or that are reported separately
 */
export function lostValues(
  sent: Iterable<readonly [field: string, value: unknown]>,
  item: Item,
  except: readonly string[] = [],
): StoredIssue[] {
  const issues: StoredIssue[] = [];
  for (const [field, value] of sent) {
    const stored = fieldOf(item, field);
    const isUnknown = field.startsWith(CUSTOM_PREFIX) && item.custom_fields === undefined;
    if (isUnknown || field === CUSTOM_PREFIX + UNDONE || except.includes(field)) continue;
    if (isLost(field, value, stored)) issues.push(notKept(field, value, stored));
  }
  return issues;
}

/** Fields that an update sends only as part of a larger value, and that the server has changed once more. */
export function mangledValues({ set, before }: ChangeSet, item: Item): StoredIssue[] {
  const changed = new Set(fieldChanges({ set, before }).map(({ field }) => field));
  const { custom_fields: whole = {} } = set;
  const { custom_fields: stored } = item;
  if (stored === undefined) return [];
  return Object.entries(whole).flatMap(([name, value]) => {
    const field = CUSTOM_PREFIX + name;
    const found = fieldOf(item, field);
    return changed.has(field) || !isMangled(value, found) ? [] : [notKept(field, value, found)];
  });
}

function notKept(field: string, value: unknown, stored: unknown): StoredIssue {
  const found = shown(field, stored);
  return issueOf(NOT_KEPT, message(NOT_KEPT, { field, sent: shown(field, value), found }), {
    column: field,
    found,
  });
}

export function valuesOf({ custom_fields: custom = {}, ...fields }: ItemCreate): [string, unknown][] {
  return [
    ...Object.entries(fields),
    ...Object.entries(custom).map(([name, value]): [string, unknown] => [CUSTOM_PREFIX + name, value]),
  ];
}
