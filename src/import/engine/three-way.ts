/** A change against its item as it is now: the value when it was planned, the value now, and the value that is wanted. */
import type { Item } from '../../api/schemas.ts';
import { textForm } from '../../mapping/text-form.ts';
import { alikeField, sameField } from './equality.ts';
import { type FieldChange, fieldOf } from './field-changes.ts';

export interface TagsChange {
  add: string[];
  remove: string[];
}

/** A change that is to be made. */
export interface PlannedChange extends FieldChange {
  /** Only these tags are added and removed: which others the item has is no matter. */
  tags?: TagsChange | undefined;
  /** The new value was computed from the old one. */
  isComputed?: boolean;
}

export interface ThreeWayChange extends FieldChange {
  /** The value now; undefined is a custom field that does not exist. */
  now: unknown;
  /** The item has the wanted value, still has the one from before, or somebody has given it another. */
  is: 'made' | 'open' | 'changed';
  isComputed: boolean;
}

export type Drifted = Omit<ThreeWayChange, 'is' | 'isComputed'>;

/**
 * @param sent which of the two values a job of this store has sent: the server may have trimmed, rounded or sorted it
 */
export function threeWay(change: PlannedChange, item: Item, sent?: 'from' | 'to'): ThreeWayChange {
  const { field, from, tags, isComputed = false } = change;
  const now = fieldOf(item, field);
  const to = tags === undefined ? change.to : changedTags(item.tags, tags);
  const isAsBefore = (sent === 'from' ? alikeField : sameField)(field, from, now);
  // A value that equals the result of a computation, without a request, is somebody else's: it was not the base of it.
  const isMade =
    (sameField(field, to, now) && (!isComputed || sent === 'to')) ||
    (sent === 'to' && !isAsBefore && alikeField(field, to, now));
  const is = isMade ? 'made' : isAsBefore || tags !== undefined ? 'open' : 'changed';
  return { field, from, to, now, is, isComputed };
}

/** The tags of an item after the change: its own, in their order, then the added ones. */
export function changedTags(tags: readonly string[] | undefined, { add, remove }: TagsChange): string[] {
  return [...new Set([...(tags ?? []), ...add])].filter((tag) => !remove.includes(tag));
}

const MAX_LENGTH = 80;

/** A value for a message: texts in quotes, '' for an empty one, cut to the length of a line. */
export function shown(field: string, value: unknown): string {
  const form = textForm(field, value);
  if (form === '') return '';
  const text = form.length > MAX_LENGTH ? `${form.slice(0, MAX_LENGTH - 1).toWellFormed()}…` : form;
  return typeof value === 'number' || typeof value === 'boolean' ? text : JSON.stringify(text);
}
