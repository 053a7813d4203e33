/**
 * A plan as every surface shows it: the number of rows of each kind, and the rows. plan-report.ts has its other
 * numbers.
 */
import type { JobRecord, Ledger, LedgerRow, RowQuery } from '../../ledger/ledger.ts';
import { isMissingRow, plannedArchives } from '../job/missing-rows.ts';
import { rowPages } from '../job/row-pages.ts';

/** In display order. `archive`: items missing from the file. */
export const PLAN_KINDS = ['create', 'update', 'archive', 'held', 'invalid', 'skipped', 'unchanged'] as const;
export type PlanKind = (typeof PLAN_KINDS)[number];

export type PlanCounts = Record<PlanKind, number>;

export async function planCounts(job: JobRecord, ledger: Ledger): Promise<PlanCounts> {
  const { planned, plannedUpdates, held, invalid, skipped, unchanged } = await ledger.rows.counts(job.id);
  const archive = (await plannedArchives(job, ledger)).length;
  const update = plannedUpdates - archive;
  return { update, create: planned - plannedUpdates, archive, held, invalid, skipped, unchanged };
}

/** The rows of one kind, in order, a page at a time. */
export async function* rowsOfKind(
  job: JobRecord,
  ledger: Ledger,
  kind: PlanKind,
  { after = 0, limit = 500 } = {},
): AsyncGenerator<LedgerRow[], void> {
  const query: Omit<RowQuery, 'limit'> =
    kind === 'create'
      ? { states: ['planned'], actions: ['create'] }
      : kind === 'update' || kind === 'archive'
        ? { states: ['planned'], actions: ['update'] }
        : { states: [kind] };
  const from = kind === 'archive' ? Math.max(after, job.plan.missing?.after ?? 0) : after;
  for await (const rows of rowPages(ledger, job.id, { ...query, after: from }, limit))
    yield kind === 'update' || kind === 'archive'
      ? rows.filter((row) => isMissingRow(row) === (kind === 'archive'))
      : rows;
}

/** @param from ordinal after which the rows begin */
export async function firstOfKind(
  job: JobRecord,
  ledger: Ledger,
  kind: PlanKind,
  limit: number,
  from = 0,
): Promise<LedgerRow[]> {
  const first: LedgerRow[] = [];
  for await (const rows of rowsOfKind(job, ledger, kind, { after: from, limit })) {
    first.push(...rows);
    if (first.length >= limit) break;
  }
  return first.slice(0, limit);
}
