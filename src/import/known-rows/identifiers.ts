/** Which custom field of a file names its things: by its name, and by values that are all different. */
import type { JobRecord, Ledger } from '../../ledger/ledger.ts';
import { rowPages } from '../job/row-pages.ts';
import { identifiersOf } from './row-hashes.ts';

const ROWS_TRIED = 5000;
/** Share of different values, from which on they are taken for identifiers: a slip of the pen is allowed. */
const DISTINCT = 0.98;
/** Share of values that are the one before plus 1, from which on they only count the rows. */
const RUNNING = 0.8;
/** Whatever numbers stand under such a name, they are no running number of the list. */
const SURE = /sku|upc|ean|isbn|asin|gtin|barcode|serial/i;

/** Names of the custom fields that identify the rows to create. */
export async function identifyingFields(job: JobRecord, ledger: Ledger): Promise<ReadonlySet<string>> {
  const seen = new Map<string, Values>();
  let tried = 0;
  for await (const rows of rowPages(ledger, job.id, { states: ['planned'], actions: ['create'] })) {
    for (const row of rows) {
      if (row.copy > 0) continue;
      for (const { field, text } of identifiersOf(row)) {
        const values = seen.get(field) ?? new Values();
        seen.set(field, values);
        values.add(text);
      }
    }
    tried += rows.length;
    if (tried >= ROWS_TRIED) break;
  }
  return new Set([...seen].filter(([field, values]) => values.identify(field)).map(([field]) => field));
}

class Values {
  readonly #distinct = new Set<string>();
  #count = 0;
  #running = 0;
  #last = Number.NaN;

  add(text: string): void {
    this.#count += 1;
    this.#distinct.add(text.toLowerCase());
    const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (number === this.#last + 1) this.#running += 1;
    this.#last = number;
  }

  identify(field: string): boolean {
    if (this.#distinct.size < this.#count * DISTINCT) return false;
    return SURE.test(field) || this.#count < 2 || this.#running < (this.#count - 1) * RUNNING;
  }
}
