/** Which relative changes were made before: told by the item, the field and the operand, however the items were chosen. */
import { Big } from 'big.js';
import type { JobRecord, Ledger } from '../../ledger/ledger.ts';
import { rowNameText } from '../../ledger/row-name.ts';
import type { RelativeChange } from '../job/judging.ts';
import { rowPages } from '../job/row-pages.ts';
import { updatePayload } from '../job/payload.ts';
import { mayHaveEffect } from './effects.ts';
import { Reversals } from './reversals.ts';

export interface Repeated {
  /** The jobs that made the change, the newest first. */
  earlier: [JobRecord, ...JobRecord[]];
  /** How many items the newest made it to, of how many that it would be made to. */
  items: number;
  of: number;
}

/**
 * Compares what a job would change relatively with changes that are in effect, or may be.
 *
 * @param counts which earlier jobs count
 * @returns undefined if it repeats none
 */
export async function repeatedChange(
  job: JobRecord,
  counts: (earlier: JobRecord) => boolean,
  ledger: Ledger,
): Promise<Repeated | undefined> {
  // Only `set` changes values relatively.
  if (job.kind !== 'set') return undefined;
  const jobs = (await ledger.jobs.list()).filter(({ firstSentAt }) => firstSentAt !== undefined);
  const earlier = new Map(
    jobs.flatMap((each) => (each.id === job.id || !counts(each) ? [] : [[each.id, each]])),
  );
  const reversals = new Reversals(jobs, ledger);
  const itemsOf = new Map<string, Set<string>>();
  let of = 0;
  for await (const rows of rowPages(ledger, job.id, { states: ['planned'], actions: ['update'] })) {
    const wanted = new Map<string, ReadonlySet<string>>();
    for (const row of rows) {
      const keys = new Set(changeKeys(row.payload));
      if (keys.size > 0 && row.itemId !== null) wanted.set(row.itemId, keys);
    }
    of += wanted.size;
    if (wanted.size === 0 || earlier.size === 0) continue;
    const sent = (await ledger.items.sentUpdates(job.apiUrl, [...wanted.keys()])).filter(
      (update) => earlier.has(update.job) && mayHaveEffect({ ...update, action: 'update' }),
    );
    const byField = Map.groupBy(
      sent.flatMap((update) =>
        changeKeys(update.payload).flatMap((key) =>
          wanted.get(update.itemId)?.has(key) === true ? [{ update, field: key.split(' ')[0] ?? '' }] : [],
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
        itemsOf.set(update.job, (itemsOf.get(update.job) ?? new Set()).add(update.itemId));
      }
    }
  }
  const [newest, ...others] = jobs.filter(({ id }) => itemsOf.has(id));
  if (newest === undefined) return undefined;
  return { earlier: [newest, ...others], items: itemsOf.get(newest.id)?.size ?? 0, of };
}

/** `field sign number` of each relative change of an update. */
function changeKeys(payload: string | null): string[] {
  if (payload?.includes('"relative":') !== true) return [];
  return Object.entries(updatePayload({ payload }).relative ?? {}).map(
    ([field, { sign, operand }]: [string, RelativeChange]) => `${field} ${sign} ${Big(operand).toString()}`,
  );
}
