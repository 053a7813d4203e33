/**
 * The optional fields that the server's answers about single items leave out, although its list shows them: the
 * opposite of list-fields.ts. The contract requires none of them in a response (§2), so an absent field is not known to
 * be empty. Tags and custom fields are sent whole, so treating them as empty would delete them.
 *
 * If no such answer has had a field so far, an item whose value a list has shown is read by id. If the answer lacks the
 * value, items are completed from the list. As long as no list has shown a value, a field that is about to be sent is
 * looked up in the list for each item: somebody may have just begun to use it. Servers that send every field, if only as
 * null, cost no further request.
 */
import { type Item, OPTIONAL_FIELDS, type OptionalField } from './schemas.ts';

/** Bounds the memory that a long list takes while it is open whether the server leaves fields out. */
const MAX_PAGES = 20_000;

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
  /** The page of the list that last showed an item; of all items only if fields are known to be left out. */
  readonly #pages = new Map<string, number>();
  #hasLooked = false;
  #turn: Promise<void> = Promise.resolve();

  /**
   * Call this for each page of a list, as the server has sent it.
   *
   * @param page its number in the list of all items, in pages of 100
   */
  listed(items: readonly Item[], page: number | undefined): void {
    const isOpen = this.#shown.size < OPTIONAL_FIELDS.length && this.#pages.size < MAX_PAGES;
    const isKept = isOpen || this.#leftOut.size > 0;
    if (page !== undefined && isKept) for (const { id } of items) this.#pages.set(id.toLowerCase(), page);
    for (const field of OPTIONAL_FIELDS) {
      if (this.#shown.has(field) || this.#examples.has(field)) continue;
      const example = items.find((item) => hasValue(item[field]));
      if (example !== undefined) this.#examples.set(field, example.id);
    }
  }

  /**
   * @param item as the server has sent it
   * @param sent names of the fields that are about to be sent: an absent one is looked up in the list unless it is
   *   certain that such answers show it
   */
  async complete(item: Item, sent: readonly OptionalField[], reads: RawReads): Promise<CompletedItem> {
    this.#seen(item);
    const absent = OPTIONAL_FIELDS.filter((field) => item[field] === undefined && !this.#shown.has(field));
    if (absent.length === 0) return { item, unknown: [] };
    // One after the other, so that a later decision can use the reads of an earlier one.
    const turn = this.#turn.then(() => this.#decide(absent, item.id, sent, reads));
    this.#turn = turn.then(
      () => undefined,
      () => undefined,
    );
    const searched = await turn;
    const unknown = absent.filter(
      (field) => this.#leftOut.has(field) || (sent.includes(field) && !this.#shown.has(field)),
    );
    if (unknown.length === 0) return { item, unknown };
    const { listed } = searched ?? { listed: await this.#find(item.id, reads) };
    // A list that lags does not show the item's current values.
    const isOlder = listed !== undefined && Date.parse(listed.updated_at) < Date.parse(item.updated_at);
    return listed === undefined || isOlder
      ? { item, unknown }
      : { item: { ...item, ...listed }, unknown: [] };
  }

  #seen(item: Item | undefined): void {
    for (const field of OPTIONAL_FIELDS) if (item?.[field] !== undefined) this.#shown.add(field);
  }

  /**
   * Finds out whether the server leaves these fields out of answers about single items.
   *
   * @returns the item as the list shows it, if it was looked up because no list has shown a value of these fields
   */
  async #decide(
    absent: readonly OptionalField[],
    id: string,
    sent: readonly OptionalField[],
    reads: RawReads,
  ): Promise<{ listed: Item | undefined } | undefined> {
    const open = () => absent.filter((field) => !this.#leftOut.has(field) && !this.#shown.has(field));
    const lacks = (field: OptionalField) => !this.#examples.has(field);
    if (!this.#hasLooked && open().some(lacks)) {
      await this.#read(1, reads);
      this.#hasLooked = true;
    }
    const isSearched = open().some((field) => sent.includes(field) && lacks(field));
    const searched = isSearched ? { listed: await this.#find(id, reads) } : undefined;
    for (const field of open()) {
      const example = this.#examples.get(field);
      if (example === undefined || this.#shown.has(field)) continue;
      this.#seen(example === id ? undefined : await reads.item(example));
      if (!this.#shown.has(field)) this.#leftOut.add(field);
    }
    return searched;
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
      if (!hasMore || items.length === 0) return;
    }
  }

  async #read(page: number, reads: RawReads): Promise<{ items: Item[]; hasMore: boolean }> {
    const read = await reads.page(page);
    this.listed(read.items, page);
    return read;
  }
}

/** The optional fields among these names; a custom field stands for all of them. */
export function optionalFields(names: Iterable<string>): readonly OptionalField[] {
  const roots = new Set([...names].map((name) => name.split('.')[0]));
  return OPTIONAL_FIELDS.filter((field) => roots.has(field));
}

/** Whether an optional field has a value that a server could leave out. */
export function hasValue(value: unknown): boolean {
  if (typeof value !== 'object') return value !== undefined;
  return value !== null && Object.keys(value).length > 0;
}
