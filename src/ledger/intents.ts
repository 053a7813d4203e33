/** What both databases answer about intents. */
import type { OpenUpdate } from './ledger.ts';

export interface IntentsRow {
  committed: number;
  /** The first that is in flight or unanswered. */
  open: number | null;
}

export function intentsOf({ committed, open }: IntentsRow = { committed: 0, open: null }) {
  return { committed, underWay: open !== null, accounted: open === null ? committed : open - 1 };
}

/** Of the target and an item's open updates: one row without an update where there are none. */
export type OpenUpdateRow = { committed: number } & (OpenUpdate | { jobId: null });

export function openUpdatesOf(rows: readonly OpenUpdateRow[]): { committed: number; open: OpenUpdate[] } {
  return { committed: rows[0]?.committed ?? 0, open: rows.filter((row) => row.jobId !== null) };
}
