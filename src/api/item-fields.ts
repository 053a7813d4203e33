/**
 * The optional fields that the server's answers about single items leave out, although its list shows them: the
 * opposite of list-fields.ts. The contract requires none of them in a response (§2), so an absent field is not known to
 * be empty. Tags and custom fields are sent whole, so treating them as empty would delete them.
 *
 * If a field was in no such answer so far, an item whose value a list has shown is read by id. If the answer lacks the
 * value, items are completed from the list. Servers that send every field, if only as null, cost no further request.
 */
import { type Item, OPTIONAL_FIELDS, type OptionalField } from './schemas.ts';

/** Reads as the server answers them, without completing them. */
export interface RawReads {
  /** Undefined if there is no such item. */
  item(id: string): Promise<Item | undefined>;
  page(page: number): Promise<{ items: Item[]; hasMore: boolean }>;
}

/** An item, and the fields that it may have although nothing has shown them. */
export interface CompletedItem {
  item: Item;
  unknown: readonly OptionalField[];
}

export class ItemFields {
  /** The fields that some answer about a single item had. */
  readonly #shown = new Set<OptionalField>();
  /** For each field that no such answer had, an item that has a value according to a list. */
  readonly #examples = new Map<OptionalField, string>();
  readonly #leftOut = new Set<OptionalField>();
  /** The page of the list that last showed an item; kept only if fields are left out. */
  readonly #pages = new Map<string, number>();
  /** Fields that the whole list has shown for no item. */
  readonly #unused = new Set<OptionalField>();
  #hasLooked = false;
  #turn: Promise<void> = Promise.resolve();

  /**
   * Call this for each page of a list, as the server has sent it.
   *
   * @param page its number in the list of all items, in pages of 100
   */
  listed(items: readonly Item[], page: number | undefined): void {
    if (page !== undefined && this.#leftOut.size > 0)
      for (const { id } of items) this.#pages.set(id.toLowerCase(), page);
    for (const field of OPTIONAL_FIELDS) {
      if (this.#shown.has(field) || this.#examples.has(field)) continue;
      const example = items.find((item) => hasValue(item[field]));
      if (example !== undefined) this.#examples.set(field, example.id);
    }
  }

  /**
   * @param item as the server has sent it
   * @param isSentWhole whether its tags and custom fields must be certain: they are looked up even if no list that was
   *   read so far shows that the server leaves them out
   */
  async complete(item: Item, isSentWhole: boolean, reads: RawReads): Promise<CompletedItem> {
    for (const field of OPTIONAL_FIELDS) if (item[field] !== undefined) this.#shown.add(field);
    const absent = OPTIONAL_FIELDS.filter((field) => item[field] === undefined && !this.#shown.has(field));
    if (absent.length === 0) return { item, unknown: [] };
    // One after the other, so that a later decision can use the reads of an earlier one.
    const turn = this.#turn.then(() => this.#decide(absent, item.id, isSentWhole, reads));
    this.#turn = turn.catch(() => undefined);
    await turn;
    const unknown = absent.filter((field) => this.#leftOut.has(field));
    if (unknown.length === 0) return { item, unknown };
    const listed = await this.#find(item.id, reads);
    // A list that lags does not show the item's current values.
    const isOlder = listed !== undefined && Date.parse(listed.updated_at) < Date.parse(item.updated_at);
    return listed === undefined || isOlder
      ? { item, unknown }
      : { item: { ...item, ...listed }, unknown: [] };
  }

  /** Finds out whether the server leaves these fields out of answers about single items. */
  async #decide(
    absent: readonly OptionalField[],
    id: string,
    isSentWhole: boolean,
    reads: RawReads,
  ): Promise<void> {
    const open = () => absent.filter((field) => !this.#leftOut.has(field) && !this.#shown.has(field));
    const lacks = (field: OptionalField) => !this.#examples.has(field) && !this.#unused.has(field);
    if (!this.#hasLooked && open().some(lacks)) {
      await this.#read(1, reads);
      this.#hasLooked = true;
    }
    const mustKnow = () =>
      open().some((field) => (field === 'tags' || field === 'custom_fields') && lacks(field));
    if (isSentWhole && mustKnow()) await this.#readUntil(() => !mustKnow(), reads);
    for (const field of open()) {
      const example = this.#examples.get(field);
      if (example === undefined || this.#shown.has(field)) continue;
      const one = example === id ? undefined : await reads.item(example);
      for (const each of OPTIONAL_FIELDS) if (one?.[each] !== undefined) this.#shown.add(each);
      if (!this.#shown.has(field)) this.#leftOut.add(field);
    }
  }

  /** The item as the list shows it; undefined if it does not show it. */
  async #find(id: string, reads: RawReads): Promise<Item | undefined> {
    const key = id.toLowerCase();
    const of = (items: readonly Item[]) => items.find((each) => each.id.toLowerCase() === key);
    const last = this.#pages.get(key);
    // Items that were added or changed since have moved it by a page at most, usually.
    for (const page of last === undefined ? [] : [last, last + 1]) {
      const found = of((await this.#read(page, reads)).items);
      if (found !== undefined) return found;
    }
    let found: Item | undefined;
    await this.#readUntil((items) => (found = of(items)) !== undefined, reads);
    return found;
  }

  /** Reads the list page by page until it ends, or `isEnough`. */
  async #readUntil(isEnough: (items: readonly Item[]) => boolean, reads: RawReads): Promise<void> {
    for (let page = 1; ; page += 1) {
      const { items, hasMore } = await this.#read(page, reads);
      if (isEnough(items)) return;
      if (hasMore && items.length > 0) continue;
      for (const field of OPTIONAL_FIELDS) if (!this.#examples.has(field)) this.#unused.add(field);
      return;
    }
  }

  async #read(page: number, reads: RawReads): Promise<{ items: Item[]; hasMore: boolean }> {
    const read = await reads.page(page);
    this.listed(read.items, page);
    return read;
  }
}

/** Whether an optional field has a value that a server could leave out. */
export function hasValue(value: unknown): boolean {
  if (typeof value !== 'object') return value !== undefined;
  return value !== null && Object.keys(value).length > 0;
}
