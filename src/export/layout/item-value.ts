/** What an item says under a name, as a value, a text or an exact number. */
import { Big } from 'big.js';
import type { Item } from '../../api/schemas.ts';
import { textForm } from '../../mapping/text-form.ts';
import { valueOf } from '../write/item-columns.ts';

export class ItemValues {
  readonly #collectionNames: ReadonlyMap<string, string>;
  readonly #read = new Map<string, (item: Item) => unknown>();

  /** @param collectionNames id in lower case → name */
  constructor(collectionNames: ReadonlyMap<string, string>) {
    this.#collectionNames = collectionNames;
  }

  value(item: Item, field: string): unknown {
    let read = this.#read.get(field);
    if (read === undefined) {
      read = valueOf(field, this.#collectionNames);
      this.#read.set(field, read);
    }
    return read(item);
  }

  /** '' for what is null or absent. */
  text(item: Item, field: string): string {
    return textForm(field, this.value(item, field));
  }

  /** Also of a custom field whose text is plain digits; undefined for everything else. */
  number(item: Item, field: string): Big | undefined {
    return toBig(this.value(item, field));
  }
}

/** '' of an item that is not there any more, of which an export of changes knows only the id. */
export function currencyOf(item: Item): string {
  const currency: unknown = item.currency;
  return typeof currency === 'string' ? currency : '';
}

/** A finite number, or a text of plain digits with a decimal point, exactly. */
export function toBig(value: unknown): Big | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return new Big(String(value));
  if (typeof value === 'string' && /^\s*-?\d{1,15}(?:\.\d{1,15})?\s*$/.test(value))
    return new Big(value.trim());
  return undefined;
}
