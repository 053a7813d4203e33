/** A mapped row as the body of createItem. */
import { type ItemCreate, WRITABLE_FIELDS } from '../api/schemas.ts';
import { CLEAR, type MappedRow } from './mapping.ts';

/**
 * The body that creates the row's item. Only for rows without issues that went through `asCreate` (all rows of
 * `--mode create` did); such a body always satisfies the strict ItemCreate schema.
 *
 * @param collectionId the id that the row's collection was resolved to
 */
export function createPayload(row: MappedRow, collectionId: string): ItemCreate {
  const payload: Record<string, unknown> = { collection_id: collectionId };
  for (const field of WRITABLE_FIELDS) {
    if (field === 'collection_id' || field === 'custom_fields') continue;
    const mapped = row.fields[field];
    if (mapped !== undefined && mapped.value !== CLEAR) payload[field] = mapped.value;
  }
  const custom = Object.entries(row.customFields).filter(([, mapped]) => mapped.value !== CLEAR);
  if (custom.length > 0) {
    payload['custom_fields'] = Object.fromEntries(custom.map(([key, mapped]) => [key, mapped.value]));
  }
  return payload as ItemCreate;
}
