/** The filter of a layout: a row has to pass all of it. */
import type { Item } from '../../api/schemas.ts';
import type { ItemValues } from './item-value.ts';
import type { FilterSpec, Layout } from './layout.ts';

/** Words are compared without regard to case; numbers as numbers; a list of tags has a word if one of them is it. */
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
