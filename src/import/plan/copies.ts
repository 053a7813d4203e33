/**
 * With a quantity column, an upsert matches the items with a key to the copies of the row as a set: copies without an
 * item are created. If there are more items than copies, it is unknown which of them the row means.
 */
import type { Item } from '../../api/schemas.ts';
import type { JobRecord, Ledger } from '../../ledger/ledger.ts';
import { placeOf } from '../../ledger/row-name.ts';
import { rowPages } from '../job/row-pages.ts';

export type Match = { item: Item | undefined } | { surplus: Item[] };

type Left = Item[] | { surplus: Item[] };
type Taken = ReadonlyMap<string, ReadonlySet<string>>;

export class Copies {
  /** Row of the file → items that some of its copies already have. */
  readonly #taken: Taken;
  /** Key → items that its copies have not taken yet. */
  readonly #left = new Map<string, Left>();

  private constructor(taken: Taken) {
    this.#taken = taken;
  }

  static async open(job: JobRecord, ledger: Ledger): Promise<Copies> {
    const taken = new Map<string, Set<string>>();
    for await (const rows of rowPages(ledger, job.id)) {
      for (const row of rows) {
        if (row.itemId === null) continue;
        const items = taken.get(placeOf(row)) ?? new Set();
        taken.set(placeOf(row), items.add(row.itemId));
      }
    }
    return new Copies(taken);
  }

  /**
   * The item of the next copy.
   *
   * @param name the row of the file (`rowOf`)
   * @param found all items with the key
   * @param waiting all copies of the row without an item, including this one
   */
  next(key: string, name: string, found: readonly Item[], waiting: number): Match {
    const left = this.#leftOf(key, name, found, waiting);
    return 'surplus' in left ? left : { item: left.shift() };
  }

  /** True if there are more items than copies. */
  isSurplus(key: string, name: string, found: readonly Item[], waiting: number): boolean {
    return 'surplus' in this.#leftOf(key, name, found, waiting);
  }

  #leftOf(key: string, name: string, found: readonly Item[], waiting: number): Left {
    const known = this.#left.get(key);
    if (known !== undefined) return known;
    const taken = this.#taken.get(name);
    const free = found.filter(({ id }) => taken?.has(id.toLowerCase()) !== true);
    // Always in the same order, so that a plan shows the same changes each time.
    free.sort((a, b) => (ageOf(a) < ageOf(b) ? -1 : 1));
    const left = free.length > waiting ? { surplus: free } : free;
    this.#left.set(key, left);
    return left;
  }
}

function ageOf({ created_at: created, id }: Item): string {
  return `${created} ${id}`;
}
