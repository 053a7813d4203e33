/** How many positions a list of pages has, found by as few pages as may be. */

export interface ListPage<T> {
  data: readonly T[];
  hasMore: boolean;
  /** The JSON in UTF-8 that `data` is the member of, as it came; undefined where nobody keeps it. */
  body?: Uint8Array;
}

/** One page of a list, read at one moment. */
export type LoadPage<T> = (page: number, perPage: number) => Promise<ListPage<T>>;

/** Per page; the API's most (contract §8). */
export const PER_PAGE = 100;
/**
 * A server that says "there is more" of every full page shows no last page when the number of items is a
 * multiple of 100. Pages of another size do.
 */
const OTHER_SIZES = [99, 97];
/** Enough to find one page among 2^30 twice over, while the list moves. */
const MOST_STEPS = 64;

/**
 * Only a non-empty page without has_more is a count (or an empty page 1): it says at one moment how many
 * positions there are (design §7).
 */
export class ListCounter<T> {
  readonly #load: LoadPage<T>;
  readonly #perPage: number;
  // The first page is read, and has more behind it, before anyone counts.
  #lastPage = 2;

  constructor(load: LoadPage<T>, perPage: number = PER_PAGE) {
    this.#load = load;
    this.#perPage = perPage;
  }

  /** Where the last count was found; near the list's end where none was. */
  get lastPage(): number {
    return this.#lastPage;
  }

  /** Where the search for the list's end begins, where that is known from before. */
  lookNear(page: number): void {
    this.#lastPage = Math.max(1, page);
  }

  /**
   * Positions at the moment of the last page that was loaded; undefined where the list moves too fast, or the
   * server's has_more never ends.
   *
   * @param visit gets each page that was loaded on the way
   */
  async count(visit: (page: ListPage<T>) => Promise<void>): Promise<number | undefined> {
    const found = await this.#search(this.#perPage, this.#lastPage, visit);
    if (found !== undefined) {
      this.#lastPage = found.page;
      return found.count;
    }
    for (const perPage of OTHER_SIZES.filter((size) => size < this.#perPage)) {
      const near = Math.ceil((this.#lastPage * this.#perPage) / perPage);
      const other = await this.#search(perPage, near, visit);
      if (other !== undefined) return other.count;
    }
    return undefined;
  }

  async #search(
    perPage: number,
    near: number,
    visit: (page: ListPage<T>) => Promise<void>,
  ): Promise<{ page: number; count: number } | undefined> {
    // Greatest page seen with more behind it, and smallest one seen empty.
    let below = 0;
    let above = Number.POSITIVE_INFINITY;
    let stride = 1;
    let page = near;
    let contradictions = 0;
    for (let step = 0; step < MOST_STEPS; step += 1) {
      const loaded = await this.#load(page, perPage);
      await visit(loaded);
      const { data, hasMore } = loaded;
      if ((data.length > 0 && !hasMore) || (data.length === 0 && page === 1)) {
        return { page, count: (page - 1) * perPage + data.length };
      }
      if (data.length > 0) {
        below = page;
        if (above <= below) above = Number.POSITIVE_INFINITY;
      } else {
        above = page;
        if (below >= above) below = 0;
      }
      if (above - below === 1) {
        // The list changed at the border between two pages, or has_more does not say what it should.
        contradictions += 1;
        if (contradictions > 3) {
          this.#lastPage = perPage === this.#perPage ? below : this.#lastPage;
          return undefined;
        }
        page = page === below ? above : below;
        if (page === below) below = 0;
        else above = Number.POSITIVE_INFINITY;
        continue;
      }
      if (above === Number.POSITIVE_INFINITY) {
        page = below + stride;
        stride *= 2;
      } else page = Math.floor((below + above) / 2);
    }
    return undefined;
  }
}
