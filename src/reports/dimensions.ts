/** The properties by which reports group items. */
import { type Item, ITEM_CONDITIONS, ITEM_PACKAGINGS, ITEM_STATUSES } from '../api/schemas.ts';
import { type Dimension, inOrderOf } from './totals.ts';

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

/** @param names id in lower case → name; an id without a name is shown as it is */
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

/** Blank text counts as missing. */
function given(text: string | null | undefined): string | null {
  return text === undefined || text === null || text.trim() === '' ? null : text;
}

/** `mint_on_card` → `mint on card`, for display; the key stays. */
function words(key: string): string {
  return key.replaceAll('_', ' ');
}
