/**
 * The optional fields that the server's lists leave out of items that have them. The contract requires none of them in a
 * response (§2), so an absent field is not known to be empty. Otherwise, a key would seem to be missing, or tags would
 * be sent back without the tags that were left out.
 *
 * A field that some item of a list has shown is in that list. For a field that no item has shown so far, single items
 * are the evidence: if one has a value there, the list leaves it out, and each item of every page is read by id until
 * the list shows the field after all. A few items of each first page are looked up for this, and the answers to writes
 * count, too. Servers that send every field, if only as null, cost no further request.
 *
 * An empty field proves nothing, because a list may leave out just the empty ones: a field that nobody fills would cost
 * a request for each item, for ever. So the few items decide nothing if few items have a value: field-watch.ts decides
 * such cases at the end of a reading of the whole list.
 */
import { hasValue } from './item-fields.ts';
import { type Item, OPTIONAL_FIELDS, type OptionalField } from './schemas.ts';

/** One item by its id; undefined if the server does not know it, or if the key may not read it. */
export type ReadItem = (id: string) => Promise<Item | undefined>;

/** The reading that a page is part of. */
export interface PageReader {
  /** Whether it draws conclusions from the field, so that each item may be read to find it. */
  decidesBy(field: OptionalField): boolean;
  /**
   * Reads an item by its id, unless this reading has done so since the item was last changed. If that fails, the
   * values that the list leaves out are unknown: the reader remembers the item.
   */
  once(listed: Item, read: ReadItem): Promise<Item | undefined>;
}

/** A page on its own: its reader is unknown. */
const ANY_READER: PageReader = { decidesBy: () => true, once: ({ id }, read) => read(id) };

/** How many items of a first page are looked up, evenly spread; and of all first pages together. */
const LOOKED_UP = 5;
const MAX_LOOKED_UP = 50;
/** The latest answers to writes: a list shows them on its first pages. */
const MAX_WRITTEN = 100;

export class ListFields {
  /** The fields that no item of any page had so far. */
  readonly #unseen = new Set<OptionalField>(OPTIONAL_FIELDS);
  /** Unseen fields for which an answer about a single item had a value. */
  readonly #leftOut = new Set<OptionalField>();
  /** Unseen fields for which no answer had a value, although a decision depends on them. */
  readonly #decisive = new Set<OptionalField>();
  readonly #lookedUp = new Set<string>();
  readonly #written = new Map<string, Item>();

  /** The fields that the list may leave out, although no answer has proven it. */
  get open(): readonly OptionalField[] {
    return [...this.#unseen].filter((field) => !this.#leftOut.has(field));
  }

  /** The fields for which this reader's items are read by id. */
  byId(reader: PageReader): ReadonlySet<OptionalField> {
    return this.#leftOut.union(new Set([...this.#decisive].filter((field) => reader.decidesBy(field))));
  }

  /**
   * The items of a page with the fields that the list leaves out.
   *
   * @param isFirst whether it is the first page, which decides before any other page is read
   * @returns `items` itself if nothing was read by id
   */
  async complete(
    items: Item[],
    isFirst: boolean,
    read: ReadItem,
    reader: PageReader = ANY_READER,
  ): Promise<Item[]> {
    for (const field of this.#unseen) {
      if (!items.some((item) => item[field] !== undefined)) continue;
      this.#unseen.delete(field);
      this.#leftOut.delete(field);
      this.#decisive.delete(field);
    }
    if (this.#unseen.size === 0) return items;
    for (const { id } of items) this.#shown(this.#written.get(id.toLowerCase()));
    if (isFirst && this.byId(reader).size === 0) await this.#lookUpFirst(items, read, reader);
    if (this.byId(reader).size === 0) return items;
    return Promise.all(
      items.map(async (item) => {
        const whole = await reader.once(item, read);
        this.#shown(whole);
        // The list's own values stay, because the place of an item in the list depends on its times.
        return whole === undefined ? item : { ...whole, ...item };
      }),
    );
  }

  /** Takes the answer to a write: once the list shows the item, it must show these fields. */
  written(item: Item): void {
    if (this.#unseen.size === 0) return this.#written.clear();
    this.#written.set(item.id.toLowerCase(), item);
    const [oldest] = this.#written.keys();
    if (this.#written.size > MAX_WRITTEN && oldest !== undefined) this.#written.delete(oldest);
  }

  /** Looks up items that the list has shown. @returns how many could be read */
  async lookUp(ids: readonly string[], read: ReadItem): Promise<number> {
    const items = (await Promise.all(ids.map((id) => read(id)))).filter((item) => item !== undefined);
    for (const item of items) this.#shown(item);
    return items.length;
  }

  /** From now on, items are read by id for these fields, except for readers whose decisions do not depend on them. */
  readEach(fields: readonly OptionalField[]): void {
    for (const field of fields) if (this.#unseen.has(field)) this.#decisive.add(field);
  }

  async #lookUpFirst(items: readonly Item[], read: ReadItem, reader: PageReader): Promise<void> {
    if (this.#lookedUp.size >= MAX_LOOKED_UP) return;
    const step = Math.max(1, (items.length - 1) / (LOOKED_UP - 1));
    const places = new Set(Array.from({ length: LOOKED_UP }, (_, index) => Math.round(index * step)));
    const some = items.filter(({ id }, place) => places.has(place) && !this.#lookedUp.has(id));
    const whole = await Promise.all(some.map((each) => reader.once(each, read)));
    // Not before: whoever reads the page again after an outage must look them up.
    for (const { id } of some) this.#lookedUp.add(id);
    for (const item of whole) this.#shown(item);
  }

  /** @param item as a single answer shows it, while the list shows it without any of the unseen fields */
  #shown(item: Item | undefined): void {
    for (const field of this.#unseen) if (hasValue(item?.[field])) this.#leftOut.add(field);
  }
}
