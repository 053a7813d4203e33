/**
 * Compares a change with the current item: the value when the change was planned, the current value, and the new value.
 */
import type { Item } from '../../api/schemas.ts';
import { textForm } from '../../mapping/text-form.ts';
import { alikeField, sameField } from './equality.ts';
import { type FieldChange, fieldOf } from './field-changes.ts';

export interface TagsChange {
  add: string[];
  remove: string[];
}

export interface PlannedChange extends FieldChange {
  /** Only these tags are added and removed; other tags of the item do not matter. */
  tags?: TagsChange | undefined;
  /** The new value was computed from the old value. */
  isComputed?: boolean;
}

export interface ThreeWayChange extends FieldChange {
  /** The current value; undefined is a custom field that does not exist. */
  now: unknown;
  /**
   * `made`: the item has the new value. `open`: it still has the old value. `changed`: somebody has given it another
   * value.
   */
  is: 'made' | 'open' | 'changed';
  isComputed: boolean;
}

export type Drifted = Omit<ThreeWayChange, 'is' | 'isComputed'>;

/**
 * @param sent which of the two values a job of this store has already sent: the server may have trimmed, rounded or
 *   sorted it
 */
export function threeWay(change: PlannedChange, item: Item, sent?: 'from' | 'to'): ThreeWayChange {
  const { field, from, tags, isComputed = false } = change;
  const now = fieldOf(item, field);
  const to = tags === undefined ? change.to : changedTags(item.tags, tags);
  const isAsBefore = (sent === 'from' ? alikeField : sameField)(field, from, now);
  // Without a request, a value that equals the computed result was set by somebody else: the result was not computed
  // from it.
  const isMade =
    (sameField(field, to, now) && (!isComputed || sent === 'to')) ||
    (sent === 'to' && !isAsBefore && alikeField(field, to, now));
  const is = isMade ? 'made' : isAsBefore || tags !== undefined ? 'open' : 'changed';
  return { field, from, to, now, is, isComputed };
}

/** The tags of an item after the change: its own tags in their order, then the added tags. */
export function changedTags(tags: readonly string[] | undefined, { add, remove }: TagsChange): string[] {
  return [...new Set([...(tags ?? []), ...add])].filter((tag) => !remove.includes(tag));
}

const MAX_LENGTH = 80;

/** A value as messages show it: texts in quotes, '' for an empty value, cut to the length of a line. */
export function shown(field: string, value: unknown): string {
  const form = textForm(field, value);
  if (form === '') return '';
  const text = form.length > MAX_LENGTH ? `${form.slice(0, MAX_LENGTH - 1).toWellFormed()}…` : form;
  return typeof value === 'number' || typeof value === 'boolean' ? text : JSON.stringify(text);
}
