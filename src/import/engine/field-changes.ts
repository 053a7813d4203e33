/**
 * The changes of an update, field by field. Each custom field counts as a field, although the API handles them as one
 * map. Drift, undo, reports and lost answers all compare at this level.
 */
import type { Item, ItemUpdate } from '../../api/schemas.ts';
import { CUSTOM_PREFIX } from '../../mapping/custom-prefix.ts';
import { sameField } from './equality.ts';

/** One field, from → to. `undefined` is a custom field that does not exist. */
export interface FieldChange {
  /** A field of the contract, or `custom_fields.NAME`. */
  field: string;
  /** The value before. */
  from: unknown;
  /** The value after. */
  to: unknown;
}

/** An update: what is sent, and the values of the same fields before. */
export interface ChangeSet {
  set: ItemUpdate;
  before: Record<string, unknown>;
}

type CustomFields = Record<string, unknown>;

/** The changes of an update, without fields that stay equal. */
export function fieldChanges({ set, before }: ChangeSet): FieldChange[] {
  return Object.entries(set).flatMap(([field, to]): FieldChange[] => {
    if (field !== 'custom_fields') return [{ field, from: before[field], to }];
    const old = (before[field] ?? {}) as CustomFields;
    const next = to as CustomFields;
    return [...new Set([...Object.keys(old), ...Object.keys(next)])]
      .map((key) => ({ field: `${CUSTOM_PREFIX}${key}`, from: own(old, key), to: own(next, key) }))
      .filter((change) => !sameField(change.field, change.from, change.to));
  });
}

/** True for a value that leaves a field empty. */
export function isEmptied(to: unknown): boolean {
  return to === undefined || to === null || to === '' || (Array.isArray(to) && to.length === 0);
}

/** The value of an item's field. */
export function fieldOf(item: Item<Record<string, unknown>>, field: string): unknown {
  if (!field.startsWith(CUSTOM_PREFIX)) return item[field];
  return own(item.custom_fields ?? {}, field.slice(CUSTOM_PREFIX.length));
}

/**
 * The update that makes these changes to the current item. Whether PATCH merges or replaces custom_fields is unknown:
 * sending the whole map, with the entries that others have added since, is right in both cases (design §8).
 */
export function changeSet(changes: readonly FieldChange[], item: Item): ChangeSet {
  const set = patched(
    changes.map(({ field, to }) => [field, to]),
    item,
  );
  const before = patched(
    changes.map(({ field, from }) => [field, from]),
    item,
  );
  return { set, before };
}

function patched(values: readonly (readonly [string, unknown])[], item: Item): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const [field, value] of values) {
    if (!field.startsWith(CUSTOM_PREFIX)) {
      // By the contract, every field that can be empty takes null, except tags.
      body[field] = value ?? (field === 'tags' ? [] : null);
      continue;
    }
    const merged = (body['custom_fields'] ?? { ...item.custom_fields }) as CustomFields;
    body['custom_fields'] = merged;
    const key = field.slice(CUSTOM_PREFIX.length);
    if (value === undefined) delete merged[key];
    else define(merged, key, value);
  }
  return body;
}

/** Sets a key, even one such as `__proto__`. */
export function define(target: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

function own(fields: CustomFields, key: string): unknown {
  return Object.hasOwn(fields, key) ? fields[key] : undefined;
}
