/** The fields of an item by name, as a value, a text or an exact number. */
import { Big } from 'big.js';
import type { Item } from '../api/schemas.ts';
import { CUSTOM_PREFIX } from '../mapping/custom-prefix.ts';
import { textForm } from '../mapping/text-form.ts';

/** The fields of an item in the contract's order (§2); the custom fields take the place of custom_fields. */
export const ITEM_FIELDS = [
  'object',
  'id',
  'name',
  'brand',
  'series',
  'release_year',
  'condition',
  'packaging',
  'status',
  'tags',
  'custom_fields',
  'collection_id',
  'estimated_value',
  'currency',
  'created_at',
  'updated_at',
] as const;
/** Not a field of the contract: the name of the item's collection. */
export const COLLECTION_NAME = 'collection_name';

/** Whether the name is that of a field: a field of the contract, collection_name, or `custom_fields.NAME`. */
export function isItemField(name: string): boolean {
  if (name.startsWith(CUSTOM_PREFIX)) return name.length > CUSTOM_PREFIX.length;
  return name === COLLECTION_NAME || ITEM_FIELDS.some((field) => field === name);
}

/** The fields of one item, or of one row that an export wrote. */
export interface FieldValues {
  value: (field: string) => unknown;
  /** '' for null and absent values. */
  text: (field: string) => string;
  /** Also for a custom field whose text is plain digits; undefined for everything else. */
  number: (field: string) => Big | undefined;
}

export class ItemValues {
  readonly #collectionNames: ReadonlyMap<string, string>;
  readonly #read = new Map<string, (item: Item) => unknown>();

  /** @param collectionNames id in lower case → name */
  constructor(collectionNames: ReadonlyMap<string, string>) {
    this.#collectionNames = collectionNames;
  }

  of(item: Item): FieldValues {
    return {
      value: (field) => this.value(item, field),
      text: (field) => this.text(item, field),
      number: (field) => this.number(item, field),
    };
  }

  value(item: Item, field: string): unknown {
    let read = this.#read.get(field);
    if (read === undefined) {
      read = valueOf(field, this.#collectionNames);
      this.#read.set(field, read);
    }
    return read(item);
  }

  /** '' for null and absent values. */
  text(item: Item, field: string): string {
    return textForm(field, this.value(item, field));
  }

  /** Also for a custom field whose text is plain digits; undefined for everything else. */
  number(item: Item, field: string): Big | undefined {
    return toBig(this.value(item, field));
  }
}

/** '' for an item that no longer exists, of which an export of changes knows only the id. */
export function currencyOf(item: Item): string {
  const currency: unknown = item.currency;
  return typeof currency === 'string' ? currency : '';
}

/** A finite number, or text of plain digits with a decimal point, exactly. */
export function toBig(value: unknown): Big | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return new Big(String(value));
  if (typeof value === 'string' && /^\s*-?\d{1,15}(?:\.\d{1,15})?\s*$/.test(value))
    return new Big(value.trim());
  return undefined;
}

/** Returns the function that reads a field from an item. */
export function valueOf(
  field: string,
  collectionNames: ReadonlyMap<string, string>,
): (item: Item) => unknown {
  if (field === COLLECTION_NAME)
    return (item) => {
      // Of an item that no longer exists, only the id is known.
      const id: unknown = item.collection_id;
      return typeof id === 'string' ? collectionNames.get(id.toLowerCase()) : undefined;
    };
  if (!field.startsWith(CUSTOM_PREFIX)) return (item: Item<Record<string, unknown>>) => item[field];
  const name = field.slice(CUSTOM_PREFIX.length);
  return (item) => {
    const fields = item.custom_fields;
    return fields !== undefined && Object.hasOwn(fields, name) ? fields[name] : undefined;
  };
}
