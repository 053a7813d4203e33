import type { Item } from '../../api/schemas.ts';
import { ITEM_CONDITIONS, ITEM_PACKAGINGS, type ItemStatus } from '../../api/schemas.ts';
import { integerBetween, pick, type Random, randomId } from '../random.ts';
import { STORAGE_PLACES, TOY_LINES, type ToyLine } from './toy-lines.ts';

const DAY_MS = 86_400_000;
/** Seeded times do not depend on the machine's clock, so that the same seed gives the same bytes. */
const FIRST_DAY_MS = Date.UTC(2023, 0, 1);
const LAST_DAY_MS = Date.UTC(2025, 11, 31);

/** Most items of a real collection have the status keep; each status occurs. */
const STATUSES: readonly ItemStatus[] = [
  ...Array<ItemStatus>(11).fill('keep'),
  ...Array<ItemStatus>(4).fill('sell'),
  ...Array<ItemStatus>(2).fill('trade'),
  ...Array<ItemStatus>(2).fill('sold'),
  'archived',
];

/**
 * `count` toys, oldest first, with the gaps and oddities of real lists: optional fields that are missing, the same
 * toy twice, texts with quotes and accents, custom fields of every JSON type.
 *
 * @param collectionIds in the order of SEED_COLLECTIONS
 */
export function* makeToys(
  random: Random,
  count: number,
  collectionIds: readonly string[],
  currency: string,
): Generator<Item> {
  const stepMs = (LAST_DAY_MS - FIRST_DAY_MS) / Math.max(1, count);
  let last: Item | undefined;
  for (let index = 0; index < count; index += 1) {
    const createdMs = Math.floor(FIRST_DAY_MS + index * stepMs + random() * stepMs);
    const twin = last !== undefined && random() < 0.02;
    const line = pick(random, TOY_LINES);
    const content = twin && last !== undefined ? last : toy(random, line, collectionIds, currency);
    const edited = random() < 0.3 ? integerBetween(random, 1, 60 * DAY_MS) : 0;
    last = {
      ...content,
      id: randomId(random),
      created_at: new Date(createdMs).toISOString(),
      updated_at: new Date(createdMs + edited).toISOString(),
    };
    yield last;
  }
}

function toy(random: Random, line: ToyLine, collectionIds: readonly string[], currency: string): Item {
  const maybe = <T>(probability: number, value: T): T | null => (random() < probability ? value : null);
  const variant = maybe(0.6, pick(random, line.variants));
  const [low, high] = line.values;
  // Squared, because few toys are dear.
  const value = low + (high - low) * random() ** 2;
  return {
    object: 'item',
    id: '',
    name: pick(random, line.subjects) + (variant === null ? '' : ` (${variant})`),
    brand: maybe(0.93, pick(random, line.brands)),
    series: maybe(0.8, pick(random, line.series)),
    release_year: maybe(0.88, integerBetween(random, line.years[0], line.years[1])),
    condition: maybe(0.9, pick(random, ITEM_CONDITIONS)),
    packaging: maybe(0.85, pick(random, ITEM_PACKAGINGS)),
    status: pick(random, STATUSES),
    tags: line.tags.filter(() => random() < 0.3),
    custom_fields: customFields(random),
    collection_id: collectionIds[line.collection] ?? '',
    estimated_value: maybe(0.8, Math.round(value * 100) / 100),
    currency,
    created_at: '',
    updated_at: '',
  };
}

/** Every JSON type occurs: text, text of digits, number, boolean, null, array, object. */
function customFields(random: Random): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  if (random() < 0.6) fields['location'] = pick(random, STORAGE_PLACES);
  if (random() < 0.4) fields['purchase_price'] = integerBetween(random, 100, 20_000) / 100;
  if (random() < 0.25) fields['catalogue_no'] = String(integerBetween(random, 1, 9999)).padStart(5, '0');
  if (random() < 0.2) fields['graded'] = random() < 0.5;
  if (random() < 0.1) fields['grade'] = random() < 0.5 ? null : integerBetween(random, 60, 100);
  if (random() < 0.1) fields['accessories'] = ['stand', 'helmet', 'card back'].filter(() => random() < 0.5);
  if (random() < 0.06) fields['bought_from'] = { name: 'Fair', city: pick(random, ['Nürnberg', 'Ohio']) };
  return fields;
}
