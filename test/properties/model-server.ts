/**
 * The service as the contract leaves it open: how it stores, orders and dates items is the scenario's choice.
 *
 * It counts what it applied for us, so that a double is found at the moment in which it is made.
 */
import type { Item, ItemCreate, ItemUpdate } from '../../src/api/schemas.ts';
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
}

export interface ModelItem {
  item: Item;
  createdAt: number;
  updatedAt: number;
  by: 'us' | 'others';
  /** Its content when it was made, as text. */
  content: string;
}

/** Somebody changed an item behind our back. */
export interface ForeignEdit {
  itemId: string;
  field: keyof ItemUpdate;
  value: unknown;
  at: number;
}

export const COLLECTION = '11111111-1111-4111-8111-111111111111';

export class ModelServer {
  readonly items: ModelItem[] = [];
  readonly foreignEdits: ForeignEdit[] = [];
  /** When a process was last given an item by itself, by process and id: what it could have known as it wrote. */
  readonly readAt = new Map<string, number>();
  /** What went against the promise; empty at the end of a good run. */
  readonly violations: string[] = [];
  planLimit = Number.POSITIVE_INFINITY;
  readonly #time: SimulatedTime;
  readonly #habits: ServerHabits;
  /** How often each content may be made for us. */
  readonly #wanted = new Map<string, number>();

  constructor(time: SimulatedTime, habits: ServerHabits) {
    this.#time = time;
    this.#habits = habits;
  }

  /** A row of ours wants this item once. */
  expect(body: ItemCreate): void {
    const content = this.contentOf(body);
    this.#wanted.set(content, (this.#wanted.get(content) ?? 0) + 1);
  }

  get full(): boolean {
    return this.items.length >= this.planLimit;
  }

  /** @param ageMs how long ago it was made: items that are there from the start are old */
  create(body: ItemCreate, by: ModelItem['by'], ageMs = 0): Item {
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
      collection_id: body.collection_id,
      id: `22222222-2222-4222-8222-${String(number).padStart(12, '0')}`,
      currency: 'eur',
      created_at: new Date(at).toISOString(),
      updated_at: new Date(at).toISOString(),
    };
    const content = this.contentOf(body);
    this.items.push({ item, createdAt: at, updatedAt: at, by, content });
    if (by === 'us') {
      const made = this.items.filter((each) => each.by === 'us' && each.content === content).length;
      if (made > (this.#wanted.get(content) ?? 0)) this.violations.push(`made ${made} times: ${content}`);
    }
    return { ...item };
  }

  /**
   * @param us which process of ours, and when the request left: what it sent before it last read the item could not
   *   know what the read showed, nor what only another process had read; undefined where somebody else changes it
   */
  update(id: string, set: ItemUpdate, us?: { process: string; sentAt: number }): Item | undefined {
    const found = this.#find(id);
    if (found === undefined) return undefined;
    const readAt = this.readAt.get(`${us?.process ?? ''} ${id}`) ?? 0;
    const known = this.foreignEdits.find(
      (edit) => edit.itemId === id && edit.field in set && edit.at < readAt && readAt < (us?.sentAt ?? 0),
    );
    if (known !== undefined)
      this.violations.push(`somebody's ${known.field} of ${id} was overwritten although a read had shown it`);
    for (const [field, value] of Object.entries(set) as [keyof ItemUpdate, unknown][]) {
      if (us === undefined) this.foreignEdits.push({ itemId: id, field, value, at: this.#time.now });
    }
    found.updatedAt = this.#now();
    Object.assign(found.item, this.#stored(set), { updated_at: new Date(found.updatedAt).toISOString() });
    return { ...found.item };
  }

  /** @param process which process of ours asks */
  get(id: string, process: string): Item | undefined {
    const found = this.#find(id);
    if (found !== undefined) this.readAt.set(`${process} ${id}`, this.#time.now);
    return found === undefined ? undefined : { ...found.item };
  }

  list(page: number, perPage: number): { data: Item[]; has_more: boolean } {
    const { order, ties } = this.#habits;
    const key = ({ createdAt, updatedAt }: ModelItem) => (order === 'created' ? createdAt : updatedAt);
    const later = ties === 'later' ? [...this.items].reverse() : [...this.items];
    const sorted = later.sort((a, b) => key(b) - key(a));
    const data = sorted.slice((page - 1) * perPage, page * perPage).map(({ item }) => ({ ...item }));
    return { data, has_more: page * perPage < sorted.length };
  }

  /** One text for what this server makes of a body. */
  contentOf(body: ItemCreate): string {
    const stored = this.#stored(body);
    return JSON.stringify(Object.entries(stored).sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #find(id: string): ModelItem | undefined {
    return this.items.find((each) => each.item.id === id);
  }

  #now(): number {
    const { offsetMs, resolutionMs, jump } = this.#habits;
    const jumped = jump !== undefined && this.#time.now >= jump.at ? jump.byMs : 0;
    return Math.floor((WALL_START_MS + offsetMs + jumped + this.#time.now) / resolutionMs) * resolutionMs;
  }

  #stored(body: ItemCreate): ItemCreate;
  #stored(body: ItemUpdate): ItemUpdate;
  #stored(body: ItemUpdate): ItemUpdate {
    const { trims, rounds, sortsTags, normalises } = this.#habits;
    const stored = { ...body };
    const text = (value: string) => {
      const normal = normalises ? value.normalize('NFC') : value;
      return trims ? normal.trim() : normal;
    };
    if (stored.name !== undefined) stored.name = text(stored.name);
    if (typeof stored.brand === 'string') stored.brand = text(stored.brand);
    if (stored.tags !== undefined && sortsTags) stored.tags = [...stored.tags].sort();
    if (typeof stored.estimated_value === 'number' && rounds)
      stored.estimated_value = Math.round(stored.estimated_value * 100) / 100;
    return stored;
  }
}
