/**
 * The optional fields that the server's lists leave out of items that have them. The contract requires none of them in a
 * response (§2), so an absent field is not known to be empty. Otherwise, a key would seem to be missing, or tags would
 * be sent back without the tags that were left out.
 *
 * Fields that no item of a list has had are looked up in a few items of its first page by id. If one has a value, each item of
 * every page is read by id. Servers that send every field, if only as null, cost no further request.
 */
import { type Item, OPTIONAL_FIELDS } from './schemas.ts';

type OptionalField = (typeof OPTIONAL_FIELDS)[number];

/** How many items of a first page are looked up, evenly spread; and of all first pages together. */
const LOOKED_UP = 5;
const MAX_LOOKED_UP = 50;

export class ListFields {
  /** The fields that no item of any page had so far. */
  readonly #unseen = new Set<OptionalField>(OPTIONAL_FIELDS);
  readonly #lookedUp = new Set<string>();
  #isShort = false;

  /**
   * The items of a page with the fields that the list leaves out.
   *
   * @param isFirst whether it is the first page: on that it is decided, before any other page is read
   * @param read gets one item; undefined if there is none, or if the key may not read it
   * @returns `items` itself if nothing is left out
   */
  async complete(
    items: Item[],
    isFirst: boolean,
    read: (id: string) => Promise<Item | undefined>,
  ): Promise<Item[]> {
    for (const field of this.#unseen)
      if (items.some((item) => item[field] !== undefined)) this.#unseen.delete(field);
    if (isFirst && !this.#isShort) await this.#lookUp(items, read);
    if (!this.#isShort) return items;
    return Promise.all(
      items.map(async (item) => {
        const whole = await read(item.id);
        // The list's own values stay, because the place of an item in the list depends on its times.
        return whole === undefined ? item : { ...whole, ...item };
      }),
    );
  }

  async #lookUp(items: readonly Item[], read: (id: string) => Promise<Item | undefined>): Promise<void> {
    if (this.#unseen.size === 0 || this.#lookedUp.size >= MAX_LOOKED_UP) return;
    const step = Math.max(1, (items.length - 1) / (LOOKED_UP - 1));
    const places = new Set(Array.from({ length: LOOKED_UP }, (_, index) => Math.round(index * step)));
    const some = items.filter(({ id }, place) => places.has(place) && !this.#lookedUp.has(id));
    const found = await Promise.all(some.map(({ id }) => read(id)));
    for (const { id } of some) this.#lookedUp.add(id);
    this.#isShort ||= found.some((item) =>
      [...this.#unseen].some((field) => item !== undefined && hasValue(item[field])),
    );
  }
}

/** A list that leaves out only empty fields counts as complete. */
export function hasValue(value: unknown): boolean {
  if (typeof value !== 'object') return value !== undefined;
  return value !== null && Object.keys(value).length > 0;
}
