/** Values of an item by field name, as a value, a text or an exact number; and a layout's filter, which uses them. */
import { Big } from 'big.js';
import type { Item } from '../../api/schemas.ts';
import { textForm } from '../../mapping/text-form.ts';
import { valueOf } from '../write/item-columns.ts';
import type { FilterSpec, Layout } from './layout.ts';

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

/**
 * Returns the test that a row must pass. Words match in any case, numbers as numbers; a list of tags matches if one
 * of the tags does.
 */
export function rowFilter(layout: Layout, values: ItemValues): (item: Item) => boolean {
  const tests = Object.entries(layout.filter ?? {}).map(([field, spec]) => test(field, spec, values));
  return (item) => tests.every((passes) => passes(item));
}

function test(field: string, spec: FilterSpec, values: ItemValues): (item: Item) => boolean {
  if (typeof spec !== 'object' || Array.isArray(spec)) {
    const wanted = wordsOf(spec);
    return (item) => has(values, item, field, wanted);
  }
  const { not, min, max, blank } = spec;
  const unwanted = not === undefined ? undefined : wordsOf(not);
  return (item) => {
    if (blank !== undefined && (values.text(item, field) === '') !== blank) return false;
    if (unwanted !== undefined && has(values, item, field, unwanted)) return false;
    if (min === undefined && max === undefined) return true;
    const number = values.number(item, field);
    if (number === undefined) return false;
    return (min === undefined || number.gte(min)) && (max === undefined || number.lte(max));
  };
}

function wordsOf(spec: string | number | boolean | (string | number | boolean)[]): ReadonlySet<string> {
  return new Set([spec].flat().map((word) => String(word).toLowerCase()));
}

function has(values: ItemValues, item: Item, field: string, words: ReadonlySet<string>): boolean {
  const value = values.value(item, field);
  if (Array.isArray(value)) return value.some((each) => words.has(String(each).toLowerCase()));
  return words.has(values.text(item, field).toLowerCase());
}
