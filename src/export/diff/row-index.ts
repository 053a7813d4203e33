/**
 * The rows of a file by key, in little memory: numbers in typed arrays, and the rows themselves on disk. A million items
 * take 41 MB.
 */
import { hash } from 'node:crypto';
import { Spool } from './spool.ts';

/** Separates the parts of a key of several fields. */
export const KEY_BORDER = '\u001f';

export interface ComparedRow {
  row: number;
  key: string;
  /** The filled fields of a row: number of a field, its text, number of the next field … */
  content: (number | string)[];
}

/** 64 bits of the hash of a key or of a row's content. */
interface Print {
  high: number;
  low: number;
}

const FIRST_ROWS = 1024;
const FREE = 0;

export class RowIndex implements Disposable {
  size = 0;
  #keys = new Uint32Array(2 * FIRST_ROWS);
  #contents = new Uint32Array(2 * FIRST_ROWS);
  #places = new Float64Array(FIRST_ROWS);
  #met = new Uint8Array(FIRST_ROWS);
  /** Open addressing: number of the row + 1, or FREE. */
  #slots = new Uint32Array(2 * FIRST_ROWS);
  readonly #rows = new Spool<ComparedRow>();

  /** @returns the existing row with the same key, if any: then nothing was added */
  add(row: ComparedRow): ComparedRow | undefined {
    const [key, content] = printsOf(row);
    const known = this.#find(row.key, key, content);
    if (known !== undefined) return this.#read(known);
    if (this.size === this.#places.length) this.#grow();
    const number = this.size;
    this.size += 1;
    this.#keys.set([key.high, key.low], 2 * number);
    this.#contents.set([content.high, content.low], 2 * number);
    this.#places[number] = this.#rows.bytes;
    this.#place(number, key);
    this.#rows.add(row);
    return undefined;
  }

  /**
   * Compares a row of the other file with the row of the same key, and marks the latter as met.
   *
   * @returns `new` if there is no such row, `same`, the earlier row, or `twice` if the key was met before
   */
  meet(row: ComparedRow): 'new' | 'same' | 'twice' | ComparedRow {
    const [key, content] = printsOf(row);
    const number = this.#find(row.key, key, content);
    if (number === undefined) return 'new';
    if (this.#met[number] === 1) return 'twice';
    this.#met[number] = 1;
    return isAt(this.#contents, number, content) ? 'same' : this.#read(number);
  }

  /** The rows that were not met, in the order in which they were added. */
  *unmet(): Generator<ComparedRow, void> {
    for (let number = 0; number < this.size; number += 1)
      if (this.#met[number] === 0) yield this.#read(number);
  }

  [Symbol.dispose](): void {
    this.#rows[Symbol.dispose]();
  }

  #find(text: string, key: Print, content: Print): number | undefined {
    for (let slot = this.#slotOf(key); ; slot = (slot + 1) % this.#slots.length) {
      const number = (this.#slots[slot] ?? FREE) - 1;
      if (number < 0) return undefined;
      if (!isAt(this.#keys, number, key)) continue;
      // Key and content are 128 bits: the row on disk, which would take most of the time, is read only if
      // one of them differs.
      if (isAt(this.#contents, number, content) || this.#read(number).key === text) return number;
    }
  }

  #slotOf({ high, low }: Print): number {
    // The length is a power of two.
    return ((high ^ low) >>> 0) & (this.#slots.length - 1);
  }

  #place(number: number, key: Print): void {
    let slot = this.#slotOf(key);
    while (this.#slots[slot] !== FREE) slot = (slot + 1) % this.#slots.length;
    this.#slots[slot] = number + 1;
  }

  #read(number: number): ComparedRow {
    const next = number + 1 < this.size ? this.#places[number + 1] : undefined;
    return this.#rows.read(this.#places[number] ?? 0, next ?? this.#rows.bytes);
  }

  #grow(): void {
    const rows = 2 * this.#places.length;
    this.#keys = longer(new Uint32Array(2 * rows), this.#keys);
    this.#contents = longer(new Uint32Array(2 * rows), this.#contents);
    this.#places = longer(new Float64Array(rows), this.#places);
    this.#met = longer(new Uint8Array(rows), this.#met);
    this.#slots = new Uint32Array(2 * rows);
    for (let number = 0; number < this.size; number += 1) {
      this.#place(number, { high: this.#keys[2 * number] ?? 0, low: this.#keys[2 * number + 1] ?? 0 });
    }
  }
}

function longer<T extends Uint8Array | Uint32Array | Float64Array>(next: T, old: T): T {
  next.set(old);
  return next;
}

function printsOf({ key, content }: ComparedRow): [Print, Print] {
  return [printOf(key), printOf(JSON.stringify(content))];
}

function isAt(prints: Uint32Array, number: number, { high, low }: Print): boolean {
  return prints[2 * number] === high && prints[2 * number + 1] === low;
}

function printOf(text: string): Print {
  // As a text of bytes: separate buffers took a third of the memory.
  const bytes = hash('sha256', text, 'binary');
  return { high: word(bytes, 0), low: word(bytes, 4) };
}

function word(bytes: string, at: number): number {
  const [a, b, c, d] = [0, 1, 2, 3].map((index) => bytes.charCodeAt(at + index)) as [
    number,
    number,
    number,
    number,
  ];
  return (a | (b << 8) | (c << 16) | (d << 24)) >>> 0;
}
