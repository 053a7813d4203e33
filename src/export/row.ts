/** The rows of an export, by their list. */
import type { Collection, Item, SalesSummary } from '../api/schemas.ts';

/** The sales summary, and the time by our clock at which it was read. */
export type SalesReading = SalesSummary & {
  /** ISO 8601, UTC. The contract names neither period nor currency: these are the totals reported at that time. */
  reported_at: string;
};

/** The row as the server sent it, including fields that the contract does not name. */
export type Row = (Item | Collection | SalesReading) & Record<string, unknown>;

/**
 * With `--became`: the two readings between which an item changed to the status, ISO 8601. The API has no time of a
 * sale, and `updated_at` is the time of the last change of any kind.
 */
export const BECAME_AFTER = '_became_after';
export const BECAME_BY = '_became_by';

/** The column that `--changed-since-last` adds: whether the row is new, changed or gone. */
export const CHANGE_COLUMN = '_change';

/** The columns that an export without a layout adds to those of the items. */
export function changeColumns(request: {
  changedSinceLast: string | undefined;
  became: string | undefined;
}): string[] {
  if (request.changedSinceLast === undefined) return [];
  return [CHANGE_COLUMN, ...(request.became === undefined ? [] : [BECAME_AFTER, BECAME_BY])];
}
