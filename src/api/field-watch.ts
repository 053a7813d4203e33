/**
 * Watches one reading of a whole list: whether its pages had all fields of their items (list-fields.ts).
 *
 * A reading must be repeated if the list is known to leave out a field only after some pages without it were used. A
 * field that no item of the whole list has shown is either used by nobody, or left out of the list, and the cost of
 * telling these apart depends on the reading:
 *
 * - `each`: the field decides (a key, a condition), so the reading is repeated item by item. That costs one request for
 *   each item, and only once in a team's life if the job then fills the field: the list shows it from then on.
 * - `sample`: the field is reported. A hundred items, evenly spread, are looked up. If none of them has a value and there
 *   are more items, that remains a doubt, which the reader must report. Exports are repeated for years: a request for
 *   each of 20,000 items whose series nobody fills in would be too much.
 *
 * If the list leaves out a field, and an item of the list cannot be read by its id (one server of several may not know a
 * new item yet), its value is unknown, not empty: with `each` the reading proves nothing, with `sample` it is a doubt.
 */
import { optionalFields } from './item-fields.ts';
import type { ListFields, PageReader, ReadItem } from './list-fields.ts';
import { type Item, OPTIONAL_FIELDS, type OptionalField } from './schemas.ts';

const MAX_SAMPLE = 100;
/** Bounds the memory that a long list takes. Readings of longer lists repeat few of their pages. */
const MAX_KEPT = 20_000;

/** Fields that items may have although no answer has shown them. */
export interface FieldDoubt {
  fields: OptionalField[];
  /** The number of items that were looked up by id. */
  lookedUp: number;
  /** The number of items that the list shows without these fields and that could not be read by their ids. */
  unread: number;
}

export class FieldWatch implements PageReader {
  readonly #proof: 'each' | 'sample';
  readonly #fields: readonly OptionalField[];
  #list: ListFields | undefined;
  /** Fields that are absent from at least one item that was not read by id. */
  readonly #lacking = new Set<OptionalField>();
  readonly #sample = new Sample();
  readonly #reads: ReadOnce;
  /** Items that could not be read by their ids, as the list shows them. */
  readonly #unread = new Map<string, Item>();
  readonly #unreadSince = new Map<string, number>();
  #doubt: FieldDoubt | undefined;

  /**
   * @param fields names of the fields that the reader needs; those that every answer has are ignored
   * @param reads that this reading shares with others
   */
  constructor(
    proof: 'each' | 'sample',
    fields: Iterable<string> = OPTIONAL_FIELDS,
    reads: ReadOnce = new ReadOnce(),
  ) {
    this.#proof = proof;
    this.#reads = reads;
    this.#fields = optionalFields(fields);
  }

  /** The fields that remain doubtful after `isOutdated`. */
  get doubt(): FieldDoubt | undefined {
    return this.#doubt;
  }

  decidesBy(field: OptionalField): boolean {
    return this.#proof === 'each' && this.#fields.includes(field);
  }

  async once(listed: Item, read: ReadItem): Promise<Item | undefined> {
    const item = await this.#reads.read(listed, read);
    if (item === undefined) this.#unread.set(listed.id, listed);
    else this.#unread.delete(listed.id);
    return item;
  }

  /** The items that lack fields which the list leaves out, because they could not be read by their ids. */
  unreadOf(items: Iterable<Item>): Item[] {
    const byId = this.#list?.byId(this) ?? new Set<OptionalField>();
    return [...items].filter(
      (item) => this.#unread.has(item.id) && [...byId].some((field) => item[field] === undefined),
    );
  }

  /** When the caller first asked about the item. @param now monotonic ms */
  unreadSince(id: string, now: number): number {
    const since = this.#unreadSince.get(id) ?? now;
    this.#unreadSince.set(id, since);
    return since;
  }

  /** The client calls this for each page. @param areById whether its items were read by id */
  shown(items: readonly Item[], areById: boolean, list: ListFields): void {
    this.#list = list;
    if (!areById) this.recalled(items);
  }

  /** Call this for items of an interrupted reading that this one continues. */
  recalled(items: readonly Partial<Item>[]): void {
    for (const field of OPTIONAL_FIELDS) {
      if (!this.#lacking.has(field) && items.some((item) => item[field] === undefined))
        this.#lacking.add(field);
    }
    if (this.#proof === 'each' || this.#list?.open.length === 0) return;
    for (const { id } of items) if (id !== undefined) this.#sample.add(id);
  }

  /** Call this at the end of the reading. @returns whether it must be repeated, with a new watch */
  async isOutdated(read: ReadItem): Promise<boolean> {
    const list = this.#list;
    if (list === undefined) return false;
    const open = () => list.open.filter((field) => this.#lacking.has(field) && this.#fields.includes(field));
    const doubtful = new Set<OptionalField>();
    let lookedUp = 0;
    if (this.#proof === 'each') {
      list.readEach(open());
    } else if (open().length > 0) {
      const { ids, isWhole } = this.#sample;
      lookedUp = await list.lookUp(ids, read);
      if (!isWhole || lookedUp < ids.length) for (const field of open()) doubtful.add(field);
    }
    const unread = this.unreadOf(this.#unread.values());
    for (const field of list.byId(this))
      if (unread.some((item) => item[field] === undefined)) doubtful.add(field);
    // The same watch may see the list read again.
    this.#unread.clear();
    this.#doubt =
      doubtful.size === 0 ? undefined : { fields: [...doubtful], lookedUp, unread: unread.length };
    if (this.#proof === 'each' && unread.length > 0) return true;
    return !this.#lacking.isDisjointFrom(list.byId(this));
  }
}

/** Reads items by id, each once while the list shows it unchanged: counting a list reads its pages again. */
export class ReadOnce {
  readonly #items = new Map<string, Item>();

  async read({ id, updated_at }: Item, read: ReadItem): Promise<Item | undefined> {
    const before = this.#items.get(id);
    if (before?.updated_at === updated_at) return before;
    const item = await read(id);
    if (item === undefined) return undefined;
    this.#items.set(id, item);
    const [oldest] = this.#items.keys();
    if (this.#items.size > MAX_KEPT && oldest !== undefined) this.#items.delete(oldest);
    return item;
  }
}

/** Ids from everywhere in a list, whatever its order and however often its pages are read. */
class Sample {
  readonly #ids = new Map<string, string>();
  #isWhole = true;
  /** The largest key. */
  #last = '';

  get ids(): readonly string[] {
    return [...this.#ids.values()];
  }

  /** Whether it has all ids that were added. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  add(id: string): void {
    // The end of a UUID is random in all common versions; reversed, the end of a running number is spread, too.
    const key = [...id.toLowerCase()].reverse().join('');
    if (this.#ids.has(key) || (!this.#isWhole && key > this.#last)) return;
    this.#ids.set(key, id);
    if (this.#ids.size > MAX_SAMPLE) {
      this.#isWhole = false;
      this.#ids.delete(this.#last);
    }
    this.#last = [...this.#ids.keys()].reduce((last, each) => (each > last ? each : last), '');
  }
}
