/** Turns a request into the stored item: defaults, changes, and the server's normalisation of values. */
import { type Item, type ItemCreate, type ItemUpdate, OPTIONAL_FIELDS } from '../api/schemas.ts';
import type { Storing } from './settings.ts';

const OPTIONAL: ReadonlySet<string> = new Set(OPTIONAL_FIELDS);
/** Characters of a custom field's text that a server with `cutCustomFields` keeps. */
const CUT_TO = 10;

/** The item that a create makes (api-v1 §2, §4). Fields that were not sent are null, empty or `keep`. */
export function newItem(create: ItemCreate, id: string, currency: string, time: string): Item {
  return {
    object: 'item',
    id,
    name: create.name,
    brand: create.brand ?? null,
    series: create.series ?? null,
    release_year: create.release_year ?? null,
    condition: create.condition ?? null,
    packaging: create.packaging ?? null,
    status: create.status ?? 'keep',
    tags: create.tags ?? [],
    custom_fields: create.custom_fields ?? {},
    collection_id: create.collection_id.toLowerCase(),
    estimated_value: create.estimated_value ?? null,
    currency,
    created_at: time,
    updated_at: time,
  };
}

/** The item after an update: only the fields that were sent change (api-v1 §4). */
export function changedItem(
  item: Item,
  update: ItemUpdate,
  time: string,
  customFields: 'replace' | 'merge',
): Item {
  // Absent properties of an update are absent, never undefined: it was JSON.
  const changed = { ...item, ...update, updated_at: time } as Item;
  if (update.collection_id !== undefined) changed.collection_id = update.collection_id.toLowerCase();
  if (update.custom_fields !== undefined && customFields === 'merge') {
    changed.custom_fields = { ...item.custom_fields, ...update.custom_fields };
  }
  return changed;
}

/** The changes that this server makes to values before it stores them; none if no switch is on. */
export function asStored(item: Item, storing: Storing): Item {
  const stored = { ...item };
  const text = (value: string): string => {
    const trimmed = storing.trimNames === true ? value.trim() : value;
    const collapsed = storing.collapseSpaces === true ? trimmed.replaceAll(/\s+/g, ' ') : trimmed;
    const normal = storing.normaliseUnicode === true ? collapsed.normalize('NFC') : collapsed;
    return storing.escapeTexts === true ? escaped(normal) : normal;
  };
  stored.name = text(item.name);
  if (typeof item.brand === 'string') {
    stored.brand = text(item.brand);
    if (storing.raiseBrands === true) stored.brand = stored.brand.toUpperCase();
  }
  if (typeof item.series === 'string') stored.series = text(item.series);
  if (item.tags !== undefined) {
    const tags = storing.normaliseUnicode === true ? item.tags.map((tag) => tag.normalize('NFC')) : item.tags;
    stored.tags = storing.sortTags === true ? tags.toSorted() : tags;
  }
  if (typeof item.estimated_value === 'number' && storing.roundValues === true) {
    stored.estimated_value = Number(item.estimated_value.toFixed(2));
  }
  const { dropCustomFields, cutCustomFields, addCustomField, escapeTexts } = storing;
  if (dropCustomFields ?? cutCustomFields ?? addCustomField ?? escapeTexts)
    stored.custom_fields = storedFields(item, storing);
  return stored;
}

/**
 * JSON of an item as an answer shows it.
 *
 * @param isShort without the fields that a response need not have
 * @param isSparse without those of them that are empty
 */
export function shownItem(item: string, isShort = false, isSparse = false): string {
  if (!isShort && !isSparse) return item;
  const isEmpty = (value: unknown) =>
    value === null || (typeof value === 'object' && Object.keys(value).length === 0);
  const shown = Object.entries(JSON.parse(item) as Item).filter(
    ([name, value]) => !OPTIONAL.has(name) || (!isShort && !isEmpty(value)),
  );
  return JSON.stringify(Object.fromEntries(shown));
}

/** Texts that are already escaped are not escaped again. */
function escaped(text: string): string {
  return text.replaceAll(/&(?!amp;)/g, '&amp;');
}

function storedFields({ id, custom_fields: custom = {} }: Item, storing: Storing): Record<string, unknown> {
  if (storing.dropCustomFields === true) return {};
  const text = (value: string): string => {
    const kept = storing.escapeTexts === true ? escaped(value) : value;
    return storing.cutCustomFields === true ? kept.slice(0, CUT_TO) : kept;
  };
  const kept = Object.entries(custom).map(([name, value]) => [
    name,
    typeof value === 'string' ? text(value) : value,
  ]);
  const added = storing.addCustomField === true ? [['checked', id.slice(0, 8)]] : [];
  return Object.fromEntries([...kept, ...added]) as Record<string, unknown>;
}
