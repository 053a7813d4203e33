/** Whether an item is still as the undone job created it: an item that somebody has changed is kept. */
import { type Item, WRITABLE_FIELDS } from '../../api/schemas.ts';
import type { StoredIssue } from '../../ledger/ledger.ts';
import { type Drifted, shown } from '../engine/three-way.ts';
import { normalisedFields, initialNormalisation } from '../job/server-normalisation.ts';
import type { CreatedItem } from '../engine/operation.ts';

/**
 * The fields in which the item differs from what was sent to create it, ignoring how the server stores values.
 *
 * @param created what an undo expects of the item; other updates expect nothing of the kind
 */
export function changedSinceCreated(created: CreatedItem | undefined, item: Item): Drifted[] {
  if (created === undefined) return [];
  const { body, learned = initialNormalisation() } = created;
  const then = normalisedFields(body, learned);
  const now = normalisedFields(item, learned);
  return WRITABLE_FIELDS.filter(
    (field, index) => !learned.opaque.includes(field) && then[index] !== now[index],
  ).map((field) => ({ field, from: body[field], now: item[field], to: undefined }));
}

/** Fields that a job set and somebody has changed since. */
export function undoDrift(drifted: readonly Drifted[]): StoredIssue {
  const [first] = drifted;
  const message = drifted
    .map(({ field, from, now, to }) => {
      const before = to === undefined ? '' : `, and was ${shown(field, to)} before`;
      return `${field} was set to ${shown(field, from)} by the job, is ${shown(field, now)} now${before}`;
    })
    .join('; ');
  return { code: 'drifted', message, ...(first === undefined ? {} : { column: first.field }) };
}
