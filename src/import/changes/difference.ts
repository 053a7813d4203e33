/** What a row changes in its item: only that is sent (design §6). */
import type { Item, WritableField } from '../../api/schemas.ts';
import type { StoredIssue } from '../../ledger/ledger.ts';
import { CLEAR } from '../../mapping/mapping.ts';
import { sameJson } from '../../equal-json.ts';
import { castLike } from '../../mapping/text-form.ts';
import { isUnchanged, sameAsText } from '../engine/equality.ts';
import { define } from '../engine/field-changes.ts';
import { changedTags } from '../engine/three-way.ts';
import { itemShown, type Update } from '../engine/operation.ts';
import { customField } from './match-key.ts';
import { relativeValue } from './relative.ts';
import type { RowPatch } from '../engine/input.ts';

/** What `<clear>` sends. Other fields cannot be emptied (contract §4). */
export const CLEARED: Partial<Record<WritableField, null | []>> = {
  brand: null,
  series: null,
  release_year: null,
  condition: null,
  packaging: null,
  estimated_value: null,
  tags: [],
};

/**
 * @param collectionId id of the row's collection, if it names one
 * @returns the update (without fields if nothing changes), what is wrong with the row, or why its item is left out
 */
export function difference(
  patch: RowPatch,
  item: Item,
  collectionId: string | undefined,
): { update: Update } | { issues: StoredIssue[] } | { skip: StoredIssue } {
  const set: Record<string, unknown> = {};
  const before: Record<string, unknown> = {};
  const issues: StoredIssue[] = [];
  const change = (field: WritableField, value: unknown) => {
    set[field] = value;
    before[field] = item[field] ?? null;
  };

  for (const [name, wanted] of Object.entries(patch.fields)) {
    const field = name as WritableField;
    if (isUnchanged(field, item[field], wanted)) continue;
    if (wanted.issue !== undefined) issues.push(wanted.issue);
    else if (wanted.value !== CLEAR) change(field, wanted.value);
    else if (field in CLEARED) change(field, CLEARED[field]);
    else issues.push({ code: 'cannot_clear', message: `${field} cannot be empty`, column: field });
  }

  if (patch.tags !== undefined) {
    const current = item.tags ?? [];
    const tags = changedTags(current, patch.tags);
    if (!sameJson(tags, current)) change('tags', tags);
  }

  const current = item.custom_fields ?? {};
  const merged: Record<string, unknown> = { ...current };
  let customChanged = false;
  for (const [key, wanted] of Object.entries(patch.customFields)) {
    const value = Object.hasOwn(current, key) ? current[key] : undefined;
    if (isUnchanged(`custom_fields.${key}`, value, wanted)) continue;
    if (wanted.issue !== undefined && !sameAsText(`custom_fields.${key}`, value, wanted)) {
      issues.push(wanted.issue);
      continue;
    }
    customChanged = true;
    if (wanted.value === CLEAR) delete merged[key];
    else
      define(
        merged,
        key,
        castLike(value, wanted.exact === true ? wanted.text : wanted.text.trim(), wanted.value),
      );
  }
  for (const [field, relative] of Object.entries(patch.relative ?? {})) {
    const key = customField(field);
    const own = key === undefined ? item[field] : Object.hasOwn(current, key) ? current[key] : undefined;
    const found = relativeValue(field, own, relative, item);
    if ('skip' in found) return found;
    if ('issue' in found) {
      issues.push(found.issue);
      continue;
    }
    if (key === undefined) {
      if (found.value !== own) change(field as WritableField, found.value);
      continue;
    }
    customChanged = true;
    define(merged, key, castLike(own, String(found.value), found.value));
  }
  // Whether PATCH merges or replaces custom_fields is unknown: the whole map is right in both cases (design §8).
  if (customChanged) {
    set['custom_fields'] = merged;
    before['custom_fields'] = current;
  }

  if (collectionId !== undefined && collectionId.toLowerCase() !== item.collection_id.toLowerCase()) {
    change('collection_id', collectionId);
  }
  if (issues.length > 0) return { issues };
  const additive = patch.tags !== undefined && 'tags' in set ? { tags: patch.tags } : {};
  const relative =
    patch.relative === undefined || Object.keys(set).length === 0 ? {} : { relative: patch.relative };
  return { update: { kind: 'update', set, before, item: itemShown(item), ...additive, ...relative } };
}
