/**
 * Finds rows of a file that would create equal items: two items, or one that was entered twice. They are sent, with a
 * warning.
 *
 * Keeps a 52-bit hash and the first row number per content: 25 MB for a million rows. With a million rows, one file in
 * 9,000 gets a false warning, which is harmless.
 */
import { hash } from 'node:crypto';
import { message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';
import type { JobRecord, Ledger, NewRow } from '../../ledger/ledger.ts';
import { rowPages } from '../job/row-pages.ts';

const MIN_SLOTS = 1024;
/** Rows beyond this number are not compared: the memory would cost more than the warning is worth. */
const MAX_ROWS = 1_500_000;
const SHOWN = 5;

export class EqualRows {
  /** 0 marks a free slot. */
  #hashes = new Float64Array(MIN_SLOTS);
  #rows = new Uint32Array(MIN_SLOTS);
  #used = 0;
  count = 0;
  readonly #shown: string[] = [];

  add({ input, collection, sheetRow }: Pick<NewRow, 'input' | 'collection' | 'sheetRow'>): void {
    if (input === null || this.#used >= MAX_ROWS) return;
    const key = hashOf(collection === null ? input : `${collection}\n${input}`);
    const at = this.#find(key);
    if (this.#hashes[at] === key) {
      this.count += 1;
      if (this.#shown.length < SHOWN) this.#shown.push(`${sheetRow} = ${this.#rows[at] ?? 0}`);
      return;
    }
    this.#hashes[at] = key;
    this.#rows[at] = sheetRow;
    this.#used += 1;
    if (2 * this.#used > this.#hashes.length) this.#grow();
  }

  note(): Message | undefined {
    if (this.count === 0) return undefined;
    return message(
      'equal_rows',
      { rows: this.count, pairs: this.#shown },
      { do: 'byHand', label: message('remove_equal_row', {}) },
      { do: 'run', command: 'dupes', label: message('to_find_duplicates', {}) },
    );
  }

  #find(key: number): number {
    const mask = this.#hashes.length - 1;
    let at = key & mask;
    while (this.#hashes[at] !== 0 && this.#hashes[at] !== key) at = (at + 1) & mask;
    return at;
  }

  #grow(): void {
    const [hashes, rows] = [this.#hashes, this.#rows];
    this.#hashes = new Float64Array(2 * hashes.length);
    this.#rows = new Uint32Array(2 * hashes.length);
    // Not `entries()`, which makes an array of each slot.
    for (let from = 0; from < hashes.length; from += 1) {
      const key = hashes[from] ?? 0;
      if (key === 0) continue;
      const at = this.#find(key);
      this.#hashes[at] = key;
      this.#rows[at] = rows[from] ?? 0;
    }
  }
}

/** Compares the rows of a job that are ready to be sent. */
export async function equalRowsOf({ id }: Pick<JobRecord, 'id'>, ledger: Ledger): Promise<EqualRows> {
  const equal = new EqualRows();
  // Copies of a row are equal on purpose.
  for await (const rows of rowPages(ledger, id, { states: ['planned'] }))
    for (const row of rows) if (row.copy === 0) equal.add(row);
  return equal;
}

/**
 * 52 bits, which fit a number; never 0. Computed from the bytes, because converting them to digits first took a third
 * of the time.
 */
function hashOf(text: string): number {
  const bytes = hash('sha1', text, 'binary');
  let bits = 0;
  for (let at = 0; at < 6; at += 1) bits = bits * 256 + bytes.charCodeAt(at);
  return bits * 16 + (bytes.charCodeAt(6) >> 4) || 1;
}
