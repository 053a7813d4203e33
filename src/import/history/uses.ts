/** Which earlier rows are used up: each accounts for only one row of a file. */
import type { KnownRow } from '../../ledger/known-rows.ts';
import type { EarlierRow } from './earlier-rows.ts';

/** Rows with the same content in the same collection. */
export interface Candidates {
  rows: EarlierRow[];
  /** Index of the first row that may still be wanted. */
  next: number;
  /** True if different rows of one file have the code or name. */
  isShared?: boolean;
  /** True if some of them are rows of other files, too: lines of results or rejects files, or answers for rows. */
  hasSeveral?: boolean;
  /** Those that a row may be, if it may not be all of them. */
  views?: Map<string, Candidates>;
}

/** @param isWanted what it has refused once, it always refuses */
export function firstOf(
  candidates: Candidates | undefined,
  isWanted: (row: EarlierRow) => boolean,
): EarlierRow | undefined {
  if (candidates === undefined) return undefined;
  for (; candidates.next < candidates.rows.length; candidates.next += 1) {
    const row = candidates.rows[candidates.next];
    if (row !== undefined && isWanted(row)) return row;
  }
  return undefined;
}

/** The earlier rows that rows of this file have used up. */
export interface Uses {
  /** By rows with the same content, so far. */
  taken: Map<string, Bits>;
  /** The same in the whole file; empty if names do not identify rows. */
  equal: Map<string, Bits>;
  /** By rows that are only similar: they take nothing from rows that are equal. */
  similar: Map<string, Bits>;
}

export function newUses(): Uses {
  return { taken: new Map(), equal: new Map(), similar: new Map() };
}

export function isUsed({ jobId, ordinal }: KnownRow, uses: ReadonlyMap<string, Bits>): boolean {
  return uses.get(jobId)?.has(ordinal) === true;
}

export function use({ jobId, ordinal }: Pick<KnownRow, 'jobId' | 'ordinal'>, taken: Map<string, Bits>): void {
  taken.set(jobId, (taken.get(jobId) ?? new Bits()).add(ordinal));
}

export function isSame(one: KnownRow, other: KnownRow): boolean {
  return one.jobId === other.jobId && one.ordinal === other.ordinal;
}

/** A set of ordinals, 125 kB per million. */
export class Bits {
  #bytes = new Uint8Array(1024);

  has(ordinal: number): boolean {
    return ((this.#bytes[ordinal >> 3] ?? 0) & (1 << (ordinal & 7))) !== 0;
  }

  add(ordinal: number): this {
    const at = ordinal >> 3;
    if (at >= this.#bytes.length) {
      const longer = new Uint8Array(Math.max(at + 1, 2 * this.#bytes.length));
      longer.set(this.#bytes);
      this.#bytes = longer;
    }
    this.#bytes[at] = (this.#bytes[at] ?? 0) | (1 << (ordinal & 7));
    return this;
  }
}
