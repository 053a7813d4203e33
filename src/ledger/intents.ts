/** What both databases answer about intents. */
import type { Intents, OpenUpdate } from './ledger.ts';

/** Item and number of an update that is in flight or unanswered. */
export type OpenIntent = readonly [itemId: string, sequence: number];

export function intentsOf(committed = 0, updates: readonly OpenIntent[] = []): Intents {
  const open = new Map<string, number>();
  for (const [itemId, sequence] of updates)
    open.set(itemId, Math.min(sequence, open.get(itemId) ?? Number.POSITIVE_INFINITY));
  return { committed, open };
}

/** Of the target and an item's open updates: one row without an update where there are none. */
export type OpenUpdateRow = { committed: number } & (OpenUpdate | { jobId: null });

export function openUpdatesOf(rows: readonly OpenUpdateRow[]): { committed: number; open: OpenUpdate[] } {
  return { committed: rows[0]?.committed ?? 0, open: rows.filter((row) => row.jobId !== null) };
}
