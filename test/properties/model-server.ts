/** The service as the contract leaves it open: how it stores, orders and dates items is the scenario's choice. */
import type { Item, ItemCreate, ItemStatus, ItemUpdate } from '../../src/api/schemas.ts';
import type { Change } from '../history/history.ts';
import { WALL_START_MS } from './simulated-process.ts';
import type { SimulatedTime } from './simulated-time.ts';

export interface ServerHabits {
  trims: boolean;
  rounds: boolean;
  sortsTags: boolean;
  normalises: boolean;
  order: 'created' | 'updated';
  /** Items of the same moment: the later one first, or last. */
  ties: 'later' | 'earlier';
  /** Its clock less ours, ms. */
  offsetMs: number;
  /** Times are whole multiples of this, ms. */
  resolutionMs: number;
  /** Its clock jumps at a moment. */
  jump?: { at: number; byMs: number } | undefined;
  /** Lists show new items so much later, ms. */
  lagMs?: number | undefined;
  /** Until then, their own addresses are unknown too; they can be changed. */
  lagsById?: boolean | undefined;
  /** Lists show each item as it was so long ago, ms; a newer one as it was made. */
  staleMs?: number | undefined;
  /** What it makes of texts in a way that nobody can foresee. */
  rewrites?: Rewrite | undefined;
  /** Fields that its lists leave out. */
  short?: Short | undefined;
}

/** `all` optional fields; those that hold several values; or those that have none. */
export type Short = 'all' | 'containers' | 'empty';

/**
 * `cuts`: texts of custom fields to 12 characters; `escapes`: & in them; `adds`: a custom field to each new item;
 * `recases`: brands in capitals.
 */
export type Rewrite = 'cuts' | 'escapes' | 'adds' | 'recases';
const CUT = 12;
/** A response need not have these (§2). */
const OPTIONAL = new Set([
  'brand',
  'series',
  'release_year',
  'condition',
  'packaging',
  'tags',
  'custom_fields',
  'estimated_value',
]);

/** Who wrote a field last. A custom field is a field of its own, `custom_fields.NAME`. */
export interface Writing {
  /** The name of a store whose jobs did, or a person. */
  by: string;
  at: number;
  value: unknown;
}

export interface ModelItem {
  item: Item;
  /** On the server's clock, ms. */
  createdAt: number;
  updatedAt: number;
  /** On the simulation's clock, ms. */
  madeAt: number;
  /** It is in no list any more, and has no address. */
  removed: boolean;
  by: Writing['by'];
  /** Its content when it was made, as text. */
  content: string;
  /** All that was ever written to a field, in order. */
  writings: Map<string, Writing[]>;
}

export const COLLECTION = '11111111-1111-4111-8111-111111111111';
/** All collections of the account. */
export const COLLECTIONS = [
  { id: COLLECTION, name: 'Main' },
  { id: '11111111-1111-4111-8111-222222222222', name: 'Second' },
] as const;

/** One field from → to. */
export interface FieldWrite {
  field: string;
  value: unknown;
  /** What was there; undefined where nobody has written the field since the item was made. */
  over: Writing | undefined;
}

export class ModelServer {
  readonly items: ModelItem[] = [];
  /** Every item as it was made, and each change of it. */
  readonly log: Change[] = [];
  planLimit = Number.POSITIVE_INFINITY;
  readonly #time: SimulatedTime;
  readonly #habits: ServerHabits;

  constructor(time: SimulatedTime, habits: ServerHabits) {
    this.#time = time;
    this.#habits = habits;
  }

  get lagMs(): number {
    return this.#habits.lagMs ?? 0;
  }

  get staleMs(): number {
    return this.#habits.staleMs ?? 0;
  }

  get full(): boolean {
    return this.items.length >= this.planLimit;
  }

