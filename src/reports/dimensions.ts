/** The properties by which reports group items. */
import { type Item, ITEM_CONDITIONS, ITEM_PACKAGINGS, ITEM_STATUSES } from '../api/schemas.ts';
import { CUSTOM_PREFIX } from '../mapping/custom-prefix.ts';
import { textForm } from '../mapping/text-form.ts';
import { COLLECTION_NAME, valueOf } from '../where/item-values.ts';
import { type Dimension, inOrderOf } from './totals.ts';
import { byText } from '../base/by-text.ts';

export const BY_STATUS: Dimension = {
  name: 'status',
  title: 'By status',
  missing: '(no status)',
  keyOf: (item) => item.status,
  order: inOrderOf(ITEM_STATUSES),
  chart: 'bars',
};

export const BY_BRAND: Dimension = {
  name: 'brand',
  title: 'By brand',
  missing: '(no brand)',
  keyOf: (item) => given(item.brand),
  chart: 'bars',
};

export const BY_DECADE: Dimension = {
  name: 'decade',
  title: 'By decade',
  missing: '(no year)',
  keyOf: ({ release_year }) =>
    typeof release_year === 'number' ? String(Math.floor(release_year / 10) * 10) : null,
  labelOf: (key) => `${key}s`,
  order: (a, b) => Number(a) - Number(b),
  chart: 'columns',
};

export const BY_CONDITION: Dimension = {
  name: 'condition',
  title: 'By condition',
  missing: '(no condition)',
  keyOf: (item) => given(item.condition),
  labelOf: words,
  order: inOrderOf(ITEM_CONDITIONS),
  chart: 'bars',
};

export const BY_PACKAGING: Dimension = {
  name: 'packaging',
  title: 'By packaging',
  missing: '(no packaging)',
  keyOf: (item) => given(item.packaging),
  labelOf: words,
  order: inOrderOf(ITEM_PACKAGINGS),
  chart: 'bars',
};

/** @param names id in lower case → name; an id without a name is shown itself */
export function byCollection(names: ReadonlyMap<string, string>): Dimension {
  const uses = Map.groupBy(names.values(), (name) => name);
  return {
    name: 'collection',
    title: 'By collection',
    missing: '(no collection)',
    keyOf: (item: Item) => item.collection_id.toLowerCase(),
    labelOf: (id) => {
      const name = names.get(id);
      if (name === undefined) return id;
      // Names need not be unique: two collections can share one.
      return (uses.get(name)?.length ?? 0) > 1 ? `${name} (${id.slice(0, 8)})` : name;
    },
    chart: 'bars',
  };
}

const TIMES: readonly string[] = ['created_at', 'updated_at'];

/** Dimensions that the fixed sections already show; a decade is not a year. */
const FIXED: Readonly<Record<string, string>> = {
  collection_id: 'collection',
  [COLLECTION_NAME]: 'collection',
};

/**
 * Any fields as dimensions, without those that the fixed sections have.
 *
 * @param names collections: id in lower case → name
 */
export function byFields(
  fields: readonly string[],
  fixed: readonly Dimension[],
  names: ReadonlyMap<string, string>,
): Dimension[] {
  const titles = new Set(fixed.map(({ title }) => title));
  const ids = new Set(fixed.map(({ name }) => name));
  const shown = fields.filter((field) => !ids.has(FIXED[field] ?? field));
  return shown.map((field) => {
    const dimension = byField(field, names);
    // Two fields may have one title, such as brand and custom_fields.brand.
    return {
      ...dimension,
      name: distinct(idOf(field), ids, (number) => `_${number}`),
      title: distinct(dimension.title, titles, (number) => ` (${number})`),
    };
  });
}

function byField(field: string, names: ReadonlyMap<string, string>): Dimension {
  const label = field.startsWith(CUSTOM_PREFIX) ? field.slice(CUSTOM_PREFIX.length) : words(field);
  const title = `By ${label}`;
  const value = valueOf(field, names);
  const missing = `(no ${label})`;
  if (TIMES.includes(field)) {
    // A time of day is the same for hardly any two items.
    const keyOf = (item: Item) => given(textForm(field, value(item)).slice(0, 7));
    return { name: field, title: `${title}, months`, missing, keyOf, order: byText, chart: 'columns' };
  }
  const keyOf = (item: Item) => given(textForm(field, value(item)));
  const order = field === 'release_year' ? (a: string, b: string) => Number(a) - Number(b) : undefined;
  return { name: field, title, missing, keyOf, chart: 'bars', ...(order === undefined ? {} : { order }) };
}

/** Valid as the id of an element and as a section of the CSV. */
function idOf(field: string): string {
  return field.replaceAll(/[^\p{L}\p{N}_.-]+/gu, '_');
}

function distinct(name: string, taken: Set<string>, suffix: (number: number) => string): string {
  let found = name;
  for (let number = 2; taken.has(found); number += 1) found = name + suffix(number);
  taken.add(found);
  return found;
}

/** Blank text counts as missing. */
function given(text: string | null | undefined): string | null {
  return text === undefined || text === null || text.trim() === '' ? null : text;
}

/** `mint_on_card` → `mint on card`, for display; the key stays. */
function words(key: string): string {
  return key.replaceAll('_', ' ');
}
