/** A mapped row as the body of createItem. */
import { WRITABLE_FIELDS } from '../api/schemas.ts';
import { CLEAR, type MappedRow } from './mapping.ts';

const PLAIN_FIELDS = WRITABLE_FIELDS.filter(
  (field) => field !== 'collection_id' && field !== 'custom_fields',
);

/**
 * The body that creates the row's item, without collection_id, which is added on sending; with it, it always satisfies the
 * strict ItemCreate schema. Only for rows without issues that went through `asCreate`, as all rows of `--mode create` have.
 * Runs for every row.
 */
export function createFields(row: MappedRow): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const field of PLAIN_FIELDS) {
    const mapped = row.fields[field];
    if (mapped !== undefined && mapped.value !== CLEAR) fields[field] = mapped.value;
  }
  const keys = Object.keys(row.customFields);
  if (keys.length === 0) return fields;
  const custom: Record<string, unknown> = {};
  for (const key of keys) {
    const value = row.customFields[key]?.value;
    if (value !== CLEAR) custom[key] = value;
  }
  if (Object.keys(custom).length > 0) fields['custom_fields'] = custom;
  return fields;
}
