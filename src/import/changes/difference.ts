/** What of a row's patch is news to an item: only that is sent (design §6, our own exports). */
import type { Item, WritableField } from '../../api/schemas.ts';
import type { StoredIssue } from '../../ledger/ledger.ts';
import { CLEAR } from '../../mapping/mapping.ts';
import { castLike, isUnchanged, sameAsText } from '../../mapping/text-form.ts';
import { define } from './field-changes.ts';
import { changedTags, itemShown, type UpdatePayload } from '../job/payload.ts';
import type { RowPatch } from './row-patch.ts';

/** What `<clear>` sends; a field that is not here cannot be emptied (contract §4). */
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
 * @param collectionId id that the row's collection resolved to; undefined where it names none
 * @returns the update (without fields when nothing changes), or what is wrong with the row
 */
export function difference(
  patch: RowPatch,
  item: Item,
  collectionId: string | undefined,
): { payload: UpdatePayload } | { issues: StoredIssue[] } {
  const set: Record<string, unknown> = {};
  const before: Record<string, unknown> = {};
  const issues: StoredIssue[] = [];
  const change = (field: WritableField, value: unknown) => {
    set[field] = value;
    before[field] = item[field] ?? null;
  };

  for (const [name, wish] of Object.entries(patch.fields)) {
    const field = name as WritableField;
    if (isUnchanged(field, item[field], wish)) continue;
    if (wish.issue !== undefined) issues.push(wish.issue);
    else if (wish.value !== CLEAR) change(field, wish.value);
    else if (field in CLEARED) change(field, CLEARED[field]);
    else issues.push({ code: 'cannot_clear', message: `${field} cannot be empty`, column: field });
  }

  if (patch.tags !== undefined) {
    const current = item.tags ?? [];
    const tags = changedTags(current, patch.tags);
    if (tags.length !== current.length || tags.some((tag, index) => tag !== current[index]))
      change('tags', tags);
  }

  const current = item.custom_fields ?? {};
  const merged: Record<string, unknown> = { ...current };
  let customChanged = false;
  for (const [key, wish] of Object.entries(patch.customFields)) {
    const value = Object.hasOwn(current, key) ? current[key] : undefined;
    if (isUnchanged(`custom_fields.${key}`, value, wish)) continue;
    if (wish.issue !== undefined && !sameAsText(`custom_fields.${key}`, value, wish)) {
      issues.push(wish.issue);
      continue;
    }
    customChanged = true;
    if (wish.value === CLEAR) delete merged[key];
    else define(merged, key, castLike(value, wish.exact === true ? wish.text : wish.text.trim(), wish.value));
  }
  // Whether PATCH merges or replaces custom_fields is not shown: the whole map is right for both (design §8).
  if (customChanged) {
    set['custom_fields'] = merged;
    before['custom_fields'] = current;
  }

  if (collectionId !== undefined && collectionId.toLowerCase() !== item.collection_id.toLowerCase()) {
    change('collection_id', collectionId);
  }
  if (issues.length > 0) return { issues };
  const additive = patch.tags !== undefined && 'tags' in set ? { tags: patch.tags } : {};
  return { payload: { set, before, item: itemShown(item), ...additive } };
}