  /** @param ageMs how long ago it was made: items that are there from the start are old */
  create(body: ItemCreate, by: Writing['by'], ageMs = 0): ModelItem {
    const at = this.#now() - ageMs;
    const number = this.items.length + 1;
    const item: Item = {
      object: 'item',
      brand: null,
      series: null,
      release_year: null,
      condition: null,
      packaging: null,
      status: 'keep',
      tags: [],
      custom_fields: {},
      estimated_value: null,
      ...(this.#stored(body) as Partial<Item> & ItemCreate),
      ...(this.#habits.rewrites === 'adds'
        ? { custom_fields: { ...body.custom_fields, source: 'api' } }
        : {}),
      collection_id: body.collection_id,
      id: `22222222-2222-4222-8222-${String(number).padStart(12, '0')}`,
      currency: 'eur',
      created_at: new Date(at).toISOString(),
      updated_at: new Date(at).toISOString(),
    };
    const made: ModelItem = {
      item,
      createdAt: at,
      updatedAt: at,
      madeAt: this.#time.now,
      removed: false,
      by,
      content: this.contentOf(body),
      writings: new Map(),
    };
    this.items.push(made);
    this.log.push({ item: item.id, at: this.#time.now, after: { ...item } });
    return made;
  }

  /** @returns what it changes, by field; undefined where there is no such item */
  update(id: string, set: ItemUpdate, by: Writing['by']): FieldWrite[] | undefined {
    const found = this.find(id);
    if (found === undefined) return undefined;
    const was = found.item;
    found.updatedAt = this.#now();
    found.item = {
      ...found.item,
      ...(this.#stored(set) as Partial<Item>),
      updated_at: new Date(found.updatedAt).toISOString(),
    };
    this.log.push({ item: id, at: this.#time.now, before: { ...was }, after: { ...found.item } });
    const before = fieldsOf(was);
    const after = fieldsOf(found.item);
    const written: FieldWrite[] = [];
    for (const field of new Set([...before.keys(), ...after.keys()])) {
      const value = after.get(field);
      if (JSON.stringify(value) === JSON.stringify(before.get(field))) continue;
      const writings = found.writings.get(field) ?? [];
      written.push({ field, value, over: writings.at(-1) });
      found.writings.set(field, [...writings, { by, at: this.#time.now, value }]);
    }
    return written;
  }

  remove(id: string): void {
    const found = this.find(id);
    if (found === undefined) return;
    found.removed = true;
    const { item } = found;
    this.log.push({ item: id, at: this.#time.now, before: { ...item }, after: { ...item }, removed: true });
  }

  /** The item as an answer about its id shows it. */
  shown(id: string): ModelItem | undefined {
    const found = this.find(id);
    const isLate = found !== undefined && found.madeAt > this.#time.now - this.lagMs;
    return isLate && this.#habits.lagsById === true ? undefined : found;
  }

  find(id: string): ModelItem | undefined {
    return this.items.find((each) => each.item.id === id && !each.removed);
  }

  list(page: number, perPage: number, status: ItemStatus | undefined): { data: Item[]; has_more: boolean } {
    const { order, ties } = this.#habits;
    const shownUntil = this.#time.now - this.lagMs;
    const there = this.items
      .filter(({ removed, madeAt }) => !removed && madeAt <= shownUntil)
      .map((each) => this.#asListed(each))
      .filter((item) => status === undefined || item.status === status);
    if (ties === 'later') there.reverse();
    const key = (item: Item) => Date.parse(order === 'created' ? item.created_at : item.updated_at);
    there.sort((a, b) => key(b) - key(a));
    const data = there.slice((page - 1) * perPage, page * perPage).map((item) => this.#listed(item));
    return { data, has_more: page * perPage < there.length };
  }

  /** One text for what this server makes of a body. */
  contentOf(body: ItemCreate): string {
    const stored = this.#stored(body);
    return JSON.stringify(Object.entries(stored).sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** Fields as this server keeps them. */
  asStored(fields: ItemUpdate): ItemUpdate {
    return this.#stored(fields);
  }

  #now(): number {
    const { offsetMs, resolutionMs, jump } = this.#habits;
    const jumped = jump !== undefined && this.#time.now >= jump.at ? jump.byMs : 0;
    return Math.floor((WALL_START_MS + offsetMs + jumped + this.#time.now) / resolutionMs) * resolutionMs;
  }

  #asListed({ item }: ModelItem): Item {
    if (this.staleMs === 0) return item;
    const known = this.log.filter((each) => each.item === item.id);
    const shown = known.findLast(({ at }) => at <= this.#time.now - this.staleMs) ?? known[0];
    return (shown?.after as Item | undefined) ?? item;
  }

  #listed(item: Item): Item {
    const { short } = this.#habits;
    const isLeftOut = (field: string, value: unknown) => {
      if (short === undefined || !OPTIONAL.has(field)) return false;
      const holds = typeof value === 'object' ? Object.keys(value ?? {}).length : undefined;
      if (short === 'empty') return holds === 0;
      return short === 'all' || (holds !== undefined && value !== null);
    };
    return Object.fromEntries(
      Object.entries(item).filter(([field, value]) => !isLeftOut(field, value)),
    ) as unknown as Item;
  }

  #stored(body: ItemCreate): ItemCreate;
  #stored(body: ItemUpdate): ItemUpdate;
  #stored(body: ItemUpdate): ItemUpdate {
    const { trims, rounds, sortsTags, normalises, rewrites } = this.#habits;
    const stored = { ...body };
    const text = (value: string) => {
      const normal = normalises ? value.normalize('NFC') : value;
      return trims ? normal.trim() : normal;
    };
    if (stored.name !== undefined) stored.name = text(stored.name);
    if (typeof stored.brand === 'string') stored.brand = text(stored.brand);
    if (typeof stored.brand === 'string' && rewrites === 'recases') stored.brand = stored.brand.toUpperCase();
    if (stored.custom_fields !== undefined)
      stored.custom_fields = Object.fromEntries(
        Object.entries(stored.custom_fields).map(([name, value]) => [name, rewritten(value, rewrites)]),
      );
    if (stored.tags !== undefined && sortsTags) stored.tags = [...stored.tags].sort();
    if (typeof stored.estimated_value === 'number' && rounds)
      stored.estimated_value = Math.round(stored.estimated_value * 100) / 100;
    return stored;
  }
}

function rewritten(value: unknown, rewrites: Rewrite | undefined): unknown {
  if (typeof value !== 'string') return value;
  if (rewrites === 'cuts') return value.slice(0, CUT);
  return rewrites === 'escapes' ? value.replace(/&(?!amp;)/g, '&amp;') : value;
}

/** The fields that jobs and people of the scenarios change; a tag is a field of its own. */
export function fieldsOf(
  item: Pick<Item, 'name' | 'status' | 'brand' | 'custom_fields' | 'estimated_value' | 'tags'>,
): Map<string, unknown> {
  const custom = Object.entries(item.custom_fields ?? {});
  return new Map<string, unknown>([
    ['name', item.name],
    ['status', item.status],
    ['brand', item.brand],
    ['estimated_value', item.estimated_value],
    ...(item.tags ?? []).map((tag): [string, unknown] => [`tags.${tag}`, true]),
    ...custom.map(([key, value]): [string, unknown] => [`custom_fields.${key}`, value]),
  ]);
}
