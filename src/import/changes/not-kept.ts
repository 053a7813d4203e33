/** Values that the server did not keep as they were sent, as its answer shows them. */
import type { Item, ItemCreate } from '../../api/schemas.ts';
import type { StoredIssue } from '../../ledger/ledger.ts';
import { CUSTOM_PREFIX } from '../../mapping/custom-prefix.ts';
import { message } from '../../messages/message.ts';
import { isLost } from '../engine/equality.ts';
import { fieldOf } from '../engine/field-changes.ts';
import { issueOf } from '../engine/stored-issue.ts';
import { shown } from '../engine/three-way.ts';
import { UNDONE } from '../engine/undone.ts';

export const NOT_KEPT = 'value_not_kept';

/**
 * @param sent field → value, custom fields one by one
 * @param except fields that are no values of the row, or of which it is told in another way
 */
export function lostValues(
  sent: Iterable<readonly [field: string, value: unknown]>,
  item: Item,
  except: readonly string[] = [],
): StoredIssue[] {
  const issues: StoredIssue[] = [];
  for (const [field, value] of sent) {
    const stored = fieldOf(item, field);
    // An answer without custom fields says nothing about them.
    const isUnknown = field.startsWith(CUSTOM_PREFIX) && item.custom_fields === undefined;
    if (isUnknown || field === CUSTOM_PREFIX + UNDONE || except.includes(field)) continue;
    if (!isLost(field, value, stored)) continue;
    const found = shown(field, stored);
    const said = message(NOT_KEPT, { field, sent: shown(field, value), found });
    issues.push(issueOf(NOT_KEPT, said, { column: field, found }));
  }
  return issues;
}

/** The values of a new item. */
export function valuesOf({ custom_fields: custom = {}, ...fields }: ItemCreate): [string, unknown][] {
  return [
    ...Object.entries(fields),
    ...Object.entries(custom).map(([name, value]): [string, unknown] => [CUSTOM_PREFIX + name, value]),
  ];
}
