/** The text by which `--match` finds an item: the same on both sides, the row's and the server's. */
import type { Item, ItemCreate } from '../../api/schemas.ts';
import { textForm } from '../../mapping/text-form.ts';

/** Between the parts of a key: no cell holds it. */
const BETWEEN = '\u0000';

/** '' where every part is blank: such a row has no key. */
export function joinKey(parts: string[]): string {
  const normal = parts.map((part) => part.normalize('NFC').trim().toLowerCase());
  return normal.every((part) => part === '') ? '' : normal.join(BETWEEN);
}

/** The key of an item, or of what a create sends; '' where it has none. */
export function itemKey(item: Partial<Item | ItemCreate>, match: readonly string[]): string {
  return joinKey(
    match.map((field) => {
      const custom = customField(field);
      const value = custom === undefined ? (item as Item)[field] : item.custom_fields?.[custom];
      return textForm(field, value);
    }),
  );
}

/** The name behind `custom_fields.`; undefined for a field of the contract. */
export function customField(field: string): string | undefined {
  return field.startsWith('custom_fields.') ? field.slice('custom_fields.'.length) : undefined;
}
