import type { RowCounts } from '../../ledger/ledger.ts';

/** The outcomes of a job's rows: `read` is the sum of all others. */
export interface RowTotals {
  /** All rows of the job. */
  read: number;
  /** Made an item. */
  created: number;
  /** Changed an item. */
  updated: number;
  /** Had nothing to change. */
  unchanged: number;
  /** Left out by a rule or a person. */
  skipped: number;
  /** Cannot be sent as they are. */
  invalid: number;
  /** Refused by the API. */
  refused: number;
  /** Wait for a person. */
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
