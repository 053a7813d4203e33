/** What a row of an update or upsert sets, as the ledger keeps it until the plan knows the item. */
import type { WritableField } from '../../api/schemas.ts';
import { CUSTOM_PREFIX } from '../../mapping/custom-prefix.ts';
import type { RowIssue } from '../../mapping/issue.ts';
import { CLEAR, type MappedRow, type MappedValue } from '../../mapping/mapping.ts';
import { createFields } from '../../mapping/payload.ts';
import { textForm } from '../../mapping/text-form.ts';
import type { TagsChange } from '../engine/three-way.ts';
import { fieldsOfCreate } from '../job/payload.ts';
import type { RelativeChange, TableChange } from '../job/judging.ts';

export interface RowPatch {
  fields: Partial<Record<WritableField, MappedValue>>;
  customFields: Record<string, MappedValue>;
  id?: string;
  /** Which of the items with the row's key it means, as a person has decided. */
  chosen?: string;
  /** Tags to add to the item's own, and to remove from them. */
  tags?: TagsChange;
  /** `set`: changes that start from the item's own value, by field. */
  relative?: Record<string, RelativeChange>;
  /** `set estimated_value=9.99`: one amount for all items. */
  valueForAll?: true;
  /** Two rows for one item are no repetition of one change: it is unknown whether they add up. */
  onceOnly?: true;
  /** Upsert: the fields of a create without collection_id, and the issues that prevent one. */
  create?: { fields: Record<string, unknown>; issues: RowIssue[] };
}

/** JSON has no symbols: `<clear>` becomes a key of its own. */
interface StoredValue extends Omit<MappedValue, 'value'> {
  value?: unknown;
  clear?: true;
}

/** What a tags column does to the tags that an item has. */
export type TagsMode = 'set' | 'add' | 'remove';

/** The patch of a row of `set --from`: what its own cells say, and what the command says of every row. */
export function encodeChange(row: MappedRow, tagsMode: TagsMode, change: TableChange): string {
  const every = decodeRowPatch(change.patch);
  const own = tagsMode === 'set' ? undefined : tagsToChange(row, tagsMode);
  const tags = {
    add: [...(every.tags?.add ?? []), ...(own?.add ?? [])],
    remove: [...(every.tags?.remove ?? []), ...(own?.remove ?? [])],
  };
  const relative: Record<string, RelativeChange> = { ...every.relative };
  for (const [field, operand] of Object.entries(row.operands ?? {})) {
    const rule = change.relative?.[field];
    if (rule !== undefined) relative[field] = { ...rule, ...operand };
  }
  return rowPatchText({
    fields: { ...row.fields, ...every.fields },
    customFields: { ...row.customFields, ...every.customFields },
    ...(row.id === undefined ? {} : { id: row.id }),
    ...(row.chosen === undefined ? {} : { chosen: row.chosen }),
    ...(tags.add.length + tags.remove.length === 0 ? {} : { tags }),
    ...(Object.keys(relative).length === 0 ? {} : { relative, onceOnly: true }),
    ...(every.valueForAll === undefined ? {} : { valueForAll: true }),
  });
}

/** @param asCreate turns the row into a create (upsert); called once the patch is complete */
export function encodeRowPatch(
  row: MappedRow,
  tagsMode: TagsMode,
  asCreate?: (row: MappedRow) => MappedRow,
): string {
  const tags = tagsMode === 'set' ? undefined : tagsToChange(row, tagsMode);
  const patch = {
    ...encoded({
      fields: row.fields,
      customFields: row.customFields,
      ...(tags === undefined ? {} : { tags }),
    }),
    ...(row.id === undefined ? {} : { id: row.id }),
    ...(row.chosen === undefined ? {} : { chosen: row.chosen }),
  };
  if (asCreate === undefined) return JSON.stringify(patch);
  // A new item gets the tags to add, and has none to remove.
  if (tags !== undefined && tags.add.length > 0) row.fields.tags = { value: tags.add, text: '' };
  const created = asCreate(row);
  return JSON.stringify({ ...patch, create: { fields: createFields(created), issues: created.issues } });
}

/** A patch that comes from no row of a file, as the ledger keeps it. */
export function rowPatchText(patch: Omit<RowPatch, 'create'>): string {
  return JSON.stringify(encoded(patch));
}

function encoded(patch: Omit<RowPatch, 'create'>): Record<string, unknown> {
  return {
    ...patch,
    fields: mapValues(patch.fields, store),
    customFields: mapValues(patch.customFields, store),
  };
}

/** Takes the tags out of the row's fields. `<clear>` stays there, because it empties them in every mode. */
function tagsToChange(row: MappedRow, mode: 'add' | 'remove'): RowPatch['tags'] {
  const value = row.fields.tags?.value;
  if (!Array.isArray(value)) return undefined;
  delete row.fields.tags;
  return { add: [], remove: [], [mode]: value as string[] };
}

export function decodeRowPatch(text: string): RowPatch {
  const patch = JSON.parse(text) as RowPatch;
  return {
    ...patch,
    fields: mapValues(patch.fields, restore),
    customFields: mapValues(patch.customFields, restore),
  };
}

/** What a planned create of an upsert would set on an existing item. */
export function patchOfCreate(payload: string | null): RowPatch {
  const kept = JSON.parse(payload ?? '{}') as object;
  if ('create' in kept) return decodeRowPatch(payload ?? '{}');
  // Earlier versions kept only the fields of the new item.
  const { custom_fields: custom = {}, ...fields } = kept as { custom_fields?: Record<string, unknown> };
  const asMapped = (prefix: string) => (value: unknown, name: string) => ({
    value,
    text: textForm(prefix + name, value),
  });
  return {
    fields: mapValues(fields, asMapped('')),
    customFields: mapValues(custom, asMapped(CUSTOM_PREFIX)),
    create: { fields: fieldsOfCreate(payload), issues: [] },
  };
}

function store(mapped: MappedValue): StoredValue {
  return mapped.value === CLEAR ? { ...mapped, value: undefined, clear: true } : mapped;
}

function restore(stored: StoredValue): MappedValue {
  const { clear, ...mapped } = stored;
  return clear === true ? { ...mapped, value: CLEAR } : { value: undefined, ...mapped };
}

function mapValues<T, U>(
  record: Partial<Record<string, T>>,
  change: (value: T, key: string) => U,
): Record<string, U> {
  return Object.fromEntries(
    Object.entries(record).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, change(value, key)]],
    ),
  );
}
