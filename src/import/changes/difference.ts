/** Compares a row with its item: only the changes are sent (design §6). */
import type { Item, WritableField } from '../../api/schemas.ts';
import type { StoredIssue } from '../../ledger/ledger.ts';
import { CUSTOM_PREFIX } from '../../mapping/custom-prefix.ts';
import { CLEAR, type MappedValue } from '../../mapping/mapping.ts';
import { sameJson } from '../../base/equal-json.ts';
import { cut } from '../../mapping/casts/cast.ts';
import { wholeProblem } from '../../mapping/issue.ts';
import { castLike, textForm, twoReadings } from '../../mapping/text-form.ts';
import { isUnchanged, sameField } from '../engine/equality.ts';
import { changeSet, type FieldChange, fieldOf } from '../engine/field-changes.ts';
import { changedTags } from '../engine/three-way.ts';
import { type FieldValue, fieldValue, itemShown, type Update } from '../engine/operation.ts';
import { message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';
import { issueOf } from '../engine/stored-issue.ts';
import { customField } from './match-key.ts';
import { relativeValue } from './relative.ts';
import { hasOtherMark, isRewritten, type RewrittenCell } from './rewritten.ts';
import type { RowPatch } from '../engine/input.ts';

/** Fields that `<clear>` empties, besides custom fields; others cannot be empty (contract §4). */
export const CLEARABLE: ReadonlySet<string> = new Set<WritableField>([
  'brand',
  'series',
  'release_year',
  'condition',
  'packaging',
  'estimated_value',
  'tags',
]);

/**
 * The outcome of comparing a row with its item: the update to send, the problems of the row, or the reason to leave it
 * out.
 */
export type Compared =
  | { to: 'planned' | 'unchanged'; update: Update; rewritten?: RewrittenCell[] }
  | { to: 'invalid' | 'skipped'; issues: StoredIssue[] };

/** @param collectionId id of the collection that the row names, if any */
export function difference(patch: RowPatch, item: Item, collectionId: string | undefined): Compared {
  const changes: FieldChange[] = [];
  const already: FieldValue[] = [];
  const issues: StoredIssue[] = [];
  const unset: StoredIssue[] = [];
  const relative: NonNullable<Update['relative']> = {};
  const rewritten: RewrittenCell[] = [];
  const change = (field: string, to: unknown) => changes.push({ field, from: fieldOf(item, field), to });

  for (const [field, wanted] of wantedValues(patch)) {
    const current = fieldOf(item, field);
    const isCustom = customField(field) !== undefined;
    if (isUnchanged(field, current, wanted)) already.push(fieldValue(field, current));
    else if (patch.exported !== undefined && hasOtherMark(textForm(field, current), wanted.text, 'point'))
      issues.push(
        issueOf(
          'uncertain_mark',
          wholeProblem(message('has_uncertain_mark', { text: cut(wanted.text) }), message('want_mark', {})),
          { column: field },
        ),
      );
    else if (patch.exported !== undefined && isRewritten(textForm(field, current), wanted.text))
      rewritten.push({ field, from: cut(textForm(field, current)), to: cut(wanted.text) });
    else if (wanted.issue !== undefined) issues.push(wanted.issue);
    else if (wanted.value !== CLEAR) {
      const value = isCustom
        ? castLike(current, cellText(wanted), wanted.value, wanted.decimal)
        : wanted.value;
      const readings = isCustom && typeof current === 'number' ? readingsOf(wanted) : undefined;
      if (readings !== undefined)
        issues.push(
          issueOf('ambiguous_number', wholeProblem(readings, message('want_decimal_mark', {})), {
            column: field,
          }),
        );
      else if (isCustom && isBrokenJson(current, value))
        issues.push(issueOf('not_json', message('no_json', { text: cut(wanted.text) }), { column: field }));
      else change(field, value);
    } else if (isCustom || CLEARABLE.has(field)) change(field, undefined);
    else issues.push(issueOf('cannot_clear', message('cannot_be_emptied', { field }), { column: field }));
  }
  const tags = patch.tags === undefined ? undefined : changedTags(item.tags, patch.tags);
  if (tags !== undefined) {
    if (sameJson(tags, item.tags ?? [])) already.push(['tags', tags]);
    else change('tags', tags);
  }
  for (const [field, rule] of Object.entries(patch.relative ?? {})) {
    const found = relativeValue(field, fieldOf(item, field), rule, item);
    if ('skip' in found) unset.push(found.skip);
    else relative[field] = rule;
    if ('issue' in found) issues.push(found.issue);
    else if ('to' in found && !sameJson(found.to, fieldOf(item, field))) change(field, found.to);
  }
  if (collectionId !== undefined) {
    if (sameField('collection_id', item.collection_id, collectionId))
      already.push(['collection_id', collectionId]);
    else change('collection_id', collectionId);
  }

  if (issues.length > 0) return { to: 'invalid', issues };
  if (unset.length > 0 && changes.length === 0) return { to: 'skipped', issues: unset };
  const update: Update = { kind: 'update', ...changeSet(changes, item), item: itemShown(item) };
  if (already.length > 0) update.already = already;
  if (patch.tags !== undefined) update.tags = patch.tags;
  if (Object.keys(relative).length > 0 && changes.length > 0) update.relative = relative;
  if (unset.length > 0) update.unset = unset;
  const to = changes.length === 0 ? 'unchanged' : 'planned';
  return rewritten.length === 0 ? { to, update } : { to, update, rewritten };
}

/** True for a text that was to be JSON, as exports write lists and objects. */
function isBrokenJson(current: unknown, value: unknown): boolean {
  return (
    typeof current === 'object' && current !== null && typeof value === 'string' && /^\s*[[{]/.test(value)
  );
}

/** The two readings of a text for a number; undefined if its decimal mark is known, as in exports. */
function readingsOf({ value, text, exact, decimal }: MappedValue): Message | undefined {
  if (typeof value !== 'string' || decimal !== undefined || (exact === true && !text.includes(',')))
    return undefined;
  const two = twoReadings(text);
  if (two === undefined) return undefined;
  const [point, comma] = [String(two.point), String(two.comma)];
  return message('two_readings', { text: cut(text), point, comma, isUndecided: false });
}

/** The values that a row sets, by field. */
function wantedValues({ fields, customFields }: RowPatch): [string, MappedValue][] {
  const custom = Object.entries(customFields).map(([key, value]): [string, MappedValue] => [
    CUSTOM_PREFIX + key,
    value,
  ]);
  return [...Object.entries(fields), ...custom];
}

function cellText({ text, exact }: MappedValue): string {
  return exact === true ? text : text.trim();
}
