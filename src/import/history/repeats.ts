/**
 * Finds relative changes that were made before: recognised by item, field and operand, however the items were selected.
 */
import { Big } from 'big.js';
import type { JobRecord, Ledger, LedgerRow } from '../../ledger/ledger.ts';
import { rowNameText } from '../../ledger/row-name.ts';
import type { RelativeChange } from '../engine/input.ts';
import { rowPages } from '../job/row-pages.ts';
import { updateOf } from '../engine/operation.ts';
import { mayHaveEffect } from './effects.ts';
import { Reversals } from './reversals.ts';

interface RepeatedJob {
  job: JobRecord;
  rows: number[];
}

export interface Repeated {
  /** The jobs that made the change, newest first, with the ordinals, ascending, of the rows whose items they changed. */
  earlier: [RepeatedJob, ...RepeatedJob[]];
  /** How many rows that are, and how many the change has in all. */
  rows: number;
  of: number;
}

/**
 * Compares relative changes of a job with changes that are in effect or may be. Their age does not matter, because the
 * clocks of other machines may have been wrong.
 *
 * @param updates ordinals of the rows that are compared
 * @returns undefined if no change is repeated
 */
export async function repeatedChange(
  job: JobRecord,
  ledger: Ledger,
  updates: readonly number[],
): Promise<Repeated | undefined> {
  const isCompared = new Set(updates);
  const reversals = await Reversals.open(ledger);
  const rowsOf = new Map<string, Set<number>>();
  let of = 0;
  for await (const rows of rowPages(ledger, job.id, { states: ['planned'], actions: ['update'] })) {
    const wanted = new Map<string, { ordinal: number; keys: ReadonlySet<string> }>();
    for (const row of rows) {
      if (!isCompared.has(row.ordinal)) continue;
      const keys = new Set(changesOf(row).map(({ key }) => key));
      if (keys.size > 0 && row.itemId !== null) wanted.set(row.itemId, { ordinal: row.ordinal, keys });
    }
    of += wanted.size;
    if (wanted.size === 0) continue;
    const sent = (await ledger.items.sentUpdates(job.apiUrl, [...wanted.keys()])).filter(
      (update) => update.job !== job.id && mayHaveEffect({ ...update, action: 'update' }),
    );
    const byField = Map.groupBy(
      sent.flatMap((update) =>
        changesOf(update).flatMap(({ field, key }) =>
          wanted.get(update.itemId)?.keys.has(key) === true ? [{ update, field }] : [],
        ),
      ),
      ({ field }) => field,
    );
    for (const [field, found] of byField) {
      const takenBack = await reversals.takenBack(
        found.map(({ update }) => update),
        field,
      );
      for (const { update } of found) {
        if (takenBack.get(rowNameText(update))?.isCertain === true) continue;
        const { ordinal = 0 } = wanted.get(update.itemId) ?? {};
        rowsOf.set(update.job, (rowsOf.get(update.job) ?? new Set()).add(ordinal));
      }
    }
  }
  if (rowsOf.size === 0) return undefined;
  const jobs = await ledger.jobs.list(undefined, { ids: [...rowsOf.keys()] });
  const [newest, ...others] = jobs.map((each): RepeatedJob => {
    const rows = [...(rowsOf.get(each.id) ?? [])].sort((a, b) => a - b);
    return { job: each, rows };
  });
  if (newest === undefined) return undefined;
  const rows = new Set([newest, ...others].flatMap((each) => each.rows)).size;
  return { earlier: [newest, ...others], rows, of };
}

/** The relative changes of an update; the key is that of equal ones. */
function changesOf(row: Pick<LedgerRow, 'operation'>): { field: string; key: string }[] {
  return Object.entries(updateOf(row).relative ?? {}).map(
    ([field, { sign, operand }]: [string, RelativeChange]) => ({
      field,
      key: `${field} ${sign} ${Big(operand).toString()}`,
    }),
  );
}
