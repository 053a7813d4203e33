/**
 * The optional fields that the server's lists leave out of items that have them. The contract requires none of them in a
 * response (§2), so an absent field is not known to be empty. Whoever reads a list would take a key for missing, or send
 * tags back without those that were left out.
 *
 * Fields that no item of a list's first page has are looked up in a few of its items by id. If one has a value, each item of
 * every page is read by id. Servers that send every field, if only as null, cost no request more.
 */
import { type Item, OPTIONAL_FIELDS } from './schemas.ts';

type OptionalField = (typeof OPTIONAL_FIELDS)[number];

/** Items of the first page that are looked up, evenly spread. */
const LOOKED_UP = 5;

export class ListFields {
  #leftOut: Promise<readonly OptionalField[]> | undefined;

  /**
   * The items of a page with the fields that the list leaves out.
   *
   * @param read gets one item; undefined if there is none, or if the key may not read it
   * @returns `items` itself if nothing is left out
   */
  async complete(items: Item[], read: (id: string) => Promise<Item | undefined>): Promise<Item[]> {
    if (items.length === 0) return items;
    let found = this.#leftOut;
    if (found === undefined) {
      found = this.#leftOut = leftOutOf(items, read);
      // A failed look-up proves nothing: the next page looks again.
      found.catch(() => (this.#leftOut = undefined));
    }
    const leftOut = await found;
    if (leftOut.length === 0) return items;
    return Promise.all(
      items.map(async (item) => {
        const whole = await read(item.id);
        // The list's own values stay: the place of an item in the list goes by its times.
        return whole === undefined ? item : { ...whole, ...item };
      }),
    );
  }
}

async function leftOutOf(
  items: readonly Item[],
  read: (id: string) => Promise<Item | undefined>,
): Promise<OptionalField[]> {
  const absent = OPTIONAL_FIELDS.filter((field) => items.every((item) => item[field] === undefined));
  if (absent.length === 0) return [];
  const step = Math.max(1, (items.length - 1) / (LOOKED_UP - 1));
  const places = new Set(Array.from({ length: LOOKED_UP }, (_, index) => Math.round(index * step)));
  const whole = await Promise.all(items.filter((_, place) => places.has(place)).map(({ id }) => read(id)));
  return absent.filter((field) => whole.some((item) => item !== undefined && hasValue(item[field])));
}

/** Lists that leave out what is empty leave out nothing. */
function hasValue(value: unknown): boolean {
  if (typeof value !== 'object') return value !== undefined;
  return value !== null && Object.keys(value).length > 0;
}
