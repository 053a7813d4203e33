/** Finds the custom fields of a file that identify its rows: by their name, and by values that all differ. */
import type { JobRecord, Ledger } from '../../ledger/ledger.ts';
import { rowPages } from '../job/row-pages.ts';
import { identifiersOf } from './row-hashes.ts';

const ROWS_TRIED = 5000;
/** Values identify rows from this share of distinct values on: a typo is allowed. */
const DISTINCT = 0.98;
/** Values only number the rows from this share of values that are the previous one plus 1 on. */
const RUNNING = 0.8;
/** A column with such a name identifies its rows even if its values are consecutive. */
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
