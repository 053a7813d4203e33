/**
 * What a row of an update or upsert wants, as it is kept in the ledger until the plan has seen the item.
 */
import type { WritableField } from '../api/schemas.ts';
import type { RowIssue } from '../mapping/issue.ts';
import { CLEAR, type MappedRow, type MappedValue } from '../mapping/mapping.ts';
import { createPayload } from '../mapping/payload.ts';

export interface Wishes {
  fields: Partial<Record<WritableField, MappedValue>>;
  customFields: Record<string, MappedValue>;
  id?: string;
  /** Upsert: the fields of a create without collection_id, and what speaks against one. */
  create?: { fields: Record<string, unknown>; issues: RowIssue[] };
}

/** JSON has no symbols: `<clear>` stands as a key of its own. */
interface StoredValue extends Omit<MappedValue, 'value'> {
  value?: unknown;
  clear?: true;
}

/** @param asCreate makes a create of the row (upsert); called after the row's own wishes were taken */
export function encodeWishes(row: MappedRow, asCreate?: (row: MappedRow) => MappedRow): string {
  const wishes = {
    fields: mapValues(row.fields, store),
    customFields: mapValues(row.customFields, store),
    ...(row.id === undefined ? {} : { id: row.id }),
  };
  if (asCreate === undefined) return JSON.stringify(wishes);
  const created = asCreate(row);
  return JSON.stringify({ ...wishes, create: { fields: createFields(created), issues: created.issues } });
}

export function decodeWishes(text: string): Wishes {
  const wishes = JSON.parse(text) as Wishes;
  return {
    ...wishes,
    fields: mapValues(wishes.fields, restore),
    customFields: mapValues(wishes.customFields, restore),
  };
}

/** The body of a create without its collection_id, which is added when it is sent. */
export function createFields(row: MappedRow): Record<string, unknown> {
  const { collection_id: _, ...fields } = createPayload(row, '');
  return fields;
}

function store(mapped: MappedValue): StoredValue {
  return mapped.value === CLEAR ? { ...mapped, value: undefined, clear: true } : mapped;
}

function restore(stored: StoredValue): MappedValue {
  const { clear, ...mapped } = stored;
  return clear === true ? { ...mapped, value: CLEAR } : { value: undefined, ...mapped };
}

function mapValues<T, U>(record: Partial<Record<string, T>>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(
    Object.entries(record).flatMap(([key, value]) => (value === undefined ? [] : [[key, change(value)]])),
  );
}
