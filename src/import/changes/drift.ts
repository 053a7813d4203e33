/**
 * What somebody has changed since an update was planned, compared field by field, each custom field by itself. Changes
 * to other fields are no drift, and stay.
 */
import type { Item } from '../../api/schemas.ts';
import type { LedgerRow, RowMove, StoredIssue } from '../../ledger/ledger.ts';
import { changeSet, fieldChanges, fieldOf } from './field-changes.ts';
import { sameField } from '../engine/equality.ts';
import { type Drifted, driftIssue, shown } from './three-way.ts';
import { changedSinceCreated, undoDrift } from './created-item.ts';
import { changedTags, type UpdatePayload, updatePayload } from '../job/payload.ts';
import type { OnDrift } from '../../ledger/job-options.ts';

/** What a planned update becomes, given the item as it is now; undefined if the update stays as planned. */
export function driftMove(row: LedgerRow, item: Item, onDrift: OnDrift): RowMove | undefined {
  const payload = updatePayload(row);
  const { ordinal } = row;
  const all = changesOn(payload, item);
  // Fields that somebody has already set to the same value are not ours: an undo must not take them back.
  const left = all.filter(({ field, now, to }) => !sameField(field, to, now));
  if (left.length > 0 && payload.confirmed !== true && onDrift !== 'overwrite') {
    // Whichever other tags an item has by now, those that are added and removed are the same.
    const drifted = left.filter(
      ({ field, from, now }) =>
        !sameField(field, from, now) && !(field === 'tags' && payload.tags !== undefined),
    );
    const used = changedSinceCreated(payload.created, item);
    const issue =
      drifted.length > 0
        ? driftIssue(drifted)
        : used.length > 0
          ? undoDrift(used)
          : notMissingIssue(payload, item);
    if (issue !== undefined) return { ordinal, to: onDrift === 'hold' ? 'held' : 'skipped', issues: [issue] };
  }
  if (left.length === 0 && payload.applied !== true) {
    return payload.left === undefined
      ? { ordinal, to: 'unchanged' }
      : { ordinal, to: 'held', issues: [payload.left.issue] };
  }
  // What others have put into custom_fields since stays, and the before-image is the item as it is now.
  const now = left.map((change) => ({ ...change, from: change.now }));
  // The part that was already applied stays part of the row.
  const ours = payload.applied === true ? all.filter((change) => !left.includes(change)) : [];
  const { set, before } = changeSet([...ours, ...now], item);
  const text = JSON.stringify({ ...payload, set, before });
  return text === row.payload ? undefined : { ordinal, to: 'planned', payload: text };
}

/** The issue of an item that may not be the one which the file lacked: its key or collection has changed since. */
export function notMissingIssue({ missing = [] }: UpdatePayload, item: Item): StoredIssue | undefined {
  const changed = missing.filter(({ field, was }) => !sameField(field, was, fieldOf(item, field)));
  const [first] = changed;
  if (first === undefined) return undefined;
  const message = changed
    .map(
      ({ field, was }) =>
        `${field} was ${shown(field, was)} when planned, is ${shown(field, fieldOf(item, field))} now`,
    )
    .join('; ');
  return {
    code: 'drifted',
    message: `${message}: the file may have the item by now`,
    column: first.field,
  };
}

/** The changes of an update to the item as it is now. Tags that are added or removed leave the others alone. */
export function changesOn(payload: UpdatePayload, item: Item): Drifted[] {
  return fieldChanges(payload).map((change) => {
    const now = fieldOf(item, change.field);
    const tags = change.field === 'tags' ? payload.tags : undefined;
    return { ...change, now, to: tags === undefined ? change.to : changedTags(item.tags, tags) };
  });
}
