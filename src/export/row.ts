/** The rows of an export, by the list they come from. */
import type { Collection, Item, SalesSummary } from '../api/schemas.ts';

/** The sales summary as read at one moment by our clock. */
export type SalesReading = SalesSummary & {
  /** ISO 8601, UTC. The contract names neither period nor currency: these are totals as reported then. */
  reported_at: string;
};

export type Row = Item | Collection | SalesReading;

/** The column that `--changed-since-last` adds: whether the row is new, changed or gone. */
export const CHANGE_COLUMN = '_change';
