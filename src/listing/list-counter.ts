/** Counts the positions of a paged list with as few requests as possible. */

export interface ListPage<T> {
  data: readonly T[];
  hasMore: boolean;
  /** The response body in UTF-8, as received; undefined if nobody keeps it. */
  body?: Uint8Array;
}

/** One page of a list, read at one moment. */
export type LoadPage<T> = (page: number, perPage: number) => Promise<ListPage<T>>;

/** Entries per page: the API's maximum (contract §8). */
export const PER_PAGE = 100;
/**
 * A server that reports has_more on every full page shows no last page when the number of items is a multiple of
 * 100. Pages of another size do.
 */
const OTHER_SIZES = [99, 97];
/** Enough to find one page among 2^30 twice, even while the list changes. */
const MAX_STEPS = 64;

/**
 * Only a non-empty page without has_more (or an empty page 1) is a count: it shows how many positions there are at
 * one moment (design §7).
 */
export class ListCounter<T> {
  readonly #load: LoadPage<T>;
  readonly #perPage: number;
  // The caller has read page 1, and further pages follow.
  #lastPage = 2;

  constructor(load: LoadPage<T>, perPage: number = PER_PAGE) {
    this.#load = load;
    this.#perPage = perPage;
  }

  /** Page of the last count; if there was none, near the end of the list. */
  get lastPage(): number {
    return this.#lastPage;
  }

  /** Sets where to start searching for the end of the list. */
  lookNear(page: number): void {
    this.#lastPage = Math.max(1, page);
  }

  /**
   * Positions at the moment the last page was loaded; undefined if the list changes too fast, or if the server always
   * reports has_more.
   *
   * @param visit receives each page loaded during the search
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
    // The highest page seen with entries, and the lowest seen empty.
    let below = 0;
    let above = Number.POSITIVE_INFINITY;
    let stride = 1;
    let page = near;
    let contradictions = 0;
    for (let step = 0; step < MAX_STEPS; step += 1) {
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
        // The list changed at a page border, or has_more is wrong.
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
        // With 4, finding the last of 200 pages takes 14 requests, and with 2 it took 17.
        stride *= 4;
      } else page = Math.floor((below + above) / 2);
    }
    return undefined;
  }
}
