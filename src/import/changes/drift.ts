/**
 * Changes that somebody has made since an update was planned, field by field; each custom field counts as a field.
 * Changes to other fields do not count as drift.
 */
import { type Item, WRITABLE_FIELDS } from '../../api/schemas.ts';
import type { LedgerRow, RowMove, StoredIssue } from '../../ledger/ledger.ts';
import { changeSet, fieldChanges, fieldOf } from '../engine/field-changes.ts';
import { type Drifted, shown, type ThreeWayChange, threeWay } from '../engine/three-way.ts';
import { initialNormalisation, normalisedFields } from '../job/server-normalisation.ts';
import { sameKeyPart } from './match-key.ts';
import { isSelected } from './selected.ts';
import { CUSTOM_PREFIX } from '../../mapping/custom-prefix.ts';
import { isUndone, UNDONE } from '../engine/undone.ts';
import { relativeValue } from './relative.ts';
import {
  type CreatedItem,
  createdWith,
  fieldValue,
  isArchiving,
  type Update,
  updateOf,
  updateText,
} from '../engine/operation.ts';
import { message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';
import { issueOf } from '../engine/stored-issue.ts';
import type { OnDrift } from '../../ledger/job-parts.ts';

/**
 * The new state of a planned update, given the current item; undefined if the update stays as planned.
 *
 * @param hasCopy whether one of its copies (`copiesOf`) was found to exist
 */
export function driftMove(row: LedgerRow, item: Item, onDrift: OnDrift, hasCopy = true): RowMove | undefined {
  const update = updateOf(row);
  const { ordinal } = row;
  const all = wantedOn(update, item);
  // An undo must not take back a value that somebody else has set, even if it is the same.
  const isRebased = onDrift === 'overwrite' && update.confirmed !== true;
  const left = all
    .filter(({ is }) => is !== 'made')
    .map((change) => (isRebased ? rebased(change, update, item) : change));
  const issue = driftOf(update, left, item, onDrift, hasCopy);
  if (issue !== undefined) return { ordinal, to: onDrift === 'skip' ? 'skipped' : 'held', issues: [issue] };
  if (left.length === 0 && update.applied !== true) {
    return update.left === undefined
      ? { ordinal, to: 'unchanged' }
      : { ordinal, to: update.left.to, issues: [update.left.issue] };
  }
  // Custom fields that others have changed since stay as they are, and the before-image is the current item.
  const now = left.map((change) => ({ ...change, from: change.now }));
  const made = all.filter(({ is }) => is === 'made');
  // The part that was already applied stays part of the row.
  const ours = made.filter(({ isAlready }) => update.applied === true && !isAlready);
  const { set, before } = changeSet([...ours, ...now], item);
  const theirs = made.filter((change) => !ours.includes(change));
  // What replaces a newer value is no edit of the exported one.
  const isOlder = update.exported !== undefined && left.some(({ is }) => is === 'changed');
  // A person has decided on the whole update, so all of it is sent.
  const operation = updateText({
    ...update,
    set,
    before,
    ...(isOlder ? { isOlder } : {}),
    ...alreadySo(update.confirmed === true ? [] : theirs),
  });
  return operation === row.operation ? undefined : { ordinal, to: 'planned', operation };
}

/** The parts of an update that the item already has, so they need not be sent. */
export function alreadySo(made: readonly ThreeWayChange[]): Pick<Update, 'already'> {
  return { already: made.length === 0 ? undefined : made.map(({ field, now }) => fieldValue(field, now)) };
}

/** Recomputes a computed value whose base has changed; unchanged if there is no result. */
function rebased(change: Wanted, { relative = {} }: Update, item: Item): Wanted {
  const { field, now, is } = change;
  const rule = relative[field];
  if (rule === undefined || is !== 'changed') return change;
  const found = relativeValue(field, now, rule, item);
  return 'to' in found ? { ...change, from: now, to: found.to, is: 'open' } : change;
}

/**
 * Why an update must not be sent to the item as it is now; undefined if it may.
 *
 * @param changes that have not been made yet
 */
export function driftOf(
  update: Update,
  changes: readonly ThreeWayChange[],
  item: Item,
  onDrift: OnDrift,
  hasCopy = true,
): StoredIssue | undefined {
  if (isArchiving(update) && (changes.length === 0 || update.confirmed === true)) return undefined;
  const overwrites = onDrift === 'overwrite';
  // If nothing has to change, or a part was already applied, it does not matter how the item was chosen.
  const isChosen = overwrites || changes.length === 0 || update.applied === true;
  const unmet = (isChosen ? undefined : notChosen(update, item, hasCopy)) ?? unmetOf(update, item);
  const unmetIssue = unmet && driftIssue(unmet.changes, unmet.field, unmet.means);
  if (update.confirmed === true) return unmetIssue;
  // A computed value is meaningless if its base has changed.
  const drifted = changes.filter(({ is, isComputed }) => is === 'changed' && (!overwrites || isComputed));
  if (drifted.length > 0) {
    const planned = drifted.map((each) => sincePlan(each, { planned: shown(each.field, each.to) }));
    return driftIssue(
      [...planned, ...(unmet?.changes ?? [])],
      unmet?.field ?? drifted[0]?.field,
      unmet?.means,
    );
  }
  // If the key now belongs to another item, the values were never meant for it.
  if (overwrites) return isArchiving(update) ? undefined : unmetIssue;
  const used = changes.length === 0 ? [] : changedSinceCreated(createdWith(update), item);
  return used.length > 0 ? undoDrift(used) : unmetIssue;
}

/** A condition on the item that is no longer met. */
interface Unmet {
  changes: Message[];
  field: string;
  means?: Message;
}

/** Why the item would no longer be chosen: it does not match, or its duplicates are gone. */
function notChosen({ expect = [] }: Update, item: Item, hasCopy: boolean): Unmet | undefined {
  for (const each of expect) {
    if (each.is === 'selected' && !isSelected(each, item))
      return { changes: [message('left_selection', { where: each.where })], field: each.field };
    if (each.is === 'copy' && !hasCopy)
      return { changes: [message('no_copy_left', { items: each.of })], field: each.field };
  }
  return undefined;
}

/** The key or the collection that the item no longer has. */
function unmetOf({ expect = [] }: Update, item: Item): Unmet | undefined {
  const named = expect.filter((each) => each.is === 'key' || each.is === 'missing');
  const unmet = named.filter(({ field, was }) => !sameKeyPart(field, was, fieldOf(item, field)));
  // An item that an undo has archived counts as gone for its key.
  const gone = isUndone(item) ? named.find(({ is }) => is === 'key') : undefined;
  const first = unmet[0] ?? gone;
  if (first === undefined) return undefined;
  const means = message(first.is === 'missing' ? 'file_may_have_item' : 'may_be_other_item', {});
  const all = gone === undefined ? unmet : [...unmet, { field: CUSTOM_PREFIX + UNDONE, was: undefined }];
  const changes = all.map(({ field, was }) => sincePlan({ field, from: was, now: fieldOf(item, field) }));
  return { changes, field: first.field, means };
}

/**
 * The fields in which the item differs from the values it was created with, ignoring how the server stores values: an
 * item that somebody has changed is kept.
 *
 * @param created the values that an undo expects the item to have; undefined for other updates
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
  const changes = drifted.map(({ field, from, now, to }) => {
    const before = to === undefined ? {} : { before: shown(field, to) };
    const params = { field, set: shown(field, from), now: shown(field, now), ...before };
    return message('changed_since_job', params);
  });
  return driftIssue(changes, drifted[0]?.field);
}

export function driftIssue(
  changes: readonly Message[],
  field: string | undefined,
  means?: Message,
): StoredIssue {
  const said = message('drifted', { changes, ...(means === undefined ? {} : { means }) });
  return issueOf('drifted', said, field === undefined ? {} : { column: field });
}

function sincePlan({ field, from, now }: Omit<Drifted, 'to'>, more: { planned?: string } = {}): Message {
  return message('changed_since_plan', { field, was: shown(field, from), now: shown(field, now), ...more });
}

interface Wanted extends ThreeWayChange {
  /** The item already had the value when the plan was made, so it is not sent. */
  isAlready: boolean;
}

/**
 * All values that a row sets, compared with the current item: its changes, and the values that the item already has.
 */
export function wantedOn(update: Update, item: Item, sent?: 'to'): Wanted[] {
  const { already = [], tags } = update;
  return [
    ...changesOn(update, item, sent).map((change) => ({ ...change, isAlready: false })),
    ...already.map(([field, value]) => {
      const change = { field, from: value, to: value, tags: field === 'tags' ? tags : undefined };
      return { ...threeWay(change, item), isAlready: true };
    }),
  ];
}

export function changesOn(update: Update, item: Item, sent?: 'to'): ThreeWayChange[] {
  const { tags, relative = {} } = update;
  return fieldChanges(update).map((change) =>
    threeWay(
      {
        ...change,
        tags: change.field === 'tags' ? tags : undefined,
        isComputed: Object.hasOwn(relative, change.field),
      },
      item,
      sent,
    ),
  );
}
