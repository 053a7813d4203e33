import type { RowCounts } from '../../ledger/ledger.ts';

/** What became of a job's rows: `read` is the sum of all others. */
export interface RowTotals {
  read: number;
  created: number;
  updated: number;
  unchanged: number;
  skipped: number;
  invalid: number;
  refused: number;
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
