import type { RowCounts } from '../../ledger/ledger.ts';

/** Numbers of a job's rows by outcome: `read` is the sum of all others. */
export interface RowTotals {
  /** All rows of the job. */
  read: number;
  /** Rows that created an item. */
  created: number;
  /** Rows that changed an item. */
  updated: number;
  /** Rows without a change. */
  unchanged: number;
  /** Rows that a rule or a person left out. */
  skipped: number;
  /** Rows that cannot be sent because of a problem. */
  invalid: number;
  /** Rows that the API refused. */
  refused: number;
  /** Rows that wait for a person. */
  held: number;
  /** planned + sending + unknown */
  pending: number;
}

export function rowTotals(counts: RowCounts): RowTotals {
  const pending = counts.planned + counts.sending + counts.unknown;
  const { created, updated, unchanged, skipped, invalid, refused, held } = counts;
  const read = created + updated + unchanged + skipped + invalid + refused + held + pending;
  return { read, created, updated, unchanged, skipped, invalid, refused, held, pending };
}
